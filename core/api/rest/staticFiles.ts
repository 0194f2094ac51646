import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';

const notBuilt =
  '<!doctype html><meta charset="utf-8"><title>Signalbox</title><p>The console is not built. Run <code>npm run build</code>, then start again.</p>';

const read = async (file: string): Promise<Uint8Array<ArrayBuffer> | null> => {
  try {
    return Uint8Array.from(await readFile(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null;
    throw error;
  }
};

const html = (body: Uint8Array<ArrayBuffer> | string): Response =>
  new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' } });

/** Path inside the folder, or null for anything that would leave it. */
const inside = (folder: string, pathname: string): string | null => {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const file = path.join(folder, decoded);
  return file.startsWith(folder + path.sep) ? file : null;
};

/**
 * The console's build. Hashed files (under `/assets/`) may be kept for ever; pages that a browser asks
 * for (deep links) get `index.html`. Null: nothing here by that name.
 */
export const staticFile = async (folder: string | null, pathname: string, accept: string): Promise<Response | null> => {
  const wantsPage = accept.includes('text/html');
  if (folder === null) return wantsPage ? html(notBuilt) : null;
  const file = pathname === '/' ? null : inside(folder, pathname);
  const bytes = file === null ? null : await read(file);
  if (file !== null && bytes !== null) {
    if (file.endsWith('.html')) return html(bytes);
    return new Response(bytes, {
      headers: {
        'content-type': getMimeType(file) ?? 'application/octet-stream',
        'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    });
  }
  if (pathname !== '/' && (!wantsPage || path.extname(pathname) !== '')) return null;
  const index = await read(path.join(folder, 'index.html'));
  return html(index ?? notBuilt);
};
