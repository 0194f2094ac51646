import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PerceiveOutput, Receipt, TargetObject } from '../../core/contracts/operatorClass.ts';
import type { Surface, SurfaceProvider } from '../../core/kernel/ports.ts';
import { randomIds } from '../../core/stores/files/randomIds.ts';
import { createBrowserProvider } from '../../core/surfaces/browser/browserProvider.ts';
import { Worked } from './browserSurface.ts';
import { ChromiumSide } from './chromiumSide.ts';
import type { SiteEntry } from './site/site.ts';
import { Site } from './site/site.ts';

/** One Chromium and one site for the situations of a file. */
export class TrapBench implements AsyncDisposable {
  readonly site: Site;
  readonly side: ChromiumSide;
  readonly folder: string;
  readonly provider: SurfaceProvider;
  readonly opened: Surface[] = [];
  readonly backgroundErrors: unknown[] = [];
  #sessions = 0;

  private constructor(site: Site, side: ChromiumSide, folder: string, blockedPorts: readonly number[]) {
    this.site = site;
    this.side = side;
    this.folder = folder;
    this.provider = createBrowserProvider({
      ids: randomIds(),
      downloads: path.join(folder, 'downloads'),
      profiles: path.join(folder, 'profiles'),
      uploads: folder,
      executablePath: side.executablePath,
      blockedPorts: () => blockedPorts,
      onBackgroundError: (error) => this.backgroundErrors.push(error),
    });
    this.provider.onOpened((surface) => this.opened.push(surface));
  }

  static async start(blockedPorts: readonly number[] = []): Promise<TrapBench> {
    const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-traps-'));
    return new TrapBench(await Site.start(), await ChromiumSide.prepare(folder), folder, blockedPorts);
  }

  /** A surface on a page of `traps/`, with a log of its own. */
  async open(page: string, query: Record<string, string | number> = {}): Promise<TrapPage> {
    this.#sessions += 1;
    const session = `trap-${this.#sessions}`;
    const url = this.site.page(`traps/${page}`, session, query);
    return new TrapPage(await this.provider.open({ kind: 'browser', url }), this, session);
  }

  /** The same surface on another page: for what only reads. */
  async visit(before: TrapPage | null, page: string, query: Record<string, string | number>): Promise<TrapPage> {
    if (before === null) return this.open(page, query);
    this.#sessions += 1;
    const session = `trap-${this.#sessions}`;
    const visited = new TrapPage(before.surface, this, session);
    await visited.navigate(this.site.page(`traps/${page}`, session, query));
    return visited;
  }

