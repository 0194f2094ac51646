import type {
  FrameSlot,
  ListedTarget,
  PageReading,
  PageTarget,
  PerceiveOmitted,
  PerceiveParams,
  PerceiveResult,
} from '../pageProtocol.ts';
import { Clips, boxOf, faceOf, isDrawn } from './boxes.ts';
import type { Describer } from './describeTarget.ts';
import { deepActive, flatContains } from './dom.ts';
import type { Entry } from './entry.ts';
import { entriesInView } from './inView.ts';
import type { PageIndex } from './pageIndex.ts';
import { readableText } from './readableText.ts';
import type { Refs } from './refs.ts';
import { search } from './search.ts';
import { VirtualRows, declaredExtent, guessedNote } from './virtualLists.ts';

/** Lists kept to be continued; older ones are dropped. */
const LISTS_KEPT = 16;
interface List {
  readonly entries: readonly Entry[];
  readonly tier: number;
}

/** `perceive`: which targets, in which order, and what is left out. */
export class Listing {
  readonly #index: PageIndex;
  readonly #describer: Describer;
  readonly #refs: Refs;
  readonly #lists = new Map<string, List>();
  #nextList = 1;

  constructor(index: PageIndex, describer: Describer, refs: Refs) {
    this.#index = index;
    this.#describer = describer;
    this.#refs = refs;
  }

  perceive(params: PerceiveParams): PerceiveResult {
    this.#index.update();
    if (params.list !== undefined) return this.#continue(params.list, params);
    const modal = modalDialog();
    const { list, hidden } = this.#makeList(params.query, modal);
    const result = this.#page(list, params, 0);
    const reading =
      params.query === undefined && params.textLimit > 0 && document.body
        ? readableText(modal ?? document.body, params.textLimit)
        : null;
    const omitted = this.#omitted(result, hidden + result.hidden + (reading?.hidden ?? 0));
    return this.#answer(result, list, omitted, reading === null ? {} : { text: reading.text });
  }

