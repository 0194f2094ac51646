import { createListeners } from '../common/listeners.ts';
import type { CdpConnection } from './cdpConnection.ts';
import { CdpError } from './cdpTarget.ts';
import type { CdpSession, CdpTarget, DownloadProgress, PopupFound, TargetEnd, TargetInfo } from './cdpTarget.ts';

/** A page of a browser that we speak to over our own connection. */
export class ChromiumPage implements CdpTarget {
  readonly targetId: string;
  readonly session: CdpSession;
  readonly openerId: string | undefined;
  readonly #connection: CdpConnection;
  readonly #root: CdpSession;
  readonly #frameSessions = createListeners<{ session: CdpSession; info: TargetInfo }>();
  readonly #info = createListeners<TargetInfo>();
  readonly #popups = createListeners<PopupFound>();
  readonly #downloads = createListeners<DownloadProgress>();
  readonly #ends = createListeners<TargetEnd>();
  #ended: TargetEnd | null = null;

  constructor(connection: CdpConnection, session: CdpSession, info: TargetInfo) {
    this.targetId = info.targetId;
    this.openerId = info.openerId;
    this.session = session;
    this.#connection = connection;
    this.#root = connection.root;
    session.on('Inspector.targetCrashed', () => this.end('crashed'));
    this.#attachFrames(session);
  }

  async resume(): Promise<void> {
    await this.resumeSession(this.session);
  }

  async resumeSession(session: CdpSession): Promise<void> {
    await session.send('Runtime.runIfWaitingForDebugger');
  }

  onFrameSession(listener: (session: CdpSession, info: TargetInfo) => void): Disposable {
    return this.#frameSessions.add(({ session, info }) => listener(session, info));
  }

  onInfo(listener: (info: TargetInfo) => void): Disposable {
    return this.#info.add(listener);
  }

  onPopup(listener: (popup: PopupFound) => void): Disposable {
    return this.#popups.add(listener);
  }

  onDownload(listener: (download: DownloadProgress) => void): Disposable {
    return this.#downloads.add(listener);
  }

  onEnd(listener: (end: TargetEnd) => void): Disposable {
    return this.#ends.add(listener);
  }

  async close(): Promise<void> {
    if (this.#ended === 'closed' || this.#ended === 'browser_gone') return;
    try {
      await this.#root.send('Target.closeTarget', { targetId: this.targetId });
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
    }
  }

  // ---- told by the browser ----------------------------------------------------------------------

  end(end: TargetEnd): void {
    // A crashed page is closed later; that second end is no news.
    if (this.#ended !== null) return;
    this.#ended = end;
    this.#ends.tell(end);
  }

  tellInfo(info: TargetInfo): void {
    this.#info.tell(info);
  }

  /** False when nobody wants it. */
  tellPopup(popup: PopupFound): boolean {
    if (this.#popups.size === 0) return false;
    this.#popups.tell(popup);
    return true;
  }

  tellDownload(download: DownloadProgress): void {
    this.#downloads.tell(download);
  }

  #attachFrames(session: CdpSession): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
      const child = this.#connection.session(sessionId);
      if (targetInfo.type !== 'iframe') {
        // A worker. It is held up however the attaching is filtered, so it must be let go.
        void ignoreGone(this.resumeSession(child));
        void ignoreGone(session.send('Target.detachFromTarget', { sessionId }));
        return;
      }
      this.#attachFrames(child);
      if (this.#frameSessions.size > 0) this.#frameSessions.tell({ session: child, info: targetInfo });
      else if (waitingForDebugger) void ignoreGone(this.resumeSession(child));
    });
    void ignoreGone(
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
      }),
    );
  }
}

/** For commands to a session that may just have ended: its end is told by an event of its own. */
export const ignoreGone = async (command: Promise<unknown>): Promise<void> => {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
  }
};
