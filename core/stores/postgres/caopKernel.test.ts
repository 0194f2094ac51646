import { afterAll, beforeAll } from 'vitest';
import { caopKernelContract } from '../../../test/contract/caopKernelContract.ts';
import { caopLeasesContract } from '../../../test/contract/caopLeasesContract.ts';
import { caopRulesContract } from '../../../test/contract/caopRulesContract.ts';
import { PostgresServer } from '../../../test/support/postgres.ts';
import { openPostgresStore } from './openPostgresStore.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(async () => server[Symbol.asyncDispose]());

caopKernelContract('PostgreSQL', async () => openPostgresStore({ url: await server.database() }));
caopLeasesContract('PostgreSQL', async () => openPostgresStore({ url: await server.database() }));
caopRulesContract('PostgreSQL', async () => openPostgresStore({ url: await server.database() }));
