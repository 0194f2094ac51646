import type {
  App,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Dialog,
  IpcMain,
  Menu,
  NativeTheme,
  Screen,
  Session,
  Shell,
  WebContents,
} from 'electron';

/** The part of Electron the host uses. Its tests run the host on a stand-in of exactly this. */
export interface ElectronApi {
  readonly app: HostApp;
  readonly BrowserWindow: new (options: BrowserWindowConstructorOptions) => HostWindow;
  readonly dialog: Pick<Dialog, 'showErrorBox'>;
  readonly ipcMain: Pick<IpcMain, 'handle'>;
  readonly Menu: Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'>;
  readonly nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'>;
  readonly screen: Pick<Screen, 'getDisplayMatching'>;
  readonly session: { readonly defaultSession: HostSession };
  readonly shell: Pick<Shell, 'openExternal'>;
}

export type HostApp = Pick<
  App,
  'enableSandbox' | 'exit' | 'getPath' | 'on' | 'quit' | 'requestSingleInstanceLock' | 'setPath' | 'whenReady'
>;

export type HostSession = Pick<
  Session,
  'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
>;

export type HostContents = Pick<WebContents, 'getURL' | 'mainFrame' | 'on' | 'reload' | 'setWindowOpenHandler'>;

export type HostWindow = Pick<
  BrowserWindow,
  | 'focus'
  | 'getNormalBounds'
  | 'isDestroyed'
  | 'isMaximized'
  | 'isMinimized'
  | 'loadURL'
  | 'maximize'
  | 'on'
  | 'once'
  | 'restore'
  | 'show'
> & { readonly webContents: HostContents };
