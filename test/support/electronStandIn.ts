import { EventEmitter } from 'node:events';
import type {
  BrowserWindowConstructorOptions,
  Display,
  IpcMainInvokeEvent,
  Menu,
  MenuItemConstructorOptions,
  Rectangle,
  RenderProcessGoneDetails,
  WebContentsWillFrameNavigateEventParams,
  WebFrameMain,
} from 'electron';
import type { ElectronApi, HostApp, HostContents, HostSession, HostWindow } from '../../electron/main/electronApi.ts';

/**
 * A stand-in for the part of Electron the host uses, typed by Electron's own types: when Electron
 * changes a name or a signature, this file no longer compiles. It behaves as Electron's documents
 * say where the host depends on it: order of quit events, what `preventDefault` stops, frames.
 */

type Listener = (...args: never[]) => void;

/** Electron's overloaded `on`, backed by an emitter. */
const listenOn = <On>(emitter: EventEmitter): On =>
  ((event: string, listener: Listener) => emitter.on(event, listener as (...args: unknown[]) => void)) as unknown as On;

const preventable = <T extends object>(details: T) => {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event;
};

/** The parts of a frame that the host looks at. */
export const frameAt = (url: string): WebFrameMain =>
  ({ url, origin: new URL(url).origin }) satisfies Pick<WebFrameMain, 'url' | 'origin'> as unknown as WebFrameMain;

export class StandInContents implements HostContents {
  readonly events = new EventEmitter();
  readonly on = listenOn<HostContents['on']>(this.events);
  mainFrame: WebFrameMain = frameAt('about:blank');
  reloads = 0;
  #openHandler: Parameters<HostContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });

  getURL(): string {
    return this.mainFrame.url;
  }

  reload(): void {
    this.reloads += 1;
  }

  setWindowOpenHandler(handler: Parameters<HostContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler;
  }

  /** What a page does by `location = url`, a link or a form; true when it went there. */
  pageNavigates(url: string, event: 'will-frame-navigate' | 'will-redirect' = 'will-frame-navigate'): boolean {
    const details = { url, isMainFrame: true, isSameDocument: false } satisfies Pick<
      WebContentsWillFrameNavigateEventParams,
      'url' | 'isMainFrame' | 'isSameDocument'
    >;
    const navigation = preventable(details);
    this.events.emit(event, navigation);
    if (!navigation.defaultPrevented) this.mainFrame = frameAt(url);
    return !navigation.defaultPrevented;
  }

  /** What a page does by `window.open` or target=_blank. */
  pageOpens(url: string): 'allow' | 'deny' {
    return this.#openHandler({
      url,
      frameName: '',
      features: '',
      disposition: 'foreground-tab',
      referrer: { url: '', policy: 'no-referrer' },
    }).action;
  }

  /** What a page does by `<webview>`; true when the guest was attached. */
  pageAttachesGuest(): boolean {
    const event = preventable({});
    this.events.emit('will-attach-webview', event, {}, {});
    return !event.defaultPrevented;
  }

  crashes(reason: RenderProcessGoneDetails['reason'] = 'crashed'): void {
    const details: RenderProcessGoneDetails = { reason, exitCode: 5 };
    this.events.emit('render-process-gone', {}, details);
  }
}

export class StandInWindow implements HostWindow {
  readonly events = new EventEmitter();
  readonly on = listenOn<HostWindow['on']>(this.events);
  readonly once = ((event: string, listener: Listener) =>
    this.events.once(event, listener as (...args: unknown[]) => void)) as unknown as HostWindow['once'];
  readonly webContents = new StandInContents();
  readonly options: BrowserWindowConstructorOptions;
  visible = false;
  focused = 0;
  minimized = false;
  maximized = false;
  bounds: Rectangle;
  #destroyed = false;
  readonly #onClosed: (window: StandInWindow) => void;

  constructor(options: BrowserWindowConstructorOptions, onClosed: (window: StandInWindow) => void) {
    this.options = options;
    this.#onClosed = onClosed;
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
  }

  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame = frameAt(url);
    this.events.emit('ready-to-show');
  }
  focus(): void {
    this.focused += 1;
  }
  show(): void {
    this.visible = true;
  }
  restore(): void {
    this.minimized = false;
  }
  maximize(): void {
    this.maximized = true;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }

  /** The person closes the window. */
  personCloses(): void {
    this.events.emit('close', preventable({}));
    this.#destroyed = true;
    this.events.emit('closed');
    this.#onClosed(this);
  }
}

export interface StandIn {
  readonly electron: ElectronApi;
  readonly windows: readonly StandInWindow[];
  readonly errorBoxes: readonly { readonly title: string; readonly content: string }[];
  readonly openedExternally: readonly string[];
  readonly menu: () => readonly MenuItemConstructorOptions[];
  readonly sandboxEnabled: () => boolean;
  readonly userData: () => string;
  /** Another process of the same data folder starts. */
  readonly secondInstance: () => void;
  readonly activate: () => void;
  /** A web contents that is not the console's window comes into being. */
  readonly otherContents: () => StandInContents;
  /** A page asks for a permission. */
  readonly asksPermission: (
    permission: 'clipboard-sanitized-write' | 'media' | 'notifications',
    url: string,
  ) => boolean;
  readonly checksPermission: (permission: 'clipboard-sanitized-write' | 'geolocation', origin: string) => boolean;
  readonly asksDevice: () => boolean;
  /** `ipcRenderer.invoke` from a frame. */
  readonly invoke: (channel: string, frame: WebFrameMain | null) => Promise<unknown>;
  readonly quit: () => void;
  /** Resolves with the exit code when the process would end. */
  readonly exited: Promise<number>;
}

