import type { ElectronApi, HostContents, HostSession } from './electronApi.ts';

const isOnOrigin = (url: string, origin: string): boolean => URL.canParse(url) && new URL(url).origin === origin;

/** Only plain https addresses leave the console, and only into the person's own browser. */
const isSafeExternal = (url: string): boolean => {
  if (url.length > 2_048 || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
};

/** A page of the console may show the console only: no other page, no window, no embedded guest. */
export const guardContents = (contents: HostContents, origin: string, shell: ElectronApi['shell']): void => {
  contents.on('will-frame-navigate', (event) => {
    if (!isOnOrigin(event.url, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOnOrigin(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isSafeExternal(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
};

/** Everything is refused, except that the console may put text on the clipboard (its copy buttons). */
export const denyPermissions = (session: HostSession, origin: string): void => {
  const isAllowed = (permission: string, from: string): boolean =>
    permission === 'clipboard-sanitized-write' && isOnOrigin(from, origin);
  session.setPermissionRequestHandler((_contents, permission, callback, details) =>
    callback(isAllowed(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowed(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
};
