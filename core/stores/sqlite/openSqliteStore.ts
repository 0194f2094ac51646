import { SignalboxError } from '../../contracts/errors.ts';
import type { EventStore } from '../../kernel/eventStore.ts';

export interface SqliteStoreOptions {
  /** File of the database; its folder is made when missing. */
  readonly path: string;
}

export const openSqliteStore = async (_options: SqliteStoreOptions): Promise<EventStore> => {
  throw new SignalboxError('INTERNAL', 'The store is not built yet.');
};
