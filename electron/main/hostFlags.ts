import { parseArgs } from 'node:util';

export interface HostFlags {
  readonly port?: number;
  readonly data?: string;
}

/**
 * Electron and Chromium have flags of their own in the same line (`--no-sandbox`): unknown ones are
 * not ours to refuse.
 */
export const parseHostFlags = (argv: readonly string[]): HostFlags => {
  const { values } = parseArgs({
    args: [...argv],
    options: { port: { type: 'string' }, data: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const { port, data } = values;
  if (port === true || data === true) throw new Error('--port and --data each need a value.');
  return {
    ...(typeof port === 'string' ? { port: parsePort(port) } : {}),
    ...(typeof data === 'string' ? { data } : {}),
  };
};

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`--port ${text} is not a port: give a whole number from 0 to 65535 (0 takes any free one).`);
  return port;
};
