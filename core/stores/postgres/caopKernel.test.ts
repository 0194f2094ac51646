import { afterAll, beforeAll } from 'vitest';
import { caopApprovalsContract } from '../../../test/contract/caopApprovalsContract.ts';
import { caopBindingContract } from '../../../test/contract/caopBindingContract.ts';
import { caopFactsContract } from '../../../test/contract/caopFactsContract.ts';
import { caopKernelContract } from '../../../test/contract/caopKernelContract.ts';
import { caopLeasesContract } from '../../../test/contract/caopLeasesContract.ts';
import { caopRulesContract } from '../../../test/contract/caopRulesContract.ts';
import type { EventStore } from '../../kernel/eventStore.ts';
import { PostgresServer } from '../../../test/support/postgres.ts';
import { openPostgresStore } from './openPostgresStore.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(async () => server[Symbol.asyncDispose](), 120_000);

/** A schema of its own for every test: a database each would take longer than the tests. */
let schemas = 0;
let database: Promise<string> | null = null;
const open = async (): Promise<EventStore> => {
  database ??= server.database();
  return openPostgresStore({ url: await database, namespace: `caop_${(schemas += 1)}` });
};

caopKernelContract('PostgreSQL', open);
caopLeasesContract('PostgreSQL', open);
caopRulesContract('PostgreSQL', open);
caopApprovalsContract('PostgreSQL', open);
caopFactsContract('PostgreSQL', open);
caopBindingContract('PostgreSQL', open);
