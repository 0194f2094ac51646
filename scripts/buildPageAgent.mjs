// Bundles the page agent into one string that the browser host injects into every frame.
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'core', 'surfaces', 'browser');
const result = await build({
  entryPoints: [join(folder, 'page', 'index.ts')],
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  minify: true,
  legalComments: 'none',
  write: false,
});
const source = result.outputFiles[0]?.text;
if (source === undefined) throw new Error('esbuild gave no page agent.');

/**
 * Whole at once: tests of another process may be importing it.
 *
 * @param {string} name
 * @param {string} text
 */
const write = async (name, text) => {
  const partial = join(folder, `${name}.${process.pid}`);
  await writeFile(partial, text);
  await rename(partial, join(folder, name));
};
await write('pageAgent.generated.js', `export const pageAgentSource = ${JSON.stringify(source)};\n`);
await write('pageAgent.generated.d.ts', 'export declare const pageAgentSource: string;\n');
