import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Once before the unit tests: they import the bundled page agent from beside its host. */
export function setup(): void {
  const root = path.resolve(import.meta.dirname, '../..');
  execFileSync(process.execPath, [path.join(root, 'scripts/buildPageAgent.mjs')], { cwd: root, stdio: 'inherit' });
}
