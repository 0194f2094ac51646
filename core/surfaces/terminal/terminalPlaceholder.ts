import { randomUUID } from 'node:crypto';
import { SignalboxError } from '../../contracts/errors.ts';
import type { OpenSurfaceInput } from '../../contracts/ownTools.ts';
import type { Surface, SurfaceDescription, SurfaceProvider } from '../../kernel/ports.ts';
import { createListeners } from '../common/listeners.ts';

/** Holds the terminal's place in the list until it can be worked: listed, and every verb refused. */
const refuse = async (): Promise<never> => {
  throw new SignalboxError(
    'NOT_SUPPORTED',
    'The terminal surface is not available in this version. Call operator.list_surfaces and choose a browser surface.',
    { details: { degrades_to: null } },
  );
};

const createTerminalSurface = (input: OpenSurfaceInput): Surface => {
  const id = `terminal_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const changes = createListeners<void>();
  let state: SurfaceDescription['state'] = 'idle';
  return {
    id,
    kind: 'terminal',
    facets: [],
    describe: () => ({
      id,
      kind: 'terminal',
      label: input.label ?? 'Terminal',
      facets: [],
      readiness: 'settled',
      generation: 1,
      state,
      badges: ['Arrives with the terminal part'],
      live: false,
    }),
    perceive: refuse,
    settle: refuse,
    capture: refuse,
    preflight: refuse,
    perform: refuse,
    input: refuse,
    snapshot: async () => null,
    watch: () => ({ [Symbol.dispose]: () => undefined }),
    onChange: (listener) => changes.add(listener),
    close: async () => {
      if (state === 'gone') return;
      state = 'gone';
      changes.tell();
    },
  };
};

export const createTerminalProvider = (): SurfaceProvider => ({
  kind: 'terminal',
  open: async (input) => createTerminalSurface(input),
  onOpened: () => ({ [Symbol.dispose]: () => undefined }),
  close: async () => undefined,
});
