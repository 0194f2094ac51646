import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Once before the unit tests: they import the bundled page agent from beside its host. */
export function setup(): void {
  const root = path.resolve(import.meta.dirname, '../..');
  const script = path.join(root, 'scripts/buildPageAgent.mjs');
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: root, stdio: 'inherit' });
}
