import type {
  CheckParams,
  CheckResult,
  FrameHitParams,
  FrameHitResult,
  PageBox,
  PageGone,
  PagePoint,
  PageReading,
  TextEntry,
} from '../pageProtocol.ts';
import { boxOf, faceOf, isClippedAway, isDrawn, rounded } from './boxes.ts';
import type { Describer } from './describeTarget.ts';
import { deepAt, flatClosest, flatContains } from './dom.ts';
import { fold } from './fold.ts';
import { isAnimated, nextFrame } from './frames.ts';
import type { Hit } from './hit.ts';
import { hitTest, isBar, visiblePieces } from './hit.ts';
import { contentBox, modalDialog } from './listing.ts';
import type { PageIndex } from './pageIndex.ts';
import type { Refs } from './refs.ts';
import { sameReading } from './refs.ts';
import { entryKind } from './textEntry.ts';
import { isDisabled, isReadOnly } from './values.ts';

const MOVING_LIMIT_MS = 1_000;
/** Look-alikes of one name are told apart by their row, so many of them. */
const LOOK_ALIKES_READ = 200;
const SAME_ROW = 3;
/** Two frames at 60 Hz. */
const TWO_FRAMES_MS = 33;

/** Checks a target right before input. Sends nothing; scrolls it into view unless told not to. */
export class Checker {
  readonly #index: PageIndex;
  readonly #refs: Refs;
  readonly #describer: Describer;
  /** Called before the agent scrolls by itself, so that the scroll is not taken for an effect. */
  readonly #scrolling: (element: Element) => void;

  constructor(index: PageIndex, refs: Refs, describer: Describer, scrolling: (element: Element) => void) {
    this.#index = index;
    this.#refs = refs;
    this.#describer = describer;
    this.#scrolling = scrolling;
  }

  async check(params: CheckParams): Promise<CheckResult> {
    this.#index.update();
    if (params.ref === 'page') return this.#page(params);
    const element = this.#refs.element(params.ref);
    if (element === null) return this.gone(params.ref, params.reader);
    const reading = this.#describer.reading(element);
    const entry = this.#describer.entry(element);
    const shown = this.#refs.shown(element, params.reader);
    if (shown && !sameReading(shown, reading)) {
      this.#refs.show(entry, params.reader, reading);
      return { status: 'changed', shown, now: reading };
    }
    const blockedBy = this.#unusable(element, reading, params) ?? (await this.#unsteady(element, params));
    // Scrolling to it made the page draw something else in its place.
    if (!element.isConnected) return this.gone(params.ref, params.reader);
    if (blockedBy !== null) return { status: 'blocked', blockedBy, reading };
    return this.#place(element, reading, params, shown !== undefined);
  }

