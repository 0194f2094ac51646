#!/usr/bin/env node
// Runs the built command line; in a checkout the build is brought up to date first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const isCheckout = () => existsSync(at('../core/cli/main.ts')) && existsSync(at('../node_modules/esbuild'));

if (isCheckout()) {
  const { isBuilt } = await import('../scripts/build.mjs');
  if (!isBuilt()) {
    // Standard output is for answers only (JSON, MCP): what the build says goes to standard error.
    const { status } = spawnSync(process.execPath, [at('../scripts/build.mjs')], { stdio: ['ignore', 2, 2] });
    if (status !== 0) process.exit(1);
  }
}
await import('../dist/core/cli/main.js');
