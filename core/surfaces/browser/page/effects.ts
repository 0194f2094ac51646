import type { PageEffect } from '../pageProtocol.ts';
import { isLasting, stateChange, toldAttributes } from './attributeWords.ts';
import type { Background } from './background.ts';
import { isDrawn } from './boxes.ts';
import type { ChangeWindow, ChildChange } from './changeWindow.ts';
import type { ControlStates } from './controlStates.ts';
import { stateOf } from './controlStates.ts';
import type { Describer } from './describeTarget.ts';
import { clip, flatClosest, flatContains, flatParent, isElement, squeeze } from './dom.ts';
import { entryOf } from './entry.ts';
import type { PageIndex } from './pageIndex.ts';
import { PlaceNames, isRow } from './placeNames.ts';
import { textPieces, withoutCommon } from './textPieces.ts';

const TEXT_SAMPLES = 5;
const SAMPLE_LENGTH = 80;
const OTHER_EFFECTS = 8;

export interface Act {
  readonly target: Element | null;
  /** What the target may change by right: itself, its form, what it controls. */
  readonly own: readonly Element[];
  readonly late: boolean;
}

export interface Told {
  readonly effects: PageEffect[];
  readonly changed: boolean;
  /** Targets whose new name an effect gives. */
  readonly renamed: ReadonlySet<Element>;
}

/** Turns a window of mutations into a few short lines that say what changed. */
export class EffectTeller {
  readonly #index: PageIndex;
  readonly #describer: Describer;
  readonly #background: Background;

  constructor(index: PageIndex, describer: Describer, background: Background) {
    this.#index = index;
    this.#describer = describer;
    this.#background = background;
  }

  tell(window: ChangeWindow, controls: ControlStates, act: Act, now: number): Told {
    return new Telling(this.#index, this.#describer, this.#background, window, act, now).run(controls);
  }
}

class Telling {
  readonly #index: PageIndex;
  readonly #describer: Describer;
  readonly #background: Background;
  readonly #window: ChangeWindow;
  readonly #act: Act;
  readonly #places: PlaceNames;
  readonly #now: number;
  readonly #texts: PageEffect[] = [];
  readonly #others: PageEffect[] = [];
  readonly #behind = new Set<Element>();
  readonly #renamed = new Set<Element>();
  readonly #addedRoots = new Set<Node>();
  #more = 0;

  constructor(
    index: PageIndex,
    describer: Describer,
    background: Background,
    window: ChangeWindow,
    act: Act,
    now: number,
  ) {
    this.#index = index;
    this.#describer = describer;
    this.#background = background;
    this.#window = window;
    this.#act = act;
    this.#places = new PlaceNames(describer);
    this.#now = now;
  }

