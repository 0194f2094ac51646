import type { Browser, CDPSession, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findChromium } from '../../core/surfaces/browser/findChromium.ts';
import { pageAgentSource } from '../../core/surfaces/browser/pageAgent.generated.js';
import type {
  Changes,
  CheckParams,
  CheckResult,
  ListedTarget,
  PageAgent,
  PerceiveParams,
  PerceiveResult,
} from '../../core/surfaces/browser/pageProtocol.ts';

/** Chromium with the page agent in an isolated world, spoken to as the host does. */
export async function launchAgentBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
}

type Method = Exclude<keyof PageAgent, 'version'>;

export class AgentPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  #world = 0;
  #worlds = 0;
  #frameId = '';

  private constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.cdp = cdp;
  }

  static async open(browser: Browser, html: string): Promise<AgentPage> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const agentPage = new AgentPage(page, await page.context().newCDPSession(page));
    await page.setContent(html);
    await agentPage.inject();
    return agentPage;
  }

  /** Runs `look` against an agent that has just come to the page. */
  async inFreshWorld<T>(look: () => Promise<T>): Promise<T> {
    const kept = this.#world;
    await this.inject(`fresh${++this.#worlds}`, `fresh${this.#worlds}`);
    try {
      return await look();
    } finally {
      this.#world = kept;
    }
  }

  async inject(prefix = 'e', worldName = 'signalbox'): Promise<void> {
    const { frameTree } = await this.cdp.send('Page.getFrameTree');
    this.#frameId = frameTree.frame.id;
    const world = await this.cdp.send('Page.createIsolatedWorld', { frameId: this.#frameId, worldName });
    this.#world = world.executionContextId;
    await this.cdp.send('Runtime.evaluate', { expression: pageAgentSource, contextId: this.#world });
    await this.call('install', { prefix });
  }

  async call<M extends Method>(
    method: M,
    ...args: Parameters<PageAgent[M]>
  ): Promise<Awaited<ReturnType<PageAgent[M]>>> {
    const { result, exceptionDetails } = await this.cdp.send('Runtime.callFunctionOn', {
      functionDeclaration: '(method, ...args) => globalThis.__signalbox[method](...args)',
      executionContextId: this.#world,
      arguments: [method, ...args].map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Awaited<ReturnType<PageAgent[M]>>;
  }

  /** Processor milliseconds a method takes in the page: other work on the machine does not count. */
  async time(method: Method, params: unknown): Promise<number> {
    await this.cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await this.#busy();
    await this.cdp.send('Runtime.callFunctionOn', {
      functionDeclaration: '(method, params) => void globalThis.__signalbox[method](params)',
      executionContextId: this.#world,
      arguments: [{ value: method }, { value: params }],
      returnByValue: true,
    });
    return (await this.#busy()) - before;
  }

  async #busy(): Promise<number> {
    const { metrics } = await this.cdp.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0) * 1_000;
  }

  async perceive(params: Partial<PerceiveParams> = {}): Promise<PerceiveResult> {
    return this.call('perceive', { limit: 50, textLimit: 1_200, reader: 'a', ...params });
  }

  /** `role "name"` of every target. */
  async list(params: Partial<PerceiveParams> = {}): Promise<string[]> {
    return (await this.perceive(params)).targets.map(said);
  }

  /** The one target a query finds. */
  async find(query: string, reader = 'a'): Promise<ListedTarget> {
    const { targets } = await this.perceive({ query, reader });
    if (targets.length !== 1) throw new Error(`"${query}" finds ${targets.length}: ${targets.map(said).join(', ')}`);
    return targets[0] as ListedTarget;
  }

  /** Joins a ref to Chromium's own trees. */
  async backendNodeId(ref: string): Promise<number> {
    const { result } = await this.cdp.send('Runtime.callFunctionOn', {
      functionDeclaration: '(ref) => globalThis.__signalbox.element(ref)',
      executionContextId: this.#world,
      arguments: [{ value: ref }],
    });
    const { node } = await this.cdp.send('DOM.describeNode', { objectId: result.objectId ?? '' });
    return node.backendNodeId;
  }

  /** As the host does: suspects from the agent, their roots from the browser. */
  async adoptClosedRoots(): Promise<void> {
    const call = (functionDeclaration: string, objectId: string) =>
      this.cdp.send('Runtime.callFunctionOn', {
        functionDeclaration,
        executionContextId: this.#world,
        arguments: [{ objectId }],
      });
    const { result: hosts } = await this.cdp.send('Runtime.evaluate', {
      expression: 'globalThis.__signalbox.closedRootHosts()',
      contextId: this.#world,
    });
    const { result } = await this.cdp.send('Runtime.getProperties', {
      objectId: hosts.objectId ?? '',
      ownProperties: true,
    });
    for (const { name, value } of result) {
      if (!/^\d+$/.test(name) || value?.objectId === undefined) continue;
      const { node } = await this.cdp.send('DOM.describeNode', { objectId: value.objectId });
      const closed = node.shadowRoots?.find((root) => root.shadowRootType === 'closed');
      if (!closed) continue;
      const { object } = await this.cdp.send('DOM.resolveNode', {
        backendNodeId: closed.backendNodeId,
        executionContextId: this.#world,
      });
      await call('(root) => globalThis.__signalbox.adoptClosedRoot(root)', object.objectId ?? '');
    }
  }

  async check(ref: string, params: Partial<CheckParams> = {}): Promise<CheckResult> {
    return this.call('check', { ref, reader: 'a', action: 'press', ...params });
  }

  /** Check, press, measure: the host's path in small. */
  async press(ref: string, reader = 'a'): Promise<Changes> {
    const ready = await this.check(ref, { reader });
    if (ready.status !== 'ready') throw new Error(JSON.stringify(ready));
    return this.act(ref, () => this.page.mouse.click(ready.point.x, ready.point.y), reader);
  }

  async act(ref: string, input: () => Promise<unknown>, reader = 'a'): Promise<Changes> {
    await this.call('begin', { ref });
    await input();
    await this.call('quiet', { timeoutMs: 3_000 });
    return this.call('end', { reader });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

export function said(target: { readonly role: string; readonly name?: string }): string {
  return target.name === undefined ? target.role : `${target.role} "${target.name}"`;
}
