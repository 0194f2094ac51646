/**
 * What the host says to the page agent and hears from it. Types only: the page side has no Node, the
 * host side no DOM. The agent lives at `globalThis.__signalbox` in an isolated world of every frame
 * and answers `Runtime.callFunctionOn` (`returnByValue`, `awaitPromise`). All lengths are CSS pixels;
 * points and boxes are relative to the viewport of the agent's own frame.
 */

export interface PageBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PagePoint {
  readonly x: number;
  readonly y: number;
}

export type PageState =
  | 'disabled'
  | 'checked'
  | 'mixed'
  | 'expanded'
  | 'collapsed'
  | 'selected'
  | 'required'
  | 'readonly'
  | 'focused'
  | 'invalid'
  | 'pressed';

/** What a ref stands for. `name` and `row` are omitted when empty. */
export interface PageReading {
  readonly ref: string;
  readonly role: string;
  readonly name?: string;
  readonly row?: string;
}

/** A `TargetObject` without `frame`, which the host adds; bounds are of this frame's viewport. */
export interface PageTarget extends PageReading {
  readonly value?: string;
  readonly states?: PageState[];
  readonly bounds?: PageBox;
  readonly in_view?: boolean;
  readonly options?: string[];
  readonly note?: string;
}

/** A target with what the host needs to merge frames. Strip `tier`, `order`, `at` before answering. */
export interface ListedTarget extends PageTarget {
  /** 0 exact, 1 prefix, 2 all words, 2 + n: n words missing. 0 when there was no query. */
  readonly tier: number;
  /** Place in this frame's reading order, on the same scale as `FrameSlot.order`. */
  readonly order: number;
  /** Index in the list: continue with `offset: at + 1` of the last target taken from this frame. */
  readonly at: number;
}

/** An iframe element of this document. `slot` is its ref; join it to a frame id with `frameSlot`. */
export interface FrameSlot {
  readonly slot: string;
  readonly order: number;
  readonly visible: boolean;
  /** Content box: add its x and y to a child's points. */
  readonly content: PageBox;
}

export interface InstallParams {
  /** Refs are `${prefix}${n}`. The host gives every document another prefix. */
  readonly prefix: string;
}

export interface PageDescription {
  readonly url: string;
  readonly title: string;
  readonly readyState: 'loading' | 'interactive' | 'complete';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scroll: PagePoint;
  /** Size of the whole document. */
  readonly document: { readonly width: number; readonly height: number };
  readonly devicePixelRatio: number;
  /** Ref of the focused target; an iframe's slot when the focus is inside it. */
  readonly focused?: string;
}

export interface PerceiveParams {
  readonly query?: string;
  /** At most this many targets; the host merges frames, so it asks each for the whole limit. */
  readonly limit: number;
  /** Characters of `text`; 0 for none. Ignored with a query and when continuing a list. */
  readonly textLimit: number;
  /** Key of the agent that reads: what it was shown is remembered for `changed`. */
  readonly reader: string;
  /** Continue a list of an earlier answer from `offset` on. */
  readonly list?: string;
  readonly offset?: number;
}

export interface PerceiveOmitted {
  readonly hidden?: number;
  readonly offscreen_beyond_limit?: number;
  readonly occluded?: number;
  readonly virtual?: number;
  readonly budget?: number;
}

export interface PerceiveResult {
  readonly targets: ListedTarget[];
  /** Targets in the list, listed or not. */
  readonly total: number;
  /** Best tier with a match (the list holds this tier only); -1 when nothing matched. */
  readonly tier: number;
  readonly omitted: PerceiveOmitted;
  readonly text?: string;
  /** Present when the list goes on after the last target given; of no use after the document is gone. */
  readonly list?: string;
  /** Targets of the continued list that are gone since it was made. */
  readonly gone?: number;
  /** False when `list` is not known here (any more). */
  readonly listKnown?: boolean;
  readonly frames: FrameSlot[];
  /** The document itself: ref `page`, role `document`. */
  readonly page: PageTarget;
}

export type ReadResult = { readonly status: 'here'; readonly target: PageTarget } | PageGone;

export interface PageGone {
  readonly status: 'gone';
  /** The last reading known, when this document ever gave that ref out. */
  readonly was?: PageReading;
  /** At most 3 look-alikes, best first. */
  readonly candidates: PageReading[];
}

export interface CheckParams {
  /** A ref of this document, or `page`. */
  readonly ref: string;
  readonly reader: string;
  readonly action: 'press' | 'enter_text' | 'scroll' | 'hover';
  /** Pixels inside the target (`at:x,y`): only this point is hit-tested. */
  readonly at?: PagePoint;
  /** The input will be keys (`key:…`): needs focus, not a point. */
  readonly keyboard?: boolean;
  /** True to answer at once without scrolling into view or waiting for two frames (point as is). */
  readonly lookOnly?: boolean;
}

/** How text gets into a target. */
export type TextEntry =
  /** Focus, select all, then CDP `Input.insertText`. */
  | { readonly kind: 'type'; readonly multiline: boolean; readonly rich: boolean; readonly password: boolean }
  /** `setValue` does it: select (by label), date, time, colour, range. */
  | { readonly kind: 'set'; readonly format: string; readonly options?: string[] }
  /** CDP `DOM.setFileInputFiles` on `element(ref)`. */
  | { readonly kind: 'file'; readonly multiple: boolean };