  run(controls: ControlStates): Told {
    for (const change of this.#window.children.values()) for (const node of change.added) this.#addedRoots.add(node);
    this.#tellShown();
    for (const [parent, change] of this.#window.children) this.#tellChildren(parent, change);
    for (const [node, before] of this.#window.texts) this.#tellText(node, before);
    this.#tellHidden();
    this.#tellControls(controls);
    this.#tellScrolls();
    this.#tellAttributes();
    return this.#result();
  }

  #result(): Told {
    const texts = this.#texts.slice(0, TEXT_SAMPLES);
    const others = this.#others.slice(0, OTHER_EFFECTS);
    const left =
      this.#texts.length - texts.length + this.#others.length - others.length + this.#more + this.#window.uncounted;
    const effects = [...others, ...texts];
    const changed = effects.length > 0 || left > 0;
    if (left > 0) effects.push({ kind: 'structure', detail: `${left} more changes` });
    if (!this.#act.late) for (const element of this.#behind) effects.push(this.#backgroundEffect(element));
    return { effects, changed, renamed: this.#renamed };
  }

  #backgroundEffect(element: Element): PageEffect {
    const label = this.#places.labelOf(element);
    const text = clip(squeeze(element.textContent ?? ''), 40);
    return { kind: 'background', detail: label === '' ? text || element.localName : `${label}: ${text}` };
  }

  // ---- what counts ----

  /** Changes by itself, and is not something the act may change by right. */
  #isBehind(element: Element): boolean {
    if (!this.#background.has(element, this.#now)) return false;
    if (this.#act.late) return this.#background.count(element) >= 4;
    if (this.#act.own.some((own) => own.contains(element))) return false;
    if (this.#behind.size < 2) this.#behind.add(element);
    return true;
  }

  #isInAdded(element: Element): boolean {
    return flatClosest(element, (n) => this.#addedRoots.has(n)) !== null;
  }

  // ---- text and structure ----

  #tellChildren(parent: Element, change: ChildChange): void {
    if (!parent.isConnected || this.#isInAdded(parent) || this.#isBehind(parent)) return;
    if (!isDrawn(parent) || this.#wasHidden(parent)) return;
    const added = [...change.added].filter(
      (node) => node.isConnected && flatParent(node) !== null && parent.contains(node),
    );
    const after = added.flatMap((node) => textPieces(node, isSeen));
    const [gone, appeared] = withoutCommon(change.removed, after);
    if (gone.length > 0 || appeared.length > 0) this.#tellDifference(parent, gone, appeared);
    const elements = added.filter(isElement).filter(isDrawn);
    this.#tellDialogs(elements);
    if (gone.length > 0 || appeared.length > 0 || this.#isOwnDecoration(parent)) return;
    const count = elements.length - change.removedElements;
    const controls = elements.flatMap((element) => this.#controlsIn(element));
    if (controls.length > 0 && count !== 0) {
      this.#others.push({ kind: 'structure', detail: `appeared: ${controls.slice(0, 3).join(', ')}` });
    } else if (count !== 0 && (elements.length > 0 || change.removedElements > 0)) {
      const label = this.#places.labelOf(parent) || this.#places.placeOf(parent);
      this.#others.push({
        kind: 'structure',
        detail: `${label}: ${count > 0 ? `${count} more` : `${-count} fewer`} elements`,
      });
    }
  }

  /** Ripples and spinners that a control draws into itself. */
  #isOwnDecoration(parent: Element): boolean {
    return this.#act.target !== null && flatContains(this.#act.target, parent);
  }

  #controlsIn(element: Element): string[] {
    const found: string[] = [];
    for (const entry of this.#index.entries()) {
      if (entry.kind !== 'target' || entry.hidden || !element.contains(entry.element)) continue;
      found.push(this.#describer.naming(entry.element));
      if (found.length === 3) break;
    }
    return found;
  }

  #wasHidden(element: Element): boolean {
    return flatClosest(element, (n) => this.#window.hiddenBefore.has(n)) !== null;
  }

  #tellDifference(where: Element, gone: readonly string[], appeared: readonly string[]): void {
    const pairs = gone.length === appeared.length && gone.length <= 3 ? gone.length : 0;
    for (let i = 0; i < pairs; i++) this.#tellPair(where, gone[i] ?? '', appeared[i] ?? '');
    if (pairs > 0) return;
    const label = this.#places.labelOf(where);
    const lead = label === '' ? '' : `${label}: `;
    for (const text of appeared) this.#text('text_appeared', lead + clip(text, SAMPLE_LENGTH), where);
    for (const text of gone) this.#text('text_gone', lead + clip(text, SAMPLE_LENGTH), where);
  }

  #tellPair(where: Element, before: string, after: string): void {
    const label = this.#places.labelOf(where);
    const lead = label === '' ? '' : `${label}: `;
    this.#text('text_appeared', `${lead}${clip(before, SAMPLE_LENGTH)} → ${clip(after, SAMPLE_LENGTH)}`, where);
  }

  #text(kind: 'text_appeared' | 'text_gone', detail: string, where: Element): void {
    if (this.#texts.some((effect) => effect.detail === detail && effect.kind === kind)) {
      this.#more++;
      return;
    }
    const owner = this.#describer.owner(where);
    if (owner && !isRow(owner.role)) {
      this.#renamed.add(owner.element);
      this.#texts.push({ kind, detail, ref: this.#describer.reading(owner.element).ref });
    } else this.#texts.push({ kind, detail });
  }

  #tellText(node: CharacterData, before: string): void {
    const parent = flatParent(node);
    if (!parent || !node.isConnected || node.nodeType !== Node.TEXT_NODE) return;
    if (this.#isInAdded(parent) || this.#isBehind(parent) || !isDrawn(parent) || this.#wasHidden(parent)) return;
    const old = squeeze(before);
    const now = squeeze(node.data);
    if (old === now) return;
    if (old === '') this.#tellDifference(parent, [], [now]);
    else if (now === '') this.#tellDifference(parent, [old], []);
    else this.#tellPair(parent, old, now);
  }

  #tellShown(): void {
    for (const root of this.#window.hiddenBefore) {
      if (!root.isConnected || this.#isInAdded(root) || !isDrawn(root)) continue;
      if (this.#isBehind(root)) continue;
      const parent = flatParent(root);
      if (parent && this.#wasHidden(parent)) continue;
      this.#tellDialogs([root]);
      const pieces = textPieces(root, isSeen);
      for (const text of pieces) this.#text('text_appeared', clip(text, SAMPLE_LENGTH), root);
      if (pieces.length === 0)
        this.#others.push({ kind: 'structure', detail: `${this.#places.placeOf(root)} appeared` });
    }
  }

  #tellHidden(): void {
    for (const root of this.#index.hiddenRoots) {
      if (this.#window.hiddenBefore.has(root) || !root.isConnected || this.#isInAdded(root) || this.#isBehind(root))
        continue;
      if (isDrawn(root) || this.#wasHidden(root)) continue;
      const pieces = textPieces(root);
      for (const text of pieces) this.#text('text_gone', clip(text, SAMPLE_LENGTH), root);
      if (pieces.length === 0)
        this.#others.push({ kind: 'structure', detail: `${this.#places.placeOf(root)} is hidden now` });
    }
  }

  #tellDialogs(elements: readonly Element[]): void {
    const selector = 'dialog[open],[role="dialog"],[role="alertdialog"]';
    for (const element of elements) {
      const dialog = element.matches(selector) ? element : element.querySelector(selector);
      if (!dialog || !isDrawn(dialog)) continue;
      this.#others.push({
        kind: 'dialog',
        detail: this.#describer.naming(dialog),
        ref: this.#describer.reading(dialog).ref,
      });
    }
  }

  // ---- values and states ----

  #tellControls(controls: ControlStates): void {
    for (const [entry, before] of controls) {
      if (!entry.element.isConnected) continue;
      const now = stateOf(entry);
      if (now.value === before.value && now.secret === before.secret && now.states === before.states) continue;
      const ref = this.#describer.reading(entry.element).ref;
      const label = this.#describer.naming(entry.element);
      if (now.value !== before.value || now.secret !== before.secret) {
        const detail =
          now.secret === null
            ? `${label}: "${clip(before.value ?? '', 40)}" → "${clip(now.value ?? '', SAMPLE_LENGTH)}"`
            : `${label}: password ${now.secret === '' ? 'emptied' : 'entered'}`;
        this.#others.push({ kind: 'value_set', detail, ref });
      }
      if (now.states !== before.states) {
        this.#others.push({ kind: 'state_set', detail: `${label}: ${stateChange(before.states, now.states)}`, ref });
      }
    }
  }

  #tellAttributes(): void {
    const classes: { element: Element; old: string; now: string }[] = [];
    for (const [element, before] of this.#window.attributes) this.#tellAttributesOf(element, before, classes);
    // A class says little: it is told only when nothing that a person reads has changed.
    if (this.#others.length + this.#texts.length > 0) return;
    for (const { element, old, now } of classes) this.#tellClass(element, old, now);
  }

  #tellAttributesOf(
    element: Element,
    before: ReadonlyMap<string, string | null>,
    classes: { element: Element; old: string; now: string }[],
  ): void {
    if (!element.isConnected || this.#isInAdded(element) || !isDrawn(element) || this.#isBehind(element)) return;
    const native = /^(input|select|textarea)$/.test(element.localName);
    for (const [name, old] of before) {
      const now = element.getAttribute(name);
      if (now === old) continue;
      if (name === 'class') classes.push({ element, old: old ?? '', now: now ?? '' });
      if (name === 'open') this.#tellFold(element, now !== null);
      const say = toldAttributes[name];
      // Native controls are compared by their properties.
      if (!say || (native && /^(disabled|value|readonly|aria-invalid)$/.test(name))) continue;
      if (name === 'aria-label') this.#renamed.add(element);
      this.#others.push({
        kind: 'state_set',
        detail: `${this.#describer.naming(element)}: ${say(old, now)}`,
        ...this.#refOf(element),
      });
    }
  }

  /** Bare text in a details element has no element of its own that is shown or hidden. */
  #tellFold(details: Element, open: boolean): void {
    for (const node of details.localName === 'details' ? details.childNodes : []) {
      const text = node.nodeType === Node.TEXT_NODE ? squeeze((node as Text).data) : '';
      if (text !== '') this.#text(open ? 'text_appeared' : 'text_gone', clip(text, SAMPLE_LENGTH), details);
    }
  }

