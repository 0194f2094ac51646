import type { Receipt } from '../../core/contracts/operatorClass.ts';
import { connectAgent } from '../support/mcp.ts';
import { Operator } from '../support/operator.ts';
import { residentMiB } from '../support/processes.ts';
import { Signalbox } from '../support/signalbox.ts';
import { Site } from '../support/site/site.ts';
import { repeat } from './samples.ts';
import type { Measured } from './samples.ts';

/** A recorded answer that says less than the page did would make its time worthless. */
const expectChange = (receipt: Receipt, what: string): Receipt => {
  if (!receipt.changed || receipt.blocked_by !== undefined) throw new Error(`${what}: ${JSON.stringify(receipt)}`);
  return receipt;
};

const looks = async (operator: Operator, site: Site, n: number): Promise<readonly Measured[]> => {
  const url = site.page('controls', undefined, { n });
  const go = async (): Promise<void> => {
    expectChange(await operator.navigate(`${url}&run=${performance.now()}`), 'navigate');
  };
  const runs = n > 1_000 ? 12 : 30;
  const named = n.toLocaleString('en');
  const label = (what: string): string => `perceive, ${named} controls, ${what}`;
  const results = [
    await repeat(label('cold (first look after a navigation)'), { runs: 4, before: go }, () => operator.perceive()),
    await repeat(label('warm'), { runs, warmUp: 2 }, () => operator.perceive()),
    await repeat(label('warm, query'), { runs, warmUp: 2 }, () => operator.perceive({ query: `action ${n / 2 + 1}` })),
  ];
  const change = (await operator.find('change one')).ref;
  const insert = (await operator.find('insert a row')).ref;
  const after = (target: string) => ({
    runs: 8,
    warmUp: 1,
    before: async () => {
      expectChange(await operator.press(target), 'press before a look');
    },
  });
  results.push(
    await repeat(label('after one change'), after(change), () => operator.perceive()),
    await repeat(label('after one inserted row'), after(insert), () => operator.perceive()),
  );
  return results;
};

const acts = async (operator: Operator, site: Site): Promise<readonly Measured[]> => {
  const results: Measured[] = [];
  for (const n of [100, 10_000]) {
    await operator.navigate(site.page('controls', undefined, { n }));
    const { ref } = await operator.find('press me');
    const name = `act, synchronous change, page of ${n.toLocaleString('en')}`;
    results.push(
      await repeat(name, { runs: n > 1_000 ? 12 : 20, warmUp: 2 }, async () =>
        expectChange(await operator.press(ref), name),
      ),
    );
  }
  await operator.navigate(site.page('later'));
  for (const ms of [200, 800]) {
    const { ref } = await operator.find(`fetch in ${ms}`);
    const name = `act, change comes ${ms} ms later`;
    results.push(await repeat(name, { runs: 5, warmUp: 1 }, async () => expectChange(await operator.press(ref), name)));
  }
  await operator.navigate(site.page('form'));
  const email = (await operator.find('email')).ref;
  let typed = 0;
  results.push(
    await repeat('act, enter_text of 20 characters', { runs: 15, warmUp: 2 }, async () => {
      typed += 1;
      return expectChange(await operator.enter(email, `person-${typed}@example.com`), 'enter_text');
    }),
  );
  return results;
};

const others = async (operator: Operator, site: Site): Promise<readonly Measured[]> => {
  const { agent, surfaceId } = operator;
  const results: Measured[] = [];
  for (const page of ['form', 'stream', 'animation']) {
    await operator.navigate(site.page(page));
    results.push(
      await repeat(`settle, ${page} page`, { runs: 15, warmUp: 2 }, () =>
        agent.call('operator.settle', { surface_id: surfaceId }),
      ),
    );
  }
  await operator.navigate(site.page('form'));
  const size = await agent.call('operator.capture', { surface_id: surfaceId });
  results.push(
    await repeat(`capture, ${String(size['width'])}x${String(size['height'])}`, { runs: 15, warmUp: 2 }, async () => {
      await agent.raw('operator.capture', { surface_id: surfaceId });
    }),
    await repeat('list_surfaces (one round trip over HTTP)', { runs: 30, warmUp: 3 }, () =>
      agent.call('operator.list_surfaces'),
    ),
  );
  return results;
};

export interface SurfaceBench {
  readonly results: readonly Measured[];
  readonly facts: Readonly<Record<string, number>>;
}

/** The browser verbs over MCP on the running product, under `--auto-approve`: nobody is waited for. */
export const surfaceBench = async (onResults: (results: readonly Measured[]) => void): Promise<SurfaceBench> => {
  const site = await Site.start();
  const signalbox = await Signalbox.start({ args: ['--auto-approve'] });
  try {
    const connecting = performance.now();
    const agent = await connectAgent(signalbox, { agent: 'bench' });
    const tools = await agent.tools();
    const facts: Record<string, number> = {
      'connect and tools/list, ms': Math.round(performance.now() - connecting),
      'tools/list, tokens (bytes / 4)': Math.round(JSON.stringify(tools).length / 4),
      'memory of the server, idle, MiB': residentMiB(signalbox.pid),
    };
    const operator = new Operator(agent, await signalbox.browserId());
    const results: Measured[] = [];
    const keep = (more: readonly Measured[]): void => {
      results.push(...more);
      onResults(more);
    };
    keep(await looks(operator, site, 1_000));
    keep(await looks(operator, site, 10_000));
    facts['memory of the server, after the looks, MiB'] = residentMiB(signalbox.pid);
    keep(await acts(operator, site));
    keep(await others(operator, site));
    await agent.close();
    return { results, facts };
  } finally {
    await signalbox.stop();
    await site[Symbol.asyncDispose]();
  }
};
