import type {
  PageAgent,
  PageDescription,
  PerceiveParams,
  PerceiveResult,
  ReadResult,
  ScrollResult,
  SetValueResult,
} from '../pageProtocol.ts';
import { Checker } from './check.ts';
import { Describer } from './describeTarget.ts';
import { deepActive, isElement } from './dom.ts';
import { Listing } from './listing.ts';
import { PageIndex } from './pageIndex.ts';
import { Recorder } from './recorder.ts';
import { Refs } from './refs.ts';
import { focusElement, scrollElement, selectContent, setValue } from './textEntry.ts';
import { valueOf } from './values.ts';

const VERSION = 1;

/** Observes this frame and answers the host. */
export function startAgent(): PageAgent {
  const refs = new Refs();
  const observer = new MutationObserver((records) => take(records));
  const index = new PageIndex((root) => observe(root));
  const describer = new Describer(refs, index.names);
  const flush = () => take(observer.takeRecords());
  const recorder = new Recorder(index, refs, describer, flush);
  const listing = new Listing(index, describer, refs);
  const checker = new Checker(index, refs, describer, (element) => recorder.knowScrollers(element));
  const own = document;
  let installed = false;

  function take(records: readonly MutationRecord[]): void {
    if (records.length === 0) return;
    recorder.note(records);
    index.note(records);
  }

  function observe(root: Document | ShadowRoot): void {
    observer.observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeOldValue: true,
      characterData: true,
      characterDataOldValue: true,
    });
    root.addEventListener('scroll', onScroll, { capture: true, passive: true });
    root.addEventListener('slotchange', onSlotChange, { capture: true, passive: true });
  }

  function onScroll(event: Event): void {
    const target = event.target === document ? document.scrollingElement : event.target;
    if (isElement(target)) recorder.noteScroll(target);
  }

  function onSlotChange(event: Event): void {
    const root = event.target instanceof Element ? event.target.getRootNode() : null;
    if (root instanceof ShadowRoot) index.noteHost(root.host);
  }

  function withElement<T>(ref: string, otherwise: T, use: (element: Element) => T): T {
    flush();
    const element = refs.element(ref);
    return element === null ? otherwise : use(element);
  }

  return {
    version: VERSION,
    install({ prefix }) {
      // A window opened by script keeps its world when its first real document takes the empty one's place.
      if (own !== document) return (globalThis.__signalbox = startAgent()).install({ prefix });
      if (installed) return refs.prefix;
      installed = true;
      refs.start(prefix);
      observe(document);
      if (document.readyState === 'complete') index.warm();
      else addEventListener('load', () => index.warm(), { once: true });
      addEventListener('resize', () => index.invalidateAll(), { passive: true });
      return prefix;
    },
    describe: () => describePage(refs),
    perceive(params: PerceiveParams): PerceiveResult {
      flush();
      return listing.perceive(params);
    },
    read: ({ ref, reader }): ReadResult => {
      flush();
      index.update();
      const element = refs.element(ref);
      if (ref === 'page') return { status: 'here', target: describer.document() };
      if (element === null) return checker.gone(ref, reader);
      const target = describer.target(element);
      refs.show(describer.entry(element), reader, describer.reading(element));
      return { status: 'here', target };
    },
    async check(params) {
      flush();
      return checker.check(params);
    },
    frameSlot: (element) => (isElement(element) ? refs.of(element) : null),
    checkFrame: (params) => checker.checkFrame(params),
    adoptClosedRoot(root) {
      if (root instanceof ShadowRoot) index.adopt(root);
    },
    closedRootHosts: () => index.rootlessHosts(),
    element: (ref) => refs.element(ref),
    begin: ({ ref }) => recorder.begin(ref),
    quiet: ({ timeoutMs }) => recorder.quiet(timeoutMs),
    end: ({ reader }) => recorder.end(reader),
    lateEffects: () => recorder.late(),
    focus: (ref) => withElement(ref, false, focusElement),
    selectContent: (ref) => withElement(ref, false, selectContent),
    setValue: ({ ref, value }) =>
      withElement<SetValueResult>(ref, { status: 'refused', reason: 'it is gone' }, (element) =>
        setValue(element, value, describer.entry(element).role),
      ),
    valueOf: (ref) => withElement(ref, null, (element) => valueOf(element, describer.entry(element).role)),
    scroll: ({ ref, to }) => {
      const use = (element: Element): ScrollResult => scrollElement(element, to, (scroller) => refs.of(scroller));
      return ref === 'page'
        ? use(document.scrollingElement ?? document.documentElement)
        : withElement<ScrollResult | null>(ref, null, use);
    },
  };
}

function describePage(refs: Refs): PageDescription {
  const root = document.documentElement;
  const active = deepActive();
  return {
    url: location.href,
    title: document.title,
    readyState: document.readyState,
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: scrollX, y: scrollY },
    document: { width: root?.scrollWidth ?? 0, height: root?.scrollHeight ?? 0 },
    devicePixelRatio,
    ...(active && active !== document.body && active !== root ? { focused: refs.of(active) } : {}),
  };
}
