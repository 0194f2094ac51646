import { QueryClient } from '@tanstack/react-query';
import type { CallView, SurfaceView, WsClientMessage, WsServerMessage } from '../../core/contracts/console.ts';
import { matchesFilter, mergeCalls, reachesKnown } from './callPages.ts';
import type { CallFilter, CallPages } from './callPages.ts';
import { setConnection } from './connection.ts';
import { FrameHub } from './frames.ts';
import { keys, staleAfter } from './keys.ts';
import { rest } from './rest.ts';
import { isRestError } from './restError.ts';
import { noteServerTime } from './serverClock.ts';
import { tokenRefused } from './token.ts';
import { ConsoleSocket } from './socket.ts';
import type { Wire } from './socket.ts';

/** Several events in one burst make one round of refetching. */
const BURST_MS = 20;
const CATCH_UP_PAGE = 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Events say when something is stale; nothing is polled.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => isRestError(error) && error.status === 0 && failures < 2,
    },
    mutations: { retry: false },
  },
});

let socket: ConsoleSocket | null = null;
export const sendLive = (message: WsClientMessage): boolean => socket?.send(message) ?? false;
export const frameHub = new FrameHub(sendLive);

let pending: ((queryKey: readonly unknown[]) => boolean)[] = [];
const markStale = (stale: (queryKey: readonly unknown[]) => boolean): void => {
  pending.push(stale);
  if (pending.length > 1) return;
  setTimeout(() => {
    const tests = pending;
    pending = [];
    void queryClient.invalidateQueries({ predicate: (query) => tests.some((test) => test(query.queryKey)) });
  }, BURST_MS);
};

/** What stands on a surface is read again once it has come to rest, by those who show it. */
const cameToRest = (before: SurfaceView | undefined, now: SurfaceView): boolean =>
  before !== undefined &&
  now.readiness === 'settled' &&
  (before.readiness !== 'settled' || before.address !== now.address || before.generation !== now.generation);

const putSurface = (surface: SurfaceView): void => {
  const before = queryClient
    .getQueryData<readonly SurfaceView[]>(keys.surfaces)
    ?.find((known) => known.id === surface.id);
  if (cameToRest(before, surface)) markStale(([name, id]) => name === 'targets' && id === surface.id);
  queryClient.setQueryData<readonly SurfaceView[]>(keys.surfaces, (known) => {
    if (known === undefined) return known;
    const at = known.findIndex((one) => one.id === surface.id);
    return at === -1 ? [...known, surface] : known.with(at, surface);
  });
};

const loadedCalls = (): readonly (readonly [CallFilter, CallPages])[] =>
  queryClient
    .getQueriesData<CallPages>({ queryKey: ['calls'] })
    .flatMap(([key, pages]) => (pages === undefined ? [] : [[key[1] as CallFilter, pages] as const]));

const putCalls = (filter: CallFilter, calls: readonly CallView[]): void => {
  queryClient.setQueryData<CallPages>(keys.calls(filter), (pages) =>
    pages === undefined ? pages : { ...pages, calls: mergeCalls(pages.calls, calls) },
  );
};

const putCall = (call: CallView): void => {
  for (const [filter] of loadedCalls()) if (matchesFilter(call, filter)) putCalls(filter, [call]);
  queryClient.setQueryData(keys.call(call.call_id), call);
};

/** Fetches from the newest call down to the newest one known, so that the trace has no hole after a disconnect. */
const catchUp = async (filter: CallFilter, known: readonly CallView[]): Promise<void> => {
  let cursor: string | undefined;
  for (;;) {
    const query = { ...filter, limit: CATCH_UP_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await rest('calls.list', { query });
    putCalls(filter, page.calls);
    cursor = page.next_cursor;
    if (cursor === undefined || reachesKnown(known, page.calls)) return;
  }
};

/** Surfaces and calls are told by volatile messages, which are not repeated after a disconnect. */
const refetchVolatile = (): void => {
  markStale(([name]) => name === 'surfaces' || name === 'system');
  for (const [filter, pages] of loadedCalls()) {
    catchUp(filter, pages.calls).catch(() => queryClient.invalidateQueries({ queryKey: keys.calls(filter) }));
  }
};

const refetchAll = (): void => {
  markStale(([name]) => name !== 'artifact' && name !== 'calls');
  refetchVolatile();
};

const onMessage = (message: WsServerMessage): void => {
  switch (message.type) {
    case 'ready':
    case 'pong':
      return noteServerTime(message.now);
    case 'event':
      return markStale(staleAfter(message.event.event_type));
    case 'surface':
      return putSurface(message.surface);
    case 'surface_removed':
      queryClient.setQueryData<readonly SurfaceView[]>(keys.surfaces, (known) =>
        known?.filter((surface) => surface.id !== message.surface_id),
      );
      return;
    case 'call':
      return putCall(message.call);
    case 'watch_ended':
      return frameHub.ended(message.surface_id, message.reason);
    case 'error':
      return;
  }
};

const openWire = (): Wire => {
  const url = new URL('/ws', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url) as Wire;
};

/** Keeps the console fed while a token is there. Call the result to stop. */
export const startLive = (token: string): (() => void) => {
  const current = new ConsoleSocket({
    token,
    open: openWire,
    handlers: {
      onStatus: setConnection,
      onMessage,
      onFrame: (bytes) => void frameHub.receive(bytes),
      onConnected: (how) => {
        if (how === 'fresh') refetchAll();
        else refetchVolatile();
        frameHub.resend();
      },
      onGap: refetchAll,
      onRefused: (refused) => void tokenRefused(refused),
    },
  });
  socket = current;
  current.connect();
  const retryNow = (): void => current.connect();
  window.addEventListener('online', retryNow);
  return () => {
    window.removeEventListener('online', retryNow);
    current.stop();
    socket = null;
  };
};
