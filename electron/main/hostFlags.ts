import { parseArgs } from 'node:util';

/** The flags of `signalbox serve` that mean something in the desktop host. */
export interface HostFlags {
  readonly port?: number;
  readonly data?: string;
  readonly chromium?: string;
  readonly autoApprove?: boolean;
}

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`--port ${text} is not a port: give a whole number from 0 to 65535 (0 takes any free one).`);
  return port;
};

const valueOf = (name: string, value: string | boolean | undefined): string | undefined => {
  if (typeof value === 'boolean') throw new Error(`--${name} needs a value.`);
  return value;
};

/**
 * Electron and Chromium have flags of their own in the same line (`--no-sandbox`): unknown ones are
 * not ours to refuse.
 */
export const parseHostFlags = (argv: readonly string[]): HostFlags => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      chromium: { type: 'string' },
      'auto-approve': { type: 'boolean' },
    },
    strict: false,
    allowPositionals: true,
  });
  const port = valueOf('port', values.port);
  const data = valueOf('data', values.data);
  const chromium = valueOf('chromium', values.chromium);
  return {
    ...(port === undefined ? {} : { port: parsePort(port) }),
    ...(data === undefined ? {} : { data }),
    ...(chromium === undefined ? {} : { chromium }),
    ...(values['auto-approve'] === true ? { autoApprove: true } : {}),
  };
};
