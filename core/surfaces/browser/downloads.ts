import { rename, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { CdpEvents, DownloadProgress } from './cdpTarget.ts';

export interface Downloads {
  begun(event: CdpEvents['Browser.downloadWillBegin']): void;
  progress(event: CdpEvents['Browser.downloadProgress']): Promise<void>;
}

/** A name that stays inside the folder on every system. */
export const safeFileName = (suggested: string): string => {
  const name = [...suggested]
    .map((char) => (/[\p{Cc}/\\:*?"<>|]/u.test(char) ? '_' : char))
    .join('')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '')
    .slice(-120);
  return name === '' ? 'download' : name;
};

/** `report.csv`, or `report (2).csv` when that is taken. */
const freePath = async (folder: string, name: string): Promise<string> => {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${stem} (${n})${extension}`);
    const taken = await stat(path).then(
      () => true,
      () => false,
    );
    if (!taken) return path;
  }
};

/** Chromium saves each download under its guid; a finished one gets the name the site gave it. */
export const createDownloads = (folder: string, tell: (download: DownloadProgress) => void): Downloads => {
  const running = new Map<string, DownloadProgress>();
  let last: Promise<void> = Promise.resolve();

  const finish = async (download: DownloadProgress, bytes: number): Promise<void> => {
    const path = await freePath(folder, download.name);
    await rename(join(folder, download.guid), path);
    tell({ ...download, state: 'completed', bytes, path });
  };

  return {
    begun({ guid, frameId, url, suggestedFilename }) {
      const download = { guid, frameId, url, name: safeFileName(suggestedFilename), state: 'begun', bytes: 0 } as const;
      running.set(guid, download);
      tell(download);
    },
    async progress({ guid, state, receivedBytes }) {
      const download = running.get(guid);
      if (download === undefined || state === 'inProgress') return;
      running.delete(guid);
      if (state === 'canceled') {
        tell({ ...download, state: 'cancelled' });
        return;
      }
      // One after the other, so that two of one name get two names.
      const mine = last.then(() => finish(download, receivedBytes));
      last = mine.catch(() => undefined);
      await mine;
    },
  };
};
