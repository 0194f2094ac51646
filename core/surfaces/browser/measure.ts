import type { Effect, Readiness } from '../../contracts/operatorClass.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';
import type { PageHost } from './pageHost.ts';
import type { Changes, PageEffect, PageReading } from './pageProtocol.ts';
import { settlePage } from './settlePage.ts';
import type { SettleLimits, SettleMark } from './settlePage.ts';

/** Effects listed in one receipt. */
const EFFECTS_LISTED = 12;

export interface Measured {
  readonly changed: boolean;
  readonly effects: readonly Effect[];
  readonly valueAfter?: string;
  /** What the target reads now; a new name counts as shown. */
  readonly reading?: PageReading;
}

interface Target {
  readonly document: PageDocument;
  readonly ref: string;
}

const unlessGone = async <T>(document: PageDocument, call: () => Promise<T>): Promise<T | null> => {
  try {
    await document.ready;
    return await call();
  } catch (error) {
    if (error instanceof DocumentGone) return null;
    throw error;
  }
};

/** What timers and the page itself did since the last receipt. Not to be asked while a dialog is open. */
export const takeLateEffects = async (host: PageHost): Promise<Effect[]> => {
  const late = host.frames.documents().map((document) => unlessGone(document, () => document.call('lateEffects')));
  const found = (await Promise.all(late)).flatMap((effects) => effects ?? []);
  return [...(await describeNavigation(host, host.effects.take())), ...found].slice(0, EFFECTS_LISTED);
};

/** A navigation is told with the title the page has got by now. */
const describeNavigation = async (host: PageHost, effects: readonly Effect[]): Promise<Effect[]> => {
  if (effects.some(({ kind }) => kind === 'navigated')) await host.readTitle();
  return effects.map((effect) => {
    if (effect.kind !== 'navigated' || effect.detail !== host.url) return effect;
    const title = host.title === '' ? '' : `"${host.title}" `;
    const failed = host.failure ?? (host.status !== null && host.status >= 400 ? `HTTP ${host.status}` : null);
    return { ...effect, detail: `${title}${host.url}${failed === null ? '' : ` (${failed})`}` };
  });
};

/** Measures what one input changed, over every frame of the page. */
export class Measure {
  readonly lateEffects: readonly Effect[];
  readonly #host: PageHost;
  readonly #target: Target | null;
  readonly #mark: SettleMark;
  readonly #begun: readonly PageDocument[];
  #released = false;

  private constructor(
    host: PageHost,
    target: Target | null,
    begun: readonly PageDocument[],
    lateEffects: readonly Effect[],
  ) {
    this.#host = host;
    this.#target = target;
    this.#begun = begun;
    this.lateEffects = lateEffects;
    this.#mark = { requests: host.requests.mark(), loads: host.loads };
  }

  /** Call when everything is checked, just before the input. */
  static async begin(host: PageHost, target: Target | null): Promise<Measure> {
    // A dialog of the page's own making: what its answer leads to is found afterwards, as late effects are.
    const documents = host.dialogs.open === null ? host.frames.documents() : [];
    const late = documents.map((document) =>
      unlessGone(document, () =>
        document.run<PageEffect[]>(
          '(params) => { const late = A.lateEffects(); A.begin(params); return late; }',
          target?.document === document ? { ref: target.ref } : {},
        ),
      ),
    );
    const inPage = (await Promise.all(late)).flatMap((effects) => effects ?? []);
    const lateEffects = [...(await describeNavigation(host, host.effects.take())), ...inPage].slice(0, EFFECTS_LISTED);
    return new Measure(host, target, documents, lateEffects);
  }

