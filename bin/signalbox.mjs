#!/usr/bin/env node
// Runs the built command line; from a checkout the build is brought up to date first.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (relative) => fileURLToPath(new URL(relative, import.meta.url));
if (existsSync(at('../core/cli/main.ts')) && existsSync(at('../scripts/build.mjs'))) {
  const { ensureBuilt } = await import('../scripts/build.mjs');
  await ensureBuilt();
}
await import('../dist/core/cli/main.js');
