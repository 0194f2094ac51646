import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import type { ApiDeps } from './api/apiDeps.ts';
import { startApiServer, type ApiServer } from './api/apiServer.ts';
import { Closers } from './compose/closers.ts';
import { defaultDataFolder, prepareDataFolder, readConfig, removeRunFile, writeRunFile } from './compose/dataFolder.ts';
import { openLog } from './compose/openLog.ts';
import { builtRenderer, productVersion, stdioCommand } from './compose/product.ts';
import { openStore } from './compose/openStore.ts';
import { startCaop } from './compose/startCaop.ts';
import { createProviders, initialSurfaces } from './compose/surfaceProviders.ts';
import { isSignalboxError, SignalboxError } from './contracts/errors.ts';
import type { Config } from './contracts/hostFiles.ts';
import { createGate } from './gate/createGate.ts';
import type { GateOptions } from './gate/createGate.ts';
import type { Gate } from './gate/gate.ts';
import type { EventStore } from './kernel/eventStore.ts';
import type { GateKernel } from './kernel/gateKernel.ts';
import { createKernel } from './kernel/createKernel.ts';
import type { ArtifactStore, Clock, Ids, SurfaceProvider } from './kernel/ports.ts';
import { createFileArtifacts } from './stores/files/createFileArtifacts.ts';
import { randomIds } from './stores/files/randomIds.ts';
import { systemClock } from './stores/files/systemClock.ts';

export const defaultPort = 8787;
/** Ports tried when the default one is taken and nobody asked for it. */
const fallbackPorts = 10;

export interface ComposeOptions {
  /** Made when missing; the user's own when omitted. */
  readonly dataFolder?: string;
  /** Exactly this port, 0 for any. Omitted: the configured one, else 8787 or the next free one. */
  readonly port?: number;
  /** Approve everything for 60 minutes, on the record. */
  readonly autoApprove?: boolean;
  /** PostgreSQL that holds the state instead of the data folder's file: `postgres://…`. */
  readonly database?: string;
  /** Path of the Chromium to start; found by itself when omitted. */
  readonly chromium?: string;
  /** Instead of the real ones, for tests. */
  readonly providers?: readonly SurfaceProvider[];
}

/** A running console. */
export interface Composed {
  readonly url: string;
  readonly mcpUrl: string;
  /** Token of the person at this console. Never to be written anywhere. */
  readonly token: string;
  readonly agentToken: string;
  readonly data: string;
  /** What is worth telling whoever started it. */
  readonly remarks: readonly string[];
  /** Address that signs a person in: once, within a minute. */
  openerUrl(): string;
  close(): Promise<void>;
}

const gateSettings = ({ gate }: Config): Partial<GateOptions> => ({
  ...(gate?.wait_budget_ms === undefined ? {} : { waitBudgetMs: gate.wait_budget_ms }),
  ...(gate?.approval_ttl_ms === undefined ? {} : { approvalTtlMs: gate.approval_ttl_ms }),
  ...(gate?.lease_ttl_ms === undefined ? {} : { leaseTtlMs: gate.lease_ttl_ms }),
  ...(gate?.absent_ttl_ms === undefined ? {} : { absentTtlMs: gate.absent_ttl_ms }),
});

const portTaken = (error: unknown): boolean => isSignalboxError(error) && error.details['reason'] === 'port_taken';

const startOnFreePort = async (deps: ApiDeps): Promise<ApiServer> => {
  for (let port = defaultPort; port < defaultPort + fallbackPorts; port += 1) {
    try {
      return await startApiServer(deps, port);
    } catch (error) {
      if (!portTaken(error)) throw error;
    }
  }
  return startApiServer(deps, 0);
};

const mintTokens = async (kernel: GateKernel): Promise<Pick<ApiDeps['host'], 'user' | 'agent'>> => {
  const { token, agentToken } = await kernel.mintBootTokens();
  const [user, agent] = await Promise.all([kernel.authenticate(token), kernel.authenticate(agentToken)]);
  if (user === null || agent === null) throw new SignalboxError('INTERNAL', 'The boot tokens are not accepted.');
  return {
    user: { token, principal: user.ref, roles: user.roles },
    agent: { token: agentToken, tokenId: agent.tokenId },
  };
};

/** What every part is built on. */
interface Ground {
  readonly options: ComposeOptions;
  readonly data: string;
  readonly config: Config;
  readonly closers: Closers;
  readonly log: ReturnType<typeof openLog>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onBackgroundError: (error: unknown, doing: string) => void;
}

const prepareGround = async (options: ComposeOptions, data: string, closers: Closers): Promise<Ground> => {
  await prepareDataFolder(data);
  const config = await readConfig(data);
  const log = openLog(data);
  closers.add(() => log.flush());
  return {
    options,
    data,
    config,
    closers,
    log,
    clock: systemClock(),
    ids: randomIds(),
    onBackgroundError: (err, doing) => log.error({ err, doing }, 'background work failed'),
  };
};

