import type { Changes, PageEffect, QuietResult } from '../pageProtocol.ts';
import { Background } from './background.ts';
import { ChangeWindow } from './changeWindow.ts';
import type { ControlStates } from './controlStates.ts';
import { controlStates } from './controlStates.ts';
import type { Describer } from './describeTarget.ts';
import { deepActive, flatContains, idRefs, isElement } from './dom.ts';
import type { Act } from './effects.ts';
import { EffectTeller } from './effects.ts';
import { nextFrame, runningAnimations } from './frames.ts';
import type { PageIndex } from './pageIndex.ts';
import type { Refs } from './refs.ts';
import { valueOf } from './values.ts';

const QUIET_FRAMES = 2;

interface Measured {
  readonly window: ChangeWindow;
  readonly controls: ControlStates;
}

/** Measures what an input changes, and keeps what changes between inputs apart. */
export class Recorder {
  readonly #index: PageIndex;
  readonly #refs: Refs;
  readonly #describer: Describer;
  readonly #background = new Background();
  readonly #teller: EffectTeller;
  readonly #flush: () => void;
  readonly #positions = new WeakMap<Element, { x: number; y: number }>();
  #measured: Measured | null = null;
  #act: Act | null = null;
  #focusBefore: Element | null = null;
  #animationsBefore = new Set<Animation>();
  /** Counts relevant mutations, for `quiet`. */
  #moves = 0;

  constructor(index: PageIndex, refs: Refs, describer: Describer, flush: () => void) {
    this.#index = index;
    this.#refs = refs;
    this.#describer = describer;
    this.#flush = flush;
    this.#teller = new EffectTeller(index, describer, this.#background);
  }

