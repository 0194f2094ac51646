import type { CDPSession } from 'playwright-core';

/**
 * The port to a Chromium page. Implemented over our own connection to a launched or remote browser;
 * an embedded view implements it over its own debugger. Method names and shapes are the DevTools
 * Protocol's.
 */

/** Typed by playwright-core's copy of the protocol. Rejects with `CdpError`. */
export type CdpSend = CDPSession['send'];

export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
  readonly openerId?: string;
  readonly browserContextId?: string;
}

export interface FrameInfo {
  readonly id: string;
  readonly parentId?: string;
  readonly loaderId: string;
  readonly url: string;
  readonly urlFragment?: string;
  readonly unreachableUrl?: string;
  readonly securityOrigin?: string;
}

export interface RequestInfo {
  readonly requestId: string;
  readonly loaderId: string;
  readonly frameId?: string;
  readonly type?: string;
  readonly request: { readonly url: string; readonly method: string };
}

/** The events we listen to, with what we read of them. */
export interface CdpEvents {
  'Target.attachedToTarget': { sessionId: string; targetInfo: TargetInfo; waitingForDebugger: boolean };
  'Target.detachedFromTarget': { sessionId: string; targetId?: string };
  'Target.targetInfoChanged': { targetInfo: TargetInfo };
  'Target.targetDestroyed': { targetId: string };
  'Target.targetCrashed': { targetId: string; status: string; errorCode: number };
  'Inspector.targetCrashed': Record<string, never>;
  'Page.frameAttached': { frameId: string; parentFrameId: string };
  'Page.frameDetached': { frameId: string; reason: 'remove' | 'swap' };
  'Page.frameNavigated': { frame: FrameInfo; type: string };
  'Page.frameStartedLoading': { frameId: string };
  'Page.frameStoppedLoading': { frameId: string };
  /** Told inside the page's own task, before anything is sent: a navigation that a click begins is known at once. */
  'Page.frameRequestedNavigation': { frameId: string; url: string; disposition: string };
  'Page.fileChooserOpened': { frameId: string; mode: string };
  'Page.navigatedWithinDocument': { frameId: string; url: string };
  'Page.lifecycleEvent': { frameId: string; loaderId: string; name: string };
  'Page.javascriptDialogOpening': {
    url: string;
    message: string;
    type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
    defaultPrompt?: string;
  };
  'Page.javascriptDialogClosed': { result: boolean; userInput: string };
  'Page.screencastFrame': { data: string; sessionId: number; metadata: { timestamp?: number } };
  'Runtime.executionContextCreated': {
    context: { id: number; name: string; auxData?: { frameId?: string; isDefault?: boolean } };
  };
  'Runtime.executionContextDestroyed': { executionContextId: number };
  'Runtime.executionContextsCleared': Record<string, never>;
  'Network.requestWillBeSent': RequestInfo;
  'Network.responseReceived': {
    requestId: string;
    loaderId: string;
    frameId?: string;
    type: string;
    response: { url: string; status: number; mimeType: string };
  };
  'Network.loadingFinished': { requestId: string };
  'Network.loadingFailed': { requestId: string; errorText: string; canceled?: boolean };
  'Fetch.requestPaused': { requestId: string; request: { url: string }; resourceType: string };
  'Input.dragIntercepted': { data: DragData };
  'Browser.downloadWillBegin': { frameId: string; guid: string; url: string; suggestedFilename: string };
  'Browser.downloadProgress': {
    guid: string;
    totalBytes: number;
    receivedBytes: number;
    state: 'inProgress' | 'completed' | 'canceled';
  };
}

/** What a native drag carries: `Input.DragData`. */
export interface DragData {
  readonly items: { mimeType: string; data: string; title?: string; baseURL?: string }[];
  readonly files?: string[];
  readonly dragOperationsMask: number;
}

export interface CdpSession {
  readonly sessionId: string;
  readonly send: CdpSend;
  /** True once the target has gone away: nothing more can be sent. */
  readonly closed: boolean;
  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E]) => void): Disposable;
  /** Told once, when the session has gone away. */
  onClosed(listener: () => void): Disposable;
}

/** Why a page ended: its tab was closed, its renderer died, or the browser itself went away. */
export type TargetEnd = 'closed' | 'crashed' | 'browser_gone';

export interface PopupFound {
  readonly target: CdpTarget;
  readonly info: TargetInfo;
}

export interface DownloadProgress {
  readonly guid: string;
  /** Frame that asked for it. */
  readonly frameId: string;
  readonly url: string;
  readonly name: string;
  readonly state: 'begun' | 'completed' | 'cancelled';
  readonly bytes: number;
  /** Where the finished file is. */
  readonly path?: string;
}

/**
 * One page. It is given paused at its first document; `resume` lets it run once everything that must
 * be there before the page's own code is in place.
 */
export interface CdpTarget {
  readonly targetId: string;
  readonly session: CdpSession;
  resume(): Promise<void>;
  /** Sessions of out-of-process frames, each given paused too: resume it with `resumeSession`. */
  onFrameSession(listener: (session: CdpSession, info: TargetInfo) => void): Disposable;
  resumeSession(session: CdpSession): Promise<void>;
  onInfo(listener: (info: TargetInfo) => void): Disposable;
  onPopup(listener: (popup: PopupFound) => void): Disposable;
  onDownload(listener: (download: DownloadProgress) => void): Disposable;
  onEnd(listener: (end: TargetEnd) => void): Disposable;
  close(): Promise<void>;
}

/** A command the browser refused or could not finish. */
export class CdpError extends Error {
  readonly method: string;
  /** `gone`: the session or its document went away before the answer came. */
  readonly reason: 'refused' | 'gone';

  constructor(method: string, message: string, reason: 'refused' | 'gone') {
    super(`${method}: ${message}`);
    this.name = 'CdpError';
    this.method = method;
    this.reason = reason;
  }
}
