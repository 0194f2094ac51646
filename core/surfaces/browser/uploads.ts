import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { SignalboxError } from '../../contracts/errors.ts';

const refused = (message: string): SignalboxError => new SignalboxError('INVALID_REQUEST', message);

/** Files an agent may give to a page: one path a line, each inside `folder`. Throws INVALID_REQUEST. */
export const uploadPaths = async (value: string, folder: string | null, multiple: boolean): Promise<string[]> => {
  if (folder === null) throw refused('This console gives no files to pages: no folder for uploads is set.');
  const names = value.split('\n').filter((line) => line.trim() !== '');
  if (names.length > 1 && !multiple) throw refused(`The field takes one file, not ${names.length}.`);
  const root = await realpath(folder);
  return Promise.all(names.map((name) => inside(root, name)));
};

const inside = async (root: string, name: string): Promise<string> => {
  const wanted = isAbsolute(name) ? name : resolve(root, name);
  const path = await realpath(wanted).catch(() => null);
  // The same answer for both, so that nothing is told of files outside.
  if (path === null || !path.startsWith(root + sep) || !(await stat(path)).isFile()) {
    throw refused(`There is no file "${name}" in the folder for uploads. Give a name inside it.`);
  }
  return path;
};
