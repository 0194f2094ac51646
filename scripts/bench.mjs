import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { isMain, root, run } from './run.mjs';

/** Measures the built product; arguments go to test/bench/run.ts. */
if (isMain(import.meta.url)) {
  await ensureBuilt();
  process.exitCode = await run(process.execPath, [
    '--import',
    'tsx',
    path.join(root, 'test/bench/run.ts'),
    ...process.argv.slice(2),
  ]);
}