  note(records: readonly MutationRecord[]): void {
    const now = performance.now();
    const wasHidden = (element: Element) => this.#index.hiddenRoots.has(element);
    for (const record of records) {
      const element = changedElement(record);
      if (this.#act === null && element) this.#background.note(element, now);
      this.#measured?.window.note(record, wasHidden);
      if (this.#act !== null && element && this.#isRelevant(record, element, now)) this.#moves++;
    }
  }

  /** Own styling of the target, and what ticks by itself, keeps nobody waiting. */
  #isRelevant(record: MutationRecord, element: Element, now: number): boolean {
    if (record.attributeName === 'class' || record.attributeName === 'style') {
      const target = this.#act?.target;
      if (target && flatContains(target, element)) return false;
    }
    if (!this.#background.has(element, now)) return true;
    return this.#act?.own.some((own) => own.contains(element)) === true;
  }

  noteScroll(scroller: Element): void {
    const known = this.#positions.get(scroller) ?? null;
    const scrolled = this.#measured?.window.scrolled;
    if (scrolled && !scrolled.has(scroller)) scrolled.set(scroller, known);
  }

  /** Where a scroller stands now is no news: the agent scrolls, or begins to measure. */
  knowScrollers(from: Element): void {
    for (let n: Element | null = from; n; n = n.parentElement) {
      if (n.scrollTop !== 0 || n.scrollLeft !== 0 || n.scrollHeight > n.clientHeight) {
        this.#positions.set(n, { x: n.scrollLeft, y: n.scrollTop });
      }
    }
    const page = document.scrollingElement;
    if (page) this.#positions.set(page, { x: page.scrollLeft, y: page.scrollTop });
  }

  begin(ref: string | undefined): void {
    this.#flush();
    this.#index.update();
    const target = ref === undefined ? null : this.#refs.element(ref);
    this.#act = { target, own: ownGround(target), late: false };
    if (target) this.knowScrollers(target);
    else this.knowScrollers(document.documentElement);
    this.#measured = this.#measure(target);
    this.#focusBefore = deepActive();
    this.#animationsBefore = new Set(document.getAnimations());
    this.#moves = 0;
  }

  #measure(target: Element | null): Measured {
    const around = target ? this.#describer.entry(target) : null;
    return {
      window: new ChangeWindow(new Set(this.#index.hiddenRoots)),
      controls: controlStates(this.#index.entries(), around),
    };
  }

  async quiet(timeoutMs: number): Promise<QuietResult> {
    const deadline = performance.now() + timeoutMs;
    let because: 'mutations' | 'animation' = 'mutations';
    for (let still = 0; still < QUIET_FRAMES;) {
      const before = this.#moves;
      await nextFrame();
      this.#flush();
      const moving = this.#moves !== before;
      const animated = !moving && this.#animations().length > 0;
      still = moving || animated ? 0 : still + 1;
      because = moving ? 'mutations' : 'animation';
      if (still < QUIET_FRAMES && performance.now() > deadline) return { quiet: false, because };
    }
    return { quiet: true };
  }

  /** Running since the input, and not the target's own. */
  #animations(): Animation[] {
    const target = this.#act?.target;
    return runningAnimations(this.#animationsBefore).filter((animation) => {
      const on = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
      return !(target && on && flatContains(target, on));
    });
  }

  end(reader: string): Changes {
    this.#flush();
    this.#index.update();
    const act = this.#act;
    const measured = this.#measured;
    this.#act = null;
    if (act === null || measured === null) return { changed: false, effects: [] };
    const told = this.#teller.tell(measured.window, measured.controls, act, performance.now());
    const focus = this.#focusEffect(act.target);
    const effects = focus ? [...told.effects, focus] : told.effects;
    for (const element of told.renamed) this.#show(element, reader);
    this.#measured = this.#measure(null);
    return { changed: told.changed || focus !== null, effects, ...this.#targetAfter(act.target) };
  }

  /** A new name given in a receipt counts as shown. */
  #show(element: Element, reader: string): void {
    const entry = this.#describer.entry(element);
    const before = entry.shown?.get(reader);
    if (!element.isConnected || !before) return;
    const now = this.#describer.reading(element);
    // Another row is another thing, whatever its name is now.
    this.#refs.show(entry, reader, before.row === undefined ? now : { ...now, row: before.row });
  }

  #targetAfter(target: Element | null): Pick<Changes, 'valueAfter' | 'reading'> {
    if (!target?.isConnected) return {};
    const reading = this.#describer.reading(target);
    const value = valueOf(target, reading.role);
    return { reading, ...(value === null ? {} : { valueAfter: value }) };
  }

  #focusEffect(target: Element | null): PageEffect | null {
    const now = deepActive();
    if (now === null || now === this.#focusBefore || now === document.body || now === document.documentElement)
      return null;
    // The frame inside tells where in it the focus went.
    if (now.localName === 'iframe' || now.localName === 'frame') return null;
    if (target && (flatContains(target, now) || flatContains(now, target))) return null;
    const { ref } = this.#describer.reading(now);
    return { kind: 'focus_moved', detail: this.#describer.naming(now), ref };
  }

  late(): PageEffect[] {
    this.#flush();
    const measured = this.#measured;
    if (measured === null || this.#act !== null) return [];
    this.#index.update();
    const act: Act = { target: null, own: [], late: true };
    const told = this.#teller.tell(measured.window, measured.controls, act, performance.now());
    this.#measured = this.#measure(null);
    return told.effects;
  }
}

function changedElement(record: MutationRecord): Element | null {
  const node = record.target;
  if (isElement(node)) return node;
  if (node instanceof ShadowRoot) return node.host;
  return node.parentElement;
}

/** The target, its form, and what it controls. */
function ownGround(target: Element | null): Element[] {
  if (target === null) return [];
  const own = [target, ...idRefs(target, 'aria-controls'), ...idRefs(target, 'aria-owns')];
  const form = (target as Partial<HTMLInputElement>).form ?? target.closest('form,[role="form"]');
  if (form) own.push(form);
  const popover = (target as Partial<HTMLButtonElement>).popoverTargetElement;
  if (popover) own.push(popover);
  return own;
}