  #refOf(element: Element): { ref?: string } {
    return entryOf(element)?.linked ? { ref: this.#describer.reading(element).ref } : {};
  }

  #tellClass(element: Element, before: string, after: string): void {
    if (element === document.documentElement || element === document.body) {
      if (!/dark|light|theme/i.test(`${before}${after}`)) return;
    }
    const [gone, added] = withoutCommon(squeeze(before).split(' '), squeeze(after).split(' '));
    const words = [
      ...added.filter(isLasting).map((word) => `+${word}`),
      ...gone.filter(isLasting).map((word) => `-${word}`),
    ];
    if (words.length === 0) return;
    const label = this.#describer.owner(element) ? this.#places.labelOf(element) : this.#places.placeOf(element);
    this.#others.push({
      kind: 'state_set',
      detail: `${label}: class ${words.slice(0, 3).join(' ')}`,
      ...this.#refOf(element),
    });
  }

  #tellScrolls(): void {
    for (const [scroller, before] of this.#window.scrolled) {
      if (!scroller.isConnected) continue;
      const { scrollTop, scrollLeft, scrollHeight, clientHeight } = scroller;
      if (before && before.x === scrollLeft && before.y === scrollTop) continue;
      const what = scroller === document.scrollingElement ? 'page' : this.#places.placeOf(scroller);
      const detail = `${what} to ${Math.round(scrollTop)} of ${Math.max(0, scrollHeight - clientHeight)}`;
      this.#others.push({ kind: 'scrolled', detail });
    }
  }
}

function isSeen(element: Element): boolean {
  return element.getAttribute('aria-hidden') !== 'true' && isDrawn(element);
}
