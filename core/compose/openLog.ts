import { existsSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { pino, type Logger } from 'pino';

const rotateAtBytes = 5 * 1_048_576;

/** `logs/signalbox.log`, JSON lines; the one before is kept when it has grown. Never written to the terminal. */
export const openLog = (dataFolder: string): Logger => {
  const file = path.join(dataFolder, 'logs', 'signalbox.log');
  if (existsSync(file) && statSync(file).size > rotateAtBytes) renameSync(file, `${file}.1`);
  return pino(
    { base: { pid: process.pid }, redact: { paths: ['token', '*.token', '*.authorization'], censor: '(not logged)' } },
    pino.destination({ dest: file, append: true, mode: 0o600, sync: true }),
  );
};