  #place(element: Element, reading: PageReading, params: CheckParams, shown: boolean): CheckResult {
    const face = faceOf(element);
    const box = rounded(boxOf(face));
    const entry = params.action === 'enter_text' ? entryKind(element, reading.role) : null;
    const ready = (point: PagePoint): CheckResult => ({
      status: 'ready',
      point,
      box,
      reading,
      shown,
      ...(entry === null ? {} : { entry }),
      ...(/^(canvas|video|img)$/.test(element.localName) ? { pixels: true as const } : {}),
    });
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (needsNoPoint(params, entry)) return ready(middle);
    const at = params.at ? { x: box.x + params.at.x, y: box.y + params.at.y } : null;
    const hit = this.#reach(element, face, at, params);
    if ('blockedBy' in hit) return { status: 'blocked', blockedBy: hit.blockedBy, reading };
    return ready(hit.point);
  }

  /** What lies under a bar along the edge is brought to the middle, where a person would scroll it. */
  #reach(element: Element, face: Element, at: PagePoint | null, params: CheckParams): Hit {
    const hit = hitTest(element, face, at, this.#describer);
    if (!('blockedBy' in hit) || at !== null || params.lookOnly || !isBar(hit.cover)) return hit;
    this.#scrolling(face);
    face.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    return hitTest(element, face, at, this.#describer);
  }

  #page(params: CheckParams): CheckResult {
    const point = params.at ?? { x: innerWidth / 2, y: innerHeight / 2 };
    const { ref, role, name, bounds } = this.#describer.document();
    const reading = { ref, role, ...(name === undefined ? {} : { name }) };
    const box = bounds ?? { x: 0, y: 0, width: innerWidth, height: innerHeight };
    if (params.action === 'enter_text') {
      return { status: 'blocked', blockedBy: 'the page itself: it takes no text, name a field', reading };
    }
    return { status: 'ready', point, box, reading, shown: true };
  }

  /** What stands in the way whatever the layout. */
  #unusable(element: Element, reading: PageReading, params: CheckParams): string | null {
    const name = this.#describer.naming(element);
    const face = faceOf(element);
    if (params.action === 'press' || params.action === 'enter_text') {
      if (isDisabled(element)) return `${name} itself: it is disabled`;
    }
    if (params.action === 'enter_text') {
      if (entryKind(element, reading.role) === null) return `${name} itself: it takes no text`;
      if (isReadOnly(element)) return `${name} itself: it is read-only`;
    }
    const modal = modalDialog();
    if (modal && !flatContains(modal, element)) return this.#describer.naming(modal);
    const inert = flatClosest(element, (n) => n.hasAttribute('inert'));
    if (inert) return `${name} itself: it is inert`;
    if (!isDrawn(face)) return `${name} itself: it is hidden`;
    if (params.action === 'press' && !params.keyboard && isClippedAway(face)) {
      return `${name} itself: it is drawn only when focused; press it with key:Enter`;
    }
    return null;
  }

  async #unsteady(element: Element, params: CheckParams): Promise<string | null> {
    const face = faceOf(element);
    // A scroll begins where the page stands, not where its target would be seen.
    if (params.lookOnly || params.action === 'scroll') return null;
    this.#bringIntoView(face, params);
    if (params.keyboard) return null;
    const entry = this.#describer.entry(element);
    const stood = entry.box;
    if (
      stood &&
      performance.now() - stood.at >= TWO_FRAMES_MS &&
      sameBox(stood, boxOf(element)) &&
      !isAnimated(element)
    ) {
      return null;
    }
    const steady = await standsStill(element, face);
    entry.box = { ...boxOf(element), at: performance.now() };
    return steady ? null : `${this.#describer.naming(element)} itself: it is still moving after 1 s`;
  }

  #bringIntoView(face: Element, params: CheckParams): void {
    const box = boxOf(face);
    const point = params.at
      ? { x: box.x + params.at.x, y: box.y + params.at.y }
      : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (visiblePieces(face).some((piece) => inside(piece, point))) return;
    this.#scrolling(face);
    face.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    if (params.at) centreOn(face, params.at);
  }

  gone(ref: string, reader: string): PageGone {
    this.#index.update();
    const was = this.#refs.lastReading(ref);
    return { status: 'gone', ...(was ? { was } : {}), candidates: was ? this.#lookAlikes(was, reader) : [] };
  }

  /** Same name and role first, then the same name, then names that share most words. */
  #lookAlikes(was: PageReading, reader: string): PageReading[] {
    const name = fold(was.name ?? '');
    const wanted = new Set(name.split(' '));
    const scored: { element: Element; score: number }[] = [];
    for (const entry of this.#index.entries()) {
      if (entry.kind !== 'target' || entry.hidden) continue;
      const own = fold(this.#index.names.name(entry));
      let score = own === name && name !== '' ? 10 : sharedWords(own, wanted);
      if (score > 0 && entry.role === was.role) score += 4;
      if (score > 1) scored.push({ element: entry.element, score });
    }
    scored.sort((a, b) => b.score - a.score);
    const read = scored.slice(0, LOOK_ALIKES_READ).map(({ element, score }) => {
      const reading = this.#describer.reading(element);
      return { element, reading, score: reading.row === was.row ? score + SAME_ROW : score };
    });
    read.sort((a, b) => b.score - a.score);
    return read.slice(0, 3).map(({ element, reading }) => {
      this.#refs.show(this.#describer.entry(element), reader, reading);
      return reading;
    });
  }

  // ---- frames ----

  async checkFrame(params: FrameHitParams): Promise<FrameHitResult> {
    const frame = this.#refs.element(params.slot);
    if (frame === null) return { status: 'gone' };
    const place = () => framePlace(frame, params.point);
    if (!params.lookOnly && !this.#frameInView(frame, place().point)) {
      this.#scrolling(frame);
      frame.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      if (!this.#frameInView(frame, place().point)) centrePoint(place().point);
      await nextFrame();
    }
    const { point, offset } = place();
    const hit = deepAt(point.x, point.y);
    if (hit === frame) return { status: 'ready', point, offset };
    const blockedBy = hitTest(frame, frame, point, this.#describer);
    return {
      status: 'blocked',
      blockedBy: 'blockedBy' in blockedBy ? blockedBy.blockedBy : 'something over the frame',
    };
  }

  #frameInView(frame: Element, point: PagePoint): boolean {
    return visiblePieces(frame).some((piece) => inside(piece, point));
  }
}

function needsNoPoint(params: CheckParams, entry: TextEntry | null): boolean {
  if (params.keyboard || params.lookOnly || params.action === 'scroll') return true;
  return entry?.kind === 'set' || entry?.kind === 'file';
}

function sharedWords(own: string, wanted: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of own.split(' ')) if (word !== '' && wanted.has(word)) shared++;
  return shared;
}

function inside(box: PageBox, point: PagePoint): boolean {
  return point.x >= box.x && point.y >= box.y && point.x <= box.x + box.width && point.y <= box.y + box.height;
}

function sameBox(a: PageBox, b: PageBox): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** A busy page may draw late, and then nothing has had the time to move; a hidden one draws nothing. */
const MISSED_FRAMES = 6;

/** Two frames in a row in the same place, inside the limit. */
async function standsStill(element: Element, face: Element): Promise<boolean> {
  const deadline = performance.now() + MOVING_LIMIT_MS;
  let box = boxOf(face);
  let missed = 0;
  for (let still = 0; still < 2;) {
    missed = (await nextFrame()) ? 0 : missed + 1;
    if (!element.isConnected) return true;
    if (missed > 0 && missed < MISSED_FRAMES) continue;
    const now = boxOf(face);
    still = sameBox(box, now) ? still + 1 : 0;
    box = now;
    if (still === 0 && performance.now() > deadline) return false;
  }
  return true;
}

/** Scrolls the page so that a point inside a large target is in view. */
function centreOn(face: Element, at: PagePoint): void {
  const box = boxOf(face);
  centrePoint({ x: box.x + at.x, y: box.y + at.y });
}

function centrePoint(point: PagePoint): void {
  if (inside({ x: 0, y: 0, width: innerWidth, height: innerHeight }, point)) return;
  scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
}

/** A child frame's point in this viewport; a scaled frame scales its points. */
function framePlace(frame: Element, point: PagePoint): { point: PagePoint; offset: PagePoint } {
  const content = contentBox(frame);
  const layoutWidth = (frame as HTMLElement).offsetWidth;
  const scale = layoutWidth > 0 ? boxOf(frame).width / layoutWidth : 1;
  return {
    point: { x: content.x + point.x * scale, y: content.y + point.y * scale },
    offset: { x: content.x, y: content.y },
  };
}
