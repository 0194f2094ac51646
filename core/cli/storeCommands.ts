import path from 'node:path';
import type { Command } from 'commander';
import { defaultDataFolder } from '../compose/dataFolder.ts';
import type { StorePlace } from '../compose/storeTasks.ts';

interface PlaceOptions {
  readonly data?: string;
  readonly database?: string;
}

const placeOf = (options: PlaceOptions): StorePlace => ({
  dataFolder: path.resolve(options.data ?? defaultDataFolder()),
  database: options.database,
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const tasks = () => import('../compose/storeTasks.ts');

const withPlace = (command: Command): Command =>
  command.option('--data <dir>', 'data folder').option('--database <url>', 'PostgreSQL that holds the state');

const addAudit = (program: Command): void => {
  const audit = program.command('audit').description('Check the log, and sign its head.');
  withPlace(audit.command('verify'))
    .description('Check every hash of the log; the first row that is wrong is named.')
    .option('--anchor <file>', 'hold the log against an anchor too')
    .action(async (options: PlaceOptions & { anchor?: string }) => {
      const { events, head, anchored } = await (await tasks()).verifyStore(placeOf(options), options.anchor);
      say(
        `${events} events verify; head ${head ?? 'none'}.${anchored === null ? '' : ` The log holds the anchor at row ${anchored}.`}`,
      );
    });
  withPlace(audit.command('anchor'))
    .description('Write the signed head of the log to a file; keep it somewhere else.')
    .requiredOption('--out <file>', 'file to write')
    .action(async (options: PlaceOptions & { out: string }) => {
      const { seq } = await (await tasks()).anchorStore(placeOf(options), path.resolve(options.out));
      say(`Anchored row ${seq} in ${options.out}. Keep it away from this machine.`);
    });
};

export const addStoreCommands = (program: Command): void => {
  const store = program.command('store').description('Work on the store of a stopped console.');
  withPlace(store.command('rebuild'))
    .description('Make every read model again from the log.')
    .action(async (options: PlaceOptions) => {
      const { events } = await (await tasks()).rebuildStore(placeOf(options));
      say(`Rebuilt every table from ${events} events.`);
    });
  addAudit(program);
  withPlace(program.command('backup'))
    .description('Copy the data file, also while the console runs.')
    .requiredOption('--out <file>', 'file to write')
    .action(async (options: PlaceOptions & { out: string }) => {
      const { events } = await (await tasks()).backupStore(placeOf(options), path.resolve(options.out));
      say(`Copied and verified ${events} events to ${options.out}. Artifacts stay in their folder.`);
    });
  withPlace(program.command('restore'))
    .description('Put a backup in the place of the data file of a stopped console.')
    .requiredOption('--from <file>', 'backup to restore')
    .action(async (options: PlaceOptions & { from: string }) => {
      const { events, kept } = await (await tasks()).restoreStore(placeOf(options), path.resolve(options.from));
      say(`Restored ${events} events.${kept === null ? '' : ` The file that was there is kept as ${kept}.`}`);
    });
};