  /** A tab that a page opened, telling to the log of its opener. */
  popup(of: TrapPage, index = 0): TrapPage {
    const surfaces = this.opened.filter((surface) => surface.describe().opener === of.surface.id);
    const surface = surfaces[index];
    if (surface === undefined) throw new Error(`${surfaces.length} tabs were opened`);
    return new TrapPage(surface, this, of.session);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.side[Symbol.asyncDispose]();
    await this.provider.close();
    await this.site[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** In a page: every document of this target that we can look into, and how much it has logged. */
const COUNT_LOGS = `(() => {
  const found = [];
  const visit = (window) => {
    try {
      if (window.__doc) found.push([window.__doc, window.__log.length]);
    } catch { return; }
    for (let i = 0; i < window.length; i++) visit(window[i]);
  };
  visit(window);
  return found;
})()`;

export class TrapPage extends Worked {
  readonly session: string;
  readonly #bench: TrapBench;

  constructor(surface: Surface, bench: TrapBench, session: string) {
    super(surface);
    this.#bench = bench;
    this.session = session;
  }

  get site(): Site {
    return this.#bench.site;
  }

  /** Waits until all that the living documents of this session have logged has arrived. */
  async arrived(): Promise<void> {
    const { side, site } = this.#bench;
    const targets = (await side.targets()).filter(({ url }) => url.includes(`s=${this.session}`));
    const counts = await Promise.all(
      targets.map(({ targetId }) => side.evaluate<[string, number][]>(targetId, COUNT_LOGS)),
    );
    const told = (doc: string): number => site.log(this.session).filter((entry) => entry.doc === doc).length;
    const all = (): boolean => counts.flat().every(([doc, count]) => told(doc) >= count);
    await site.until(all, `the log of ${this.session}`);
  }

  /** What the page received, in short words: `click pay`, `input name=Zoë`, `keydown Enter`. */
  async heard(...types: string[]): Promise<string[]> {
    await this.arrived();
    const entries = this.site.inputs(this.session);
    return entries.filter(({ type }) => types.length === 0 || types.includes(type)).map(words);
  }

  /** Presses alone: which elements a mouse button went down on. */
  async pressed(): Promise<string[]> {
    await this.arrived();
    return this.site.inputs(this.session).flatMap(({ type, target }) => (type === 'mousedown' ? [target ?? ''] : []));
  }

  /** What the page's own code did. */
  async did(what?: string): Promise<unknown[]> {
    await this.arrived();
    return this.site.did(this.session, what).map((entry) => (what === undefined ? entry.what : entry.data));
  }

  /** Evaluates in the page itself, beside the product. */
  async truth<T>(expression: string): Promise<T> {
    const targets = await this.#bench.side.targets();
    const target = targets.find(({ type, url }) => type === 'page' && url.includes(`s=${this.session}`));
    if (target === undefined) throw new Error(`no page of ${this.session}`);
    return this.#bench.side.evaluate<T>(target.targetId, expression);
  }

  /** Changes the page between two calls of the agent. */
  async tell(name: string, data: unknown = null): Promise<void> {
    await this.site.tell(this.session, name, data);
  }

  /** `role "name"` of everything listed, but the browser's own controls. */
  async listed(input: Parameters<Worked['perceive']>[0] = {}): Promise<string[]> {
    return said(await this.perceive(input));
  }

  async settle(waitMs = 5_000): Promise<Awaited<ReturnType<Surface['settle']>>> {
    return this.surface.settle({ surface_id: this.surface.id, wait_ms: waitMs }, this.ctx);
  }

  /** Perceives until a query finds something: frames come when they come. */
  async await(query: string): Promise<TargetObject> {
    await expect
      .poll(async () => (await this.perceive({ query })).targets.length, { timeout: 10_000 })
      .toBeGreaterThan(0);
    return this.find(query);
  }
}

export const said = ({ targets }: PerceiveOutput): string[] =>
  targets
    .filter(({ ref }) => !['page', 'back', 'forward', 'reload'].includes(ref))
    .map(({ role, name }) => (name === undefined ? role : `${role} "${name}"`));

export const details = ({ effects }: Pick<Receipt, 'effects'>): string[] => (effects ?? []).map(({ detail }) => detail);
export const kinds = ({ effects }: Pick<Receipt, 'effects'>): string[] => (effects ?? []).map(({ kind }) => kind);

const words = ({ type, target, trusted, key, value }: SiteEntry): string => {
  const what = key ?? (value === undefined ? target : `${target}=${JSON.stringify(value)}`);
  return `${type} ${what}${trusted === true ? '' : ' (untrusted)'}`;
};

type Situation = (page: TrapPage) => Promise<void>;

/** Declares the situations of a file; `bench` is there once they run. */
export const trapSuite = (blockedPorts: () => Promise<readonly number[]> = async () => []) => {
  let visited: TrapPage | null = null;
  const suite = {
    bench: null as unknown as TrapBench,
    /** A situation that only reads: all of them in one surface, one page after another. */
    visit(title: string, page: string, query: Record<string, string | number>, run: Situation): void {
      test(title, async () => {
        visited = await suite.bench.visit(visited, page, query);
        await run(visited);
      });
    },
    trap(title: string, page: string | [string, Record<string, string | number>], run: Situation): void {
      test(title, async () => {
        const [name, query] = typeof page === 'string' ? [page, {}] : page;
        const opened = await suite.bench.open(name, query);
        try {
          await run(opened);
        } finally {
          await Promise.all(suite.bench.opened.splice(0).map((surface) => surface.close()));
          await opened.surface.close();
        }
      });
    },
  };
  beforeAll(async () => {
    suite.bench = await TrapBench.start(await blockedPorts());
  });
  afterAll(async () => {
    await suite.bench[Symbol.asyncDispose]();
    expect(suite.bench.backgroundErrors).toEqual([]);
  });
  return suite;
};
