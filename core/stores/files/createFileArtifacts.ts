import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignalboxError } from '../../contracts/errors.ts';
import type { ArtifactStore } from '../../kernel/ports.ts';

export interface FileArtifactsOptions {
  readonly folder: string;
  /** Largest single artifact; 64 MiB when omitted. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;
const mediaTypes = ['application/octet-stream', 'image/png', 'image/jpeg', 'text/plain', 'application/json'] as const;
const extension = (mediaType: string): string => mediaType.replace('/', '.');

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/**
 * One file per content, `<first two>/<sha256>.<media type>`. Written beside its place and renamed, so
 * that a reader sees all of it or nothing.
 */
export const createFileArtifacts = (options: FileArtifactsOptions): ArtifactStore => {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const place = (sha256: string, mediaType: string): string =>
    join(options.folder, sha256.slice(0, 2), `${sha256}.${extension(mediaType)}`);

  return {
    async put(bytes, mediaType) {
      if (bytes.byteLength > maxBytes) {
        throw new SignalboxError(
          'INVALID_REQUEST',
          `An artifact of ${bytes.byteLength} bytes is above the limit of ${maxBytes}. Store less, or raise the limit.`,
        );
      }
      const known = mediaTypes.find((type) => type === mediaType) ?? 'application/octet-stream';
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const path = place(sha256, known);
      if (!(await exists(path))) {
        await mkdir(join(options.folder, sha256.slice(0, 2)), { recursive: true, mode: 0o700 });
        const partial = `${path}.${randomBytes(6).toString('hex')}.part`;
        try {
          await writeFile(partial, bytes, { mode: 0o600, flush: true });
          await rename(partial, path);
        } finally {
          await rm(partial, { force: true });
        }
      }
      return { sha256, bytes: bytes.byteLength };
    },

    async get(sha256) {
      if (!HASH.test(sha256)) return null;
      for (const mediaType of mediaTypes) {
        const path = place(sha256, mediaType);
        if (await exists(path)) return { bytes: await readFile(path), mediaType };
      }
      return null;
    },
  };
};