export interface CheckReady {
  readonly status: 'ready';
  /** Where to press, in this frame's viewport. */
  readonly point: PagePoint;
  readonly box: PageBox;
  readonly reading: PageReading;
  /** False when this reader was never shown this ref. */
  readonly shown: boolean;
  /** Present for `enter_text`. */
  readonly entry?: TextEntry;
  /** For canvas, video, image: compare pixels too. */
  readonly pixels?: true;
}

export type CheckResult =
  | CheckReady
  /** Nothing may be sent. `blockedBy` is a sentence part such as `dialog "Cookie consent" (e91)`. */
  | { readonly status: 'blocked'; readonly blockedBy: string; readonly reading: PageReading }
  | { readonly status: 'changed'; readonly shown: PageReading; readonly now: PageReading }
  | PageGone;

export interface FrameHitParams {
  readonly slot: string;
  /** A point in the child frame's viewport. */
  readonly point: PagePoint;
  /** The child's own target box: scrolled into this frame's view unless `lookOnly`. */
  readonly box: PageBox;
  readonly lookOnly?: boolean;
}

export type FrameHitResult =
  /** `point` is the same point in this frame's viewport. */
  | { readonly status: 'ready'; readonly point: PagePoint; readonly offset: PagePoint }
  | { readonly status: 'blocked'; readonly blockedBy: string }
  | { readonly status: 'gone' };

export interface BeginParams {
  /** The target of the input, when it is in this frame. */
  readonly ref?: string;
}

export interface QuietParams {
  /** Gives up after so long and answers `quiet: false`. */
  readonly timeoutMs: number;
}

export interface QuietResult {
  readonly quiet: boolean;
  /** What still moves, when not quiet. */
  readonly because?: 'mutations' | 'animation' | 'loading';
}

export type PageEffectKind =
  | 'focus_moved'
  | 'value_set'
  | 'state_set'
  | 'scrolled'
  | 'text_appeared'
  | 'text_gone'
  | 'structure'
  | 'dialog'
  | 'background';

export interface PageEffect {
  readonly kind: PageEffectKind;
  readonly detail: string;
  readonly ref?: string;
}

export interface Changes {
  /** Anything relevant changed (background, own styling, our own scrolling left out). */
  readonly changed: boolean;
  readonly effects: PageEffect[];
  /** Value of the target's field now, masked; only when it has one. */
  readonly valueAfter?: string;
  /** The target as it reads now; absent when it is gone. */
  readonly reading?: PageReading;
}

export interface EndParams {
  readonly reader: string;
}

export interface ScrollParams {
  readonly ref: string;
  /** `into_view`, a direction (most of a viewport), an end, or pixels downwards. */
  readonly to: 'up' | 'down' | 'left' | 'right' | 'top' | 'bottom' | 'into_view' | number;
}

export interface ScrollResult {
  /** False when nothing here scrolls that way (already at the end, or no scroller). */
  readonly moved: boolean;
  /** Which scroller: `page`, or its ref. */
  readonly scroller: string;
  readonly x: number;
  readonly y: number;
  /** Furthest positions. */
  readonly maxX: number;
  readonly maxY: number;
}

export type SetValueResult =
  | { readonly status: 'set'; readonly valueAfter: string }
  /** `reason` says what is wrong and what would do; nothing was changed. */
  | { readonly status: 'refused'; readonly reason: string };

/** Every method throws nothing that the host has to expect; an unknown ref answers `gone` or null. */
export interface PageAgent {
  readonly version: number;
  /** Idempotent: the first prefix stays. Returns the prefix in force. */
  install(params: InstallParams): string;
  describe(): PageDescription;
  perceive(params: PerceiveParams): PerceiveResult;
  /** Current reading; counts as shown to `reader`. */
  read(params: { readonly ref: string; readonly reader: string }): ReadResult;
  check(params: CheckParams): Promise<CheckResult>;
  /** Slot of an iframe element (`DOM.getFrameOwner` → `DOM.resolveNode` into this world). */
  frameSlot(element: unknown): string | null;
  /** In each ancestor frame: is that iframe what is on top at the point? */
  checkFrame(params: FrameHitParams): Promise<FrameHitResult>;
  /** Hands over a closed shadow root (`DOM.resolveNode` into this world). */
  adoptClosedRoot(root: unknown): void;
  /** Elements that may hold a closed root: custom elements without an open one. Not by value. */
  closedRootHosts(): unknown[];
  /** The element of a ref, for CDP calls that take an object id; null when gone. Not by value. */
  element(ref: string): unknown;

  /** Starts measuring. What changed before is late effects or background. */
  begin(params: BeginParams): void;
  quiet(params: QuietParams): Promise<QuietResult>;
  end(params: EndParams): Changes;
  /** What happened outside acts since the last `end` or `lateEffects`. */
  lateEffects(): PageEffect[];

  /** Focuses the target (no scrolling). False when it does not take the focus. */
  focus(ref: string): boolean;
  /** Focuses the field and selects its whole content, so that typing replaces it. */
  selectContent(ref: string): boolean;
  /** Sets the caret's field to empty when `insertText` cannot (empty value). Fires input and change. */
  setValue(params: { readonly ref: string; readonly value: string }): SetValueResult;
  /** Value of a field now, masked; null when it has none. */
  valueOf(ref: string): string | null;
  scroll(params: ScrollParams): ScrollResult | null;
}
