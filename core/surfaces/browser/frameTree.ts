import { createListeners } from '../common/listeners.ts';
import type { CdpSession, FrameInfo } from './cdpTarget.ts';
import { ignoreGone } from './chromiumPage.ts';
import { PageDocument, WORLD } from './pageDocument.ts';

export interface PageFrame {
  readonly id: string;
  parentId: string | null;
  session: CdpSession;
  url: string;
  /** Null while the frame has no document of ours yet. */
  document: PageDocument | null;
  /** Ref of its iframe element in `owner`, once asked for. */
  slot: { readonly owner: PageDocument; readonly ref: Promise<string | null> } | null;
}

/** `https://host:port` of an address, or the address itself for those without an origin. */
export const originOf = (url: string): string => {
  try {
    const { origin, protocol } = new URL(url);
    return origin === 'null' ? protocol : origin;
  } catch {
    return url;
  }
};

interface ResourceTree {
  readonly frame: FrameInfo;
  readonly childFrames?: readonly ResourceTree[];
}

/**
 * Frames of one page over all its sessions, each with its live document. The order of sessions'
 * events is theirs; a frame that moves to another process keeps its id and changes its session.
 */
export class FrameTree {
  readonly mainId: string;
  /** A document of ours came into being or went away in that frame. */
  readonly onDocument = createListeners<PageFrame>();
  /** The main frame holds another address: committed, or changed within the document. */
  readonly onAddress = createListeners<{ readonly url: string; readonly sameDocument: boolean }>();
  readonly #frames = new Map<string, PageFrame>();
  readonly #nextPrefix: () => string;

  constructor(mainId: string, nextPrefix: () => string) {
    this.mainId = mainId;
    this.#nextPrefix = nextPrefix;
  }

  get main(): PageFrame | null {
    return this.#frames.get(this.mainId) ?? null;
  }

  frame(id: string): PageFrame | null {
    return this.#frames.get(id) ?? null;
  }

  /** The main frame counts before it is known to be there. */
  owns(id: string): boolean {
    return id === this.mainId || this.#frames.has(id);
  }

  /** Main frame first, then in the order they were attached. */
  frames(): PageFrame[] {
    return [...this.#frames.values()];
  }

  documents(): PageDocument[] {
    return this.frames().flatMap(({ document }) => (document === null ? [] : [document]));
  }

  documentOfRef(ref: string): PageDocument | null {
    const prefix = /^([a-z]+)\d+$/.exec(ref)?.[1];
    return this.documents().find((document) => document.prefix === prefix) ?? null;
  }

  /** Follows a session's frames. Sends nothing but the question for the frames already there. */
  track(session: CdpSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => this.#put(frameId, parentFrameId, session));
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      // A swap is followed by the same frame in another session.
      if (reason === 'remove') this.#remove(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => this.#navigated(frame, session));
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#moved(frameId, url));
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const frameId = context.auxData?.frameId;
      if (context.name === WORLD && frameId !== undefined) this.#documentCame(frameId, session, context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) =>
      this.#documentsWent(session, (document) => document.contextId === executionContextId),
    );
    session.on('Runtime.executionContextsCleared', () => this.#documentsWent(session, () => true));
    session.on('Inspector.targetCrashed', () => this.#documentsWent(session, () => true));
    session.onClosed(() => {
      this.#documentsWent(session, () => true);
      for (const frame of this.frames())
        if (frame.session === session && frame.id !== this.mainId) this.#remove(frame.id);
    });
    void ignoreGone(session.send('Page.getFrameTree').then(({ frameTree }) => this.#adopt(frameTree, session)));
  }

  /** The page is over: every document is gone. */
  end(): void {
    for (const frame of this.frames()) this.#setDocument(frame, null);
  }

  #adopt(tree: ResourceTree, session: CdpSession): void {
    const frame = this.#put(tree.frame.id, tree.frame.parentId ?? null, session);
    // A frame still at its empty first document has no address to tell.
    if (tree.frame.url !== '') frame.url = tree.frame.url + (tree.frame.urlFragment ?? '');
    for (const child of tree.childFrames ?? []) this.#adopt(child, session);
  }

  #put(id: string, parentId: string | null, session: CdpSession): PageFrame {
    const known = this.#frames.get(id);
    if (known !== undefined) {
      known.session = session;
      if (parentId !== null) known.parentId = parentId;
      return known;
    }
    const frame: PageFrame = { id, parentId, session, url: '', document: null, slot: null };
    this.#frames.set(id, frame);
    return frame;
  }

  #remove(id: string): void {
    const frame = this.#frames.get(id);
    if (frame === undefined) return;
    for (const child of this.frames()) if (child.parentId === id) this.#remove(child.id);
    this.#frames.delete(id);
    this.#setDocument(frame, null);
  }

  #navigated(info: FrameInfo, session: CdpSession): void {
    const frame = this.#put(info.id, info.parentId ?? null, session);
    frame.url = info.unreachableUrl ?? info.url + (info.urlFragment ?? '');
    for (const child of this.frames()) if (child.parentId === info.id) this.#remove(child.id);
    // Contexts end before this is told. One that lives on has been given the new document: a window
    // that a script opened keeps its world when it leaves its empty first document.
    if (frame.document !== null) this.#documentCame(frame.id, session, frame.document.contextId);
    if (info.id === this.mainId) this.onAddress.tell({ url: frame.url, sameDocument: false });
  }

  #moved(frameId: string, url: string): void {
    const frame = this.#frames.get(frameId);
    if (frame === undefined || frame.url === url) return;
    frame.url = url;
    if (frameId === this.mainId) this.onAddress.tell({ url, sameDocument: true });
  }

  #documentCame(frameId: string, session: CdpSession, contextId: number): void {
    const frame = this.#frames.get(frameId) ?? this.#put(frameId, null, session);
    frame.session = session;
    this.#setDocument(frame, new PageDocument(frameId, session, contextId, this.#nextPrefix()));
  }

  #documentsWent(session: CdpSession, which: (document: PageDocument) => boolean): void {
    for (const frame of this.frames()) {
      const { document } = frame;
      if (document !== null && document.session === session && which(document)) this.#setDocument(frame, null);
    }
  }

  #setDocument(frame: PageFrame, document: PageDocument | null): void {
    if (frame.document === document) return;
    frame.document?.end();
    frame.document = document;
    frame.slot = null;
    this.onDocument.tell(frame);
  }
}
