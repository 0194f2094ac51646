import { expect, test } from 'vitest';
import { createTerminalProvider } from './terminalPlaceholder.ts';

const ctx = {
  signal: new AbortController().signal,
  principal: { type: 'agent', id: 'default' },
  callId: 'call_1',
} as const;

test('the terminal is listed as idle and says on every verb that it is not available and what is', async () => {
  const provider = createTerminalProvider();
  const surface = await provider.open({ kind: 'terminal', label: 'Shell' });

  expect(surface.describe()).toMatchObject({
    kind: 'terminal',
    label: 'Shell',
    state: 'idle',
    facets: [],
    live: false,
  });
  expect(surface.describe().badges).toEqual(['Arrives with the terminal part']);
  const surface_id = surface.id;
  const calls = [
    surface.perceive({ surface_id, limit: 50 }, ctx),
    surface.settle({ surface_id, wait_ms: 0 }, ctx),
    surface.capture(ctx),
    surface.preflight({ verb: 'operator.act', args: { surface_id, target: 'page', action: 'press' } }, ctx),
  ];
  for (const call of calls)
    await expect(call).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message: expect.stringContaining('list_surfaces'),
    });
  expect(await surface.snapshot()).toBeNull();
});

test('closing it tells those who listen', async () => {
  const surface = await createTerminalProvider().open({ kind: 'terminal' });
  let told = 0;
  surface.onChange(() => (told += 1));
  await surface.close();
  await surface.close();
  expect(told).toBe(1);
  expect(surface.describe().state).toBe('gone');
});
