import { parseOrThrow } from '../../contracts/parse.ts';
import { routes } from '../../contracts/routes.ts';
import { bearerToken } from '../auth.ts';
import { followEvents } from '../eventFeed.ts';
import type { HandlerDeps } from './handlerDeps.ts';

const heartbeatMs = 15_000;

/** `Last-Event-ID` (a reconnecting EventSource) wins over `?after=`; neither means the whole log. */
const startPosition = (after: number | undefined, request: Request): number => {
  const last = request.headers.get('last-event-id');
  if (last === null || last === '') return after ?? 0;
  return parseOrThrow(routes.events.query, { after: last }, 'Last-Event-ID header').after ?? 0;
};

/** The log as Server-Sent Events: `id` is the position, `data` the envelope. */
export const eventStream = (deps: HandlerDeps, after: number | undefined, request: Request): Response => {
  const position = startPosition(after, request);
  const token = bearerToken(request.headers.get('authorization')) ?? '';
  const end = new AbortController();
  const signal = AbortSignal.any([request.signal, deps.stopping, end.signal]);
  const events = followEvents(deps, position, signal);
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;

  /** A revoked or expired token ends its stream. */
  const beat = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    if ((await deps.kernel.authenticate(token)) === null) end.abort();
    else if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': still here\n\n'));
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode('retry: 1000\n\n'));
      heartbeat = setInterval(() => {
        beat(controller).catch((err: unknown) => deps.log.warn({ err }, 'event stream heartbeat failed'));
      }, heartbeatMs).unref();
    },
    pull: async (controller) => {
      const next = await events.next();
      if (next.done !== true) {
        const { seq, event } = next.value;
        controller.enqueue(encoder.encode(`id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`));
        return;
      }
      clearInterval(heartbeat);
      controller.close();
    },
    cancel: () => {
      clearInterval(heartbeat);
      end.abort();
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
};
