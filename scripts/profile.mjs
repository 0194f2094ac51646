import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { root } from './run.mjs';

/** Writes the class document and its two views to `assets/operator/`. */
await ensureBuilt();
const { classDocument } = await import('../dist/core/contracts/classDocument.js');
const { profileMarkdown, skillMarkdown } = await import('../dist/core/contracts/classViews.js');

const folder = path.join(root, 'assets/operator');
mkdirSync(folder, { recursive: true });
const files = {
  'operator-class.json': `${JSON.stringify(classDocument(), null, 2)}\n`,
  'PROFILE.md': profileMarkdown(),
  'SKILL.md': skillMarkdown(),
};
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
console.log(`Wrote ${Object.keys(files).join(', ')} to assets/operator.`);
