import type { Command } from 'commander';
import type { Composed } from '../compose.ts';
import { parsePort, usageError } from './options.ts';
import { closeWhenStopped, stopSignal } from './stopping.ts';

interface ServeOptions {
  readonly port?: number;
  readonly data?: string;
  readonly json?: boolean;
  readonly database?: string;
  readonly autoApprove?: boolean;
  readonly chromium?: string;
  readonly open: boolean;
}

const jsonLine = (running: Composed): string =>
  JSON.stringify({
    url: running.url,
    mcp: running.mcpUrl,
    token: running.token,
    agentToken: running.agentToken,
    data: running.data,
    opener_url: running.openerUrl(),
  });

const greeting = (running: Composed): string =>
  [
    'Signalbox is running.',
    ...running.remarks.map((remark) => `  ${remark}`),
    `  Console  ${running.openerUrl()}`,
    '           (this link signs you in; it works once, within a minute)',
    `  Agents   ${running.mcpUrl}`,
    `  Data     ${running.data}`,
    'Press Ctrl+C to stop.',
  ].join('\n');

const serve = async (options: ServeOptions): Promise<void> => {
  if (options.database !== undefined && !/^postgres(ql)?:\/\//.test(options.database)) {
    throw usageError('--database wants an address like postgres://user:password@host:5432/name.');
  }
  const stopped = stopSignal();
  const { compose } = await import('../compose.ts');
  const running = await compose({
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.database === undefined ? {} : { database: options.database }),
    ...(options.chromium === undefined ? {} : { chromium: options.chromium }),
    autoApprove: options.autoApprove ?? false,
  });
  process.stdout.write(`${options.json ? jsonLine(running) : greeting(running)}\n`);
  await closeWhenStopped(stopped, () => running.close());
};

export const addServeCommand = (program: Command): void => {
  program
    .command('serve')
    .description('Start the console: REST, MCP and the browser page, on this machine only.')
    .option('--port <n>', 'port on 127.0.0.1; 0 for any free one (default: 8787 or the next free one)', parsePort)
    .option('--data <dir>', 'data folder')
    .option('--json', 'when ready, print one line of JSON and nothing else')
    .option('--database <url>', 'PostgreSQL that holds the state, e.g. postgres://user:password@host/name')
    .option('--auto-approve', 'approve everything for 60 minutes, on the record')
    .option('--chromium <path>', 'Chromium to start for browser surfaces')
    .option('--no-open', 'open no window (serve never does; npm start does)')
    .action(serve);
};
