#!/usr/bin/env node
// Runs the built command line; in a checkout the build is brought up to date first (it speaks on standard error).
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const isCheckout = existsSync(at('../core/cli/main.ts')) && existsSync(at('../node_modules/esbuild'));

if (isCheckout) {
  const { ensureBuilt } = await import('../scripts/build.mjs');
  try {
    await ensureBuilt();
  } catch (error) {
    console.error(`signalbox: the build failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
await import('../dist/core/cli/main.js');