/** Consoles on one PostgreSQL are told apart by where they keep their data. */
const sharedName = (options: ComposeOptions, data: string): { console?: string; host?: string } => {
  if (options.database === undefined) return {};
  const console = createHash('sha256').update(`${hostname()}\n${data}`).digest('hex').slice(0, 12);
  return { console, host: `${hostname()}/${console}` };
};

const startKernel = async ({
  options,
  data,
  closers,
  ...ground
}: Ground): Promise<{ store: EventStore; kernel: GateKernel }> => {
  const store = await openStore(data, options.database);
  closers.add(() => store.close());
  const kernel = await createKernel({
    store,
    clock: ground.clock,
    ids: ground.ids,
    version: productVersion,
    ...sharedName(options, data),
    autoApprove: options.autoApprove ?? false,
    onBackgroundError: ground.onBackgroundError,
  });
  closers.add(() => kernel.close());
  return { store, kernel };
};

const providersOf = (ground: Ground, consolePort: () => number | null): readonly SurfaceProvider[] => {
  const { options, data, config, ids, onBackgroundError } = ground;
  if (options.providers !== undefined) return options.providers;
  const chromium = options.chromium ?? config.browser?.executable;
  const headless = config.browser?.headless;
  return createProviders({
    dataFolder: data,
    ids,
    consolePort,
    ...(chromium === undefined ? {} : { chromium }),
    ...(headless === undefined ? {} : { headless }),
    onBackgroundError,
  });
};

const startGate = async (
  ground: Ground,
  kernel: GateKernel,
  artifacts: ArtifactStore,
  consolePort: () => number | null,
): Promise<Gate> => {
  const { clock, ids, config, closers, onBackgroundError } = ground;
  const providers = providersOf(ground, consolePort);
  closers.add(async () => void (await Promise.all(providers.map((provider) => provider.close()))));
  const gate = await createGate({
    kernel,
    providers,
    clock,
    ids,
    artifacts,
    initialSurfaces: initialSurfaces(providers),
    onBackgroundError,
    ...gateSettings(config),
  });
  closers.add(() => gate.close());
  return gate;
};

const startApi = async (ground: Ground, parts: Pick<ApiDeps, 'gate' | 'artifacts' | 'caop' | 'host' | 'kernel'>) => {
  const { options, data, config, closers, clock, ids, log } = ground;
  const deps: ApiDeps = { ...parts, clock, ids, log };
  const wanted = options.port ?? config.port;
  const api = wanted === undefined ? await startOnFreePort(deps) : await startApiServer(deps, wanted);
  closers.add(() => api.close());
  await writeRunFile(data, { url: api.url, pid: process.pid, agentToken: deps.host.agent.token });
  closers.add(() => removeRunFile(data));
  log.info({ url: api.url, version: productVersion }, 'console started');
  const remarks =
    wanted === undefined && api.port !== defaultPort
      ? [`Port ${defaultPort} is in use by another program, so this console took ${api.port}. Choose one with --port.`]
      : [];
  return { api, remarks };
};

const start = async (options: ComposeOptions, data: string, closers: Closers): Promise<Composed> => {
  const ground = await prepareGround(options, data, closers);
  const { store, kernel } = await startKernel(ground);
  let openGate: Gate | null = null;
  const approvalTtlMs = ground.config.gate?.approval_ttl_ms;
  const { clock, ids, onBackgroundError } = ground;
  const caop = await startCaop(
    {
      clock,
      ids,
      onBackgroundError,
      host: sharedName(options, data).host ?? hostname(),
      ...(approvalTtlMs === undefined ? {} : { approvalTtlMs }),
    },
    store,
    kernel,
    () => openGate,
  );
  closers.add(async () => caop[Symbol.asyncDispose]());
  const artifacts = createFileArtifacts({ folder: path.join(data, 'artifacts') });
  let consolePort: number | null = null;
  const gate = await startGate(ground, kernel, artifacts, () => consolePort);
  openGate = gate;
  const host = {
    version: productVersion,
    startedAt: new Date(ground.clock.now()).toISOString(),
    dataFolder: data,
    hostName: hostname(),
    rendererFolder: builtRenderer(),
    stdio: stdioCommand(data === defaultDataFolder() ? null : data),
    ...(await mintTokens(kernel)),
  };
  const { api, remarks } = await startApi(ground, { kernel, gate, caop, artifacts, host });
  consolePort = api.port;
  return {
    url: api.url,
    mcpUrl: `${api.url}/mcp`,
    token: host.user.token,
    agentToken: host.agent.token,
    data,
    remarks,
    openerUrl: () => api.openerUrl(),
    close: () => closers.closeAll(),
  };
};

/** The only wiring: a data folder becomes a running console. */
export const compose = async (options: ComposeOptions = {}): Promise<Composed> => {
  const failures: unknown[] = [];
  const closers = new Closers((error) => failures.push(error));
  const data = path.resolve(options.dataFolder ?? defaultDataFolder());
  try {
    const running = await start(options, data, closers);
    return {
      ...running,
      close: async () => {
        await running.close();
        if (failures.length > 0) throw new AggregateError(failures, 'Signalbox did not close cleanly.');
      },
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
};