export interface StandInOptions {
  readonly userData: string;
  readonly isFirstInstance?: boolean;
  readonly workArea?: Rectangle;
}

/** A fresh Electron of one process. */
export const createElectronStandIn = (options: StandInOptions): StandIn => {
  const appEvents = new EventEmitter();
  const windows: StandInWindow[] = [];
  const errorBoxes: { title: string; content: string }[] = [];
  const openedExternally: string[] = [];
  const handlers = new Map<string, (event: IpcMainInvokeEvent) => unknown>();
  let menu: MenuItemConstructorOptions[] = [];
  let sandbox = false;
  let { userData } = options;
  let permissionRequest: Parameters<HostSession['setPermissionRequestHandler']>[0] = null;
  let permissionCheck: Parameters<HostSession['setPermissionCheckHandler']>[0] = null;
  let deviceHandler: Parameters<HostSession['setDevicePermissionHandler']>[0] = null;
  let end: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    end = resolve;
  });

  const closed = (window: StandInWindow): void => {
    windows.splice(windows.indexOf(window), 1);
    if (windows.length === 0) appEvents.emit('window-all-closed');
  };

  /** Electron closes all windows, then asks by `will-quit`, then ends. */
  const quit = (): void => {
    for (const window of [...windows]) {
      window.events.emit('close', preventable({}));
      windows.splice(windows.indexOf(window), 1);
    }
    const event = preventable({});
    appEvents.emit('will-quit', event);
    if (!event.defaultPrevented) end(0);
  };

  const app: HostApp = {
    enableSandbox: () => {
      sandbox = true;
    },
    exit: (code = 0) => end(code),
    getPath: () => userData,
    on: listenOn<HostApp['on']>(appEvents),
    quit,
    requestSingleInstanceLock: () => options.isFirstInstance ?? true,
    setPath: (_name, folder) => {
      userData = folder;
    },
    whenReady: async () => undefined,
  };

  const created = (contents: StandInContents): void => {
    appEvents.emit('web-contents-created', {}, contents);
  };

  class Window extends StandInWindow {
    constructor(windowOptions: BrowserWindowConstructorOptions) {
      super(windowOptions, closed);
      windows.push(this);
      created(this.webContents);
    }
  }

  const electron: ElectronApi = {
    app,
    BrowserWindow: Window,
    dialog: {
      showErrorBox: (title, content) => {
        errorBoxes.push({ title, content });
      },
    },
    ipcMain: {
      handle: (channel, listener) => {
        handlers.set(channel, listener);
      },
    },
    Menu: {
      buildFromTemplate: (template) => {
        menu = template as MenuItemConstructorOptions[];
        return {} as Menu;
      },
      setApplicationMenu: () => undefined,
    },
    nativeTheme: { shouldUseDarkColors: true },
    screen: {
      getDisplayMatching: () =>
        ({ workArea: options.workArea ?? { x: 0, y: 0, width: 1_920, height: 1_080 } }) as Display,
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler) => {
          permissionRequest = handler;
        },
        setPermissionCheckHandler: (handler) => {
          permissionCheck = handler;
        },
        setDevicePermissionHandler: (handler) => {
          deviceHandler = handler;
        },
      },
    },
    shell: {
      openExternal: async (url) => {
        openedExternally.push(url);
      },
    },
  };

  return {
    electron,
    windows,
    errorBoxes,
    openedExternally,
    menu: () => menu,
    sandboxEnabled: () => sandbox,
    userData: () => userData,
    secondInstance: () => appEvents.emit('second-instance', {}, [], '', {}),
    activate: () => appEvents.emit('activate', {}, false),
    otherContents: () => {
      const contents = new StandInContents();
      created(contents);
      return contents;
    },
    asksPermission: (permission, url) => {
      let granted = true;
      permissionRequest?.(
        {} as Parameters<typeof permissionRequest>[0],
        permission,
        (answer) => {
          granted = answer;
        },
        { requestingUrl: url, isMainFrame: true },
      );
      return granted;
    },
    checksPermission: (permission, origin) =>
      permissionCheck?.(null, permission, origin, { isMainFrame: true, requestingUrl: origin }) ?? true,
    asksDevice: () => deviceHandler?.({ deviceType: 'usb', origin: 'http://x.test', device: {} as never }) ?? true,
    invoke: async (channel, frame) => {
      const handler = handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return handler({ senderFrame: frame } satisfies Pick<IpcMainInvokeEvent, 'senderFrame'> as IpcMainInvokeEvent);
    },
    quit,
    exited,
  };
};
