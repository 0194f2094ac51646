import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { packageScript, root, runNode } from './run.mjs';
import { checkSystemPackages } from './systemPackages.mjs';

/** `npm run bench [-- flags of test/bench/run.ts]`. */
if (await checkSystemPackages('test')) {
  await ensureBuilt();
  process.exitCode = await runNode(packageScript('tsx/dist/cli.mjs'), [
    path.join(root, 'test/bench/run.ts'),
    ...process.argv.slice(2),
  ]);
} else process.exitCode = 1;
