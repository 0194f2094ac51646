#!/usr/bin/env node
import { Console } from 'node:console';
import { Command, CommanderError } from 'commander';
import { isSignalboxError } from '../contracts/errors.ts';
import { productVersion } from '../compose/product.ts';
import { addMcpCommand } from './mcpCommand.ts';
import { addServeCommand } from './serveCommand.ts';
import { addStoreCommands } from './storeCommands.ts';

/** `expected`: told in one line. Anything else is a fault of ours: told without a stack unless asked for. */
const report = (error: unknown): void => {
  if (isSignalboxError(error) && error.kind !== 'bug') return console.error(`signalbox: ${error.message}`);
  const message = error instanceof Error ? error.message : String(error);
  console.error(`signalbox: something failed inside: ${message}`);
  if (process.env['SIGNALBOX_DEBUG'] !== undefined) console.error(error);
  else console.error('Set SIGNALBOX_DEBUG=1 to see where; the log is in the data folder under logs/.');
};

const exitCode = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return isSignalboxError(error) && error.details['exit_code'] === 2 ? 2 : 1;
};

const main = async (): Promise<void> => {
  // Standard output belongs to answers (a line of JSON, MCP messages): a library's chatter goes elsewhere.
  globalThis.console = new Console(process.stderr, process.stderr);
  const program = new Command('signalbox')
    .description('A control console for people who let AI agents work browsers, desktops and terminals.')
    .version(productVersion)
    .showHelpAfterError('Run signalbox --help for what there is.')
    .exitOverride();
  addServeCommand(program);
  addMcpCommand(program);
  addStoreCommands(program);
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) report(error);
    process.exitCode = exitCode(error);
  }
};

await main();