  settle(limits: SettleLimits): Promise<Readiness> {
    return settlePage(this.#host, this.#mark, () => this.#watched(), limits);
  }

  /** Ends the measuring. While a dialog is open the page cannot be asked: only what the browser knows. */
  async end(reader: string): Promise<Measured> {
    this.#release();
    const asked = this.#host.dialogs.open === null && this.#host.end === null ? this.#begun : [];
    const answers = await Promise.all(
      asked.map(async (document) => ({
        document,
        changes: document.alive ? await unlessGone(document, () => document.call('end', { reader })) : null,
      })),
    );
    const around = await this.#framesAround();
    const changes = answers.flatMap((answer) =>
      answer.changes === null ? [] : [withoutFocusOf(around, answer.changes)],
    );
    const own =
      changes[
        answers
          .filter((answer) => answer.changes !== null)
          .findIndex(({ document }) => document === this.#target?.document)
      ];
    if (this.#begun.length === 0 && this.#host.dialogs.open === null && this.#host.end === null) {
      const effects = await takeLateEffects(this.#host);
      return { changed: effects.length > 0, effects };
    }
    const told = await describeNavigation(this.#host, [...this.#host.effects.take(), ...this.#mainReplaced()]);
    const browser = [
      ...told.filter((effect, i) => !isNavigation(effect) || i === told.findIndex(isNavigation)),
      ...this.#frameLeft(),
    ];
    const effects = [...browser, ...(own?.effects ?? []), ...othersOf(changes, own)];
    return {
      changed: browser.some(({ kind }) => kind !== 'background') || changes.some(({ changed }) => changed),
      effects: effects.slice(0, EFFECTS_LISTED),
      ...(own?.valueAfter !== undefined && { valueAfter: own.valueAfter }),
      ...(own?.reading !== undefined && { reading: own.reading }),
    };
  }

  /** Nothing was sent after all, or the outcome is unclear: what happens from now on is the page's own. */
  drop(): void {
    this.#release();
  }

  /** Another document at the same address, as a `javascript:` link may write it: no navigation is told of. */
  #mainReplaced(): Effect[] {
    const main = this.#begun.find(({ frameId }) => frameId === this.#host.frames.mainId);
    return main === undefined || main.alive ? [] : [{ kind: 'navigated', detail: this.#host.url }];
  }

  /** The target's frame holds another document now, or is gone. */
  #frameLeft(): Effect[] {
    const target = this.#target;
    if (target === null || target.document.alive || target.document.frameId === this.#host.frames.mainId) return [];
    const frame = this.#host.frames.frame(target.document.frameId);
    return frame === null
      ? [{ kind: 'structure', detail: 'its frame is gone' }]
      : [{ kind: 'navigated', detail: `frame: ${frame.url}` }];
  }

  /** Refs of the iframe elements the target lives in. */
  async #framesAround(): Promise<ReadonlySet<string>> {
    const refs = new Set<string>();
    let frame = this.#target === null ? null : this.#host.frames.frame(this.#target.document.frameId);
    while (frame?.slot != null) {
      const ref = await frame.slot.ref.catch(() => null);
      if (ref !== null) refs.add(ref);
      frame = frame.parentId === null ? null : this.#host.frames.frame(frame.parentId);
    }
    return refs;
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#host.requests.release();
  }

  /** The main document and the target's, with the frames between; others may be throttled and never rest. */
  #watched(): PageDocument[] {
    const watched = new Set<PageDocument>();
    let frame = this.#target === null ? null : this.#host.frames.frame(this.#target.document.frameId);
    while (frame !== null) {
      if (frame.document !== null) watched.add(frame.document);
      frame = frame.parentId === null ? null : this.#host.frames.frame(frame.parentId);
    }
    const main = this.#host.frames.main?.document ?? null;
    if (main === null) return [];
    watched.add(main);
    return [...watched];
  }
}

/** That a frame takes the focus along with the target inside it is no change. */
const withoutFocusOf = (frames: ReadonlySet<string>, changes: Changes): Changes => {
  const effects = changes.effects.filter(
    ({ kind, ref }) => kind !== 'focus_moved' || ref === undefined || !frames.has(ref),
  );
  if (effects.length === changes.effects.length) return changes;
  return { ...changes, effects, changed: effects.some(({ kind }) => kind !== 'background') };
};

const isNavigation = ({ kind }: Effect): boolean => kind === 'navigated';

const othersOf = (all: readonly Changes[], own: Changes | null | undefined): PageEffect[] =>
  all.filter((changes) => changes !== own).flatMap(({ effects }) => effects);
