import path from 'node:path';
import type { EventStore } from '../kernel/eventStore.ts';
import { openPostgresStore } from '../stores/postgres/openPostgresStore.ts';
import { openSqliteStore } from '../stores/sqlite/openSqliteStore.ts';

export const databaseFile = (dataFolder: string): string => path.join(dataFolder, 'signalbox.db');

/** One file in the data folder, or the PostgreSQL that a team shares. */
export const openStore = (dataFolder: string, database: string | undefined): Promise<EventStore> =>
  database === undefined ? openSqliteStore({ path: databaseFile(dataFolder) }) : openPostgresStore({ url: database });
