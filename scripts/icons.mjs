import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumRootFlags, findChromium } from './chromium.mjs';
import { isMain, root } from './run.mjs';

const folder = path.join(root, 'assets/icons');
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
/** Below this edge the plain drawing reads better. */
const SMALL = 32;

/**
 * One PNG of an SVG at a size, transparent where the drawing is.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} svg
 * @param {number} size
 * @returns {Promise<Buffer>}
 */
const render = async (browser, svg, size) => {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.setContent(
    `<style>*{margin:0}img{display:block}</style><img width="${size}" height="${size}" src="${source}">`,
  );
  await page.locator('img').evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
};

/**
 * Windows icon: a directory of PNGs (allowed since Vista). Edge 256 is written as 0.
 *
 * @param {readonly { size: number, png: Buffer }[]} images
 */
const ico = (images) => {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  images.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index;
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
};

/** Apple's names of PNG entries by edge in pixels; `@2x` ones repeat an edge. */
const icnsTypes = /** @type {const} */ ([
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]);

/** @param {Map<number, Buffer>} pngs */
const icns = (pngs) => {
  const entries = icnsTypes.flatMap(([type, size]) => {
    const png = pngs.get(size);
    if (png === undefined) return [];
    const head = Buffer.alloc(8);
    head.write(type, 'ascii');
    head.writeUInt32BE(png.length + 8, 4);
    return [head, png];
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'ascii');
  head.writeUInt32BE(8 + entries.reduce((total, entry) => total + entry.length, 0), 4);
  return Buffer.concat([head, ...entries]);
};

/** @param {string} name */
const drawing = (name) => readFileSync(path.join(folder, name), 'utf8');
/**
 * @param {string} name
 * @param {Buffer} bytes
 */
const write = (name, bytes) => writeFileSync(path.join(folder, name), bytes);

/** Writes every icon from the three drawings. */
const makeIcons = async () => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('No Chromium found: run `node scripts/systemPackages.mjs`.');
  const browser = await chromium.launch({ executablePath, args: chromiumRootFlags() });
  try {
    /** @type {Map<number, Buffer>} */
    const pngs = new Map();
    for (const size of sizes) {
      const png = await render(browser, drawing(size <= SMALL ? 'icon-small.svg' : 'icon.svg'), size);
      pngs.set(size, png);
      write(`${size}x${size}.png`, png);
    }
    write('icon.ico', ico([...pngs].filter(([size]) => size <= 256).map(([size, png]) => ({ size, png }))));
    write('icon.icns', icns(pngs));
    write('trayTemplate.png', await render(browser, drawing('tray.svg'), 16));
    write('trayTemplate@2x.png', await render(browser, drawing('tray.svg'), 32));
  } finally {
    await browser.close();
  }
};

if (isMain(import.meta.url)) {
  await makeIcons();
  console.log(`Icons written to ${path.relative(process.cwd(), folder) || '.'}.`);
}