  #continue(id: string, params: PerceiveParams): PerceiveResult {
    const list = this.#lists.get(id);
    if (!list) {
      const none = { targets: [], hidden: 0, gone: 0, virtual: 0, more: 0 };
      return this.#answer(none, { entries: [], tier: -1 }, {}, { listKnown: false });
    }
    const result = this.#page(list, params, params.offset ?? 0);
    return this.#answer(result, list, this.#omitted(result, result.hidden), { listKnown: true, gone: result.gone }, id);
  }

  #answer(
    page: ListPage,
    list: List,
    omitted: PerceiveOmitted,
    more: Partial<PerceiveResult>,
    id: string | null = null,
  ): PerceiveResult {
    return {
      targets: page.targets,
      total: list.entries.length - page.hidden - page.gone,
      tier: list.tier,
      omitted,
      ...(page.more > 0 ? { list: id ?? this.#keep(list) } : {}),
      frames: this.#frames(),
      page: this.#describer.document(),
      ...more,
    };
  }

  #keep(list: List): string {
    const id = `${this.#refs.prefix}l${this.#nextList++}`;
    this.#lists.set(id, list);
    const oldest = this.#lists.keys().next().value;
    if (this.#lists.size > LISTS_KEPT && oldest !== undefined) this.#lists.delete(oldest);
    return id;
  }

  #makeList(query: string | undefined, modal: Element | null): { list: List; hidden: number } {
    const entries = this.#index.entries();
    const matched =
      query === undefined
        ? { tier: 0, entries: entries.filter((entry) => entry.kind === 'target') }
        : search(query, entries, this.#index.names);
    const shown = matched.entries.filter(
      (entry) => !entry.hidden && (modal === null || flatContains(modal, entry.element)),
    );
    const hidden = matched.entries.length - shown.length;
    const inView = entriesInView(shown, this.#index.fixed);
    const clips = new Clips();
    const first = inView.filter((entry) => this.#isInView(entry, clips));
    const firstSet = new Set(first);
    const ordered = first.length === 0 ? shown : [...first, ...shown.filter((entry) => !firstSet.has(entry))];
    return { list: { entries: ordered, tier: ordered.length === 0 ? -1 : matched.tier }, hidden };
  }

  #isInView(entry: Entry, clips: Clips): boolean {
    const face = faceOf(entry.element);
    return clips.visiblePart(face, boxOf(face)) !== null;
  }

  #page(list: List, params: PerceiveParams, offset: number): ListPage {
    const targets: ListedTarget[] = [];
    const clips = new Clips();
    const active = deepActive();
    let hidden = 0;
    let gone = 0;
    let virtual = 0;
    const rows = new VirtualRows();
    let at = offset;
    for (; at < list.entries.length && targets.length < params.limit; at++) {
      const entry = list.entries[at];
      if (!entry?.element.isConnected) gone++;
      else if (!isDrawn(entry.element) && !isDrawn(faceOf(entry.element))) hidden++;
      else {
        const target = this.#describer.target(entry.element, clips, active);
        const extent = rows.extentAround(entry.element);
        const declared = declaredExtent(entry.element, entry.role);
        for (const { rendered, total } of [extent, declared].filter((one) => one !== null)) virtual += total - rendered;
        this.#refs.show(entry, params.reader, readingOf(target));
        if (target.bounds) entry.box = { ...boxOf(entry.element), at: performance.now() };
        targets.push({
          ...withNote(target, extent && guessedNote(extent)),
          tier: list.tier,
          order: entry.position,
          at,
        });
      }
    }
    return { targets, hidden, gone, virtual, more: list.entries.length - at };
  }

  #omitted(page: ListPage, hidden: number): PerceiveOmitted {
    return {
      ...(hidden > 0 ? { hidden } : {}),
      ...(page.more > 0 ? { offscreen_beyond_limit: page.more } : {}),
      ...(page.virtual > 0 ? { virtual: page.virtual } : {}),
    };
  }

  #frames(): FrameSlot[] {
    const slots: FrameSlot[] = [];
    for (const entry of this.#index.entries()) {
      if (entry.kind === 'frame') slots.push(this.frameSlot(entry.element, entry));
    }
    return slots;
  }

  frameSlot(element: Element, entry: Entry): FrameSlot {
    return {
      slot: this.#refs.of(element),
      order: entry.position,
      visible: !entry.hidden && isDrawn(element),
      content: contentBox(element),
    };
  }
}

interface ListPage {
  readonly targets: ListedTarget[];
  readonly hidden: number;
  readonly gone: number;
  /** Rows of the lists shown that are not rendered. */
  readonly virtual: number;
  readonly more: number;
}

function withNote(target: PageTarget, note: string | null): PageTarget {
  if (note === null) return target;
  return { ...target, note: target.note === undefined ? note : `${target.note}; ${note}` };
}

function readingOf(target: PageTarget): PageReading {
  const { ref, role, name, row } = target;
  return { ref, role, ...(name === undefined ? {} : { name }), ...(row === undefined ? {} : { row }) };
}

/** The modal dialog on top: everything outside it is inert. */
export function modalDialog(): Element | null {
  const open = document.querySelectorAll('dialog:modal');
  return open[open.length - 1] ?? null;
}

/** Where a frame's own viewport lies, inside border and padding. */
export function contentBox(element: Element): { x: number; y: number; width: number; height: number } {
  const box = boxOf(element);
  const style = getComputedStyle(element);
  const layoutWidth = (element as HTMLElement).offsetWidth;
  // A scaled frame has its border and padding scaled.
  const scale = layoutWidth > 0 ? box.width / layoutWidth : 1;
  const side = (name: 'Left' | 'Top' | 'Right' | 'Bottom') =>
    scale * ((Number.parseFloat(style[`border${name}Width`]) || 0) + (Number.parseFloat(style[`padding${name}`]) || 0));
  const left = side('Left');
  const above = side('Top');
  return {
    x: box.x + left,
    y: box.y + above,
    width: Math.max(0, box.width - left - side('Right')),
    height: Math.max(0, box.height - above - side('Bottom')),
  };
}
