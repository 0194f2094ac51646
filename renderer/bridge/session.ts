import { create } from 'zustand';
import { rest } from './rest.ts';
import { isRestError } from './restError.ts';

/** Read-only bridge of the desktop app's preload; absent in a browser. */
declare global {
  interface Window {
    readonly signalbox?: { readonly token: () => Promise<string>; readonly platform: string };
  }
}

export type SignedOutReason = 'no_token' | 'bad_code' | 'refused' | 'unreachable';

export type Session =
  | { readonly status: 'starting' }
  | { readonly status: 'signed_out'; readonly reason: SignedOutReason }
  | { readonly status: 'signed_in'; readonly token: string };

const STORAGE_KEY = 'signalbox.token';

export const useSession = create<{ readonly session: Session }>(() => ({ session: { status: 'starting' } }));

export const currentToken = (): string | null => {
  const { session } = useSession.getState();
  return session.status === 'signed_in' ? session.token : null;
};

const signedIn = (token: string): void => {
  sessionStorage.setItem(STORAGE_KEY, token);
  useSession.setState({ session: { status: 'signed_in', token } });
};

export const signOut = (reason: SignedOutReason): void => {
  sessionStorage.removeItem(STORAGE_KEY);
  useSession.setState({ session: { status: 'signed_out', reason } });
};

/** Takes the single-use code out of the address and out of history before anything else happens. */
const takeCode = (): string | null => {
  const match = /^#code=([^&]+)/.exec(window.location.hash);
  if (match?.[1] === undefined) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return decodeURIComponent(match[1]);
};

const exchange = async (code: string): Promise<void> => {
  try {
    signedIn((await rest('session', { body: { code } })).token);
  } catch (error) {
    const kept = sessionStorage.getItem(STORAGE_KEY);
    if (kept !== null) signedIn(kept);
    else signOut(isRestError(error) && error.status === 0 ? 'unreachable' : 'bad_code');
  }
};

/** Where the token comes from, in order: the opener URL's code, the desktop app, this tab's storage. */
export const startSession = async (): Promise<void> => {
  const code = takeCode();
  if (code !== null) return exchange(code);
  const host = window.signalbox;
  if (host !== undefined) return signedIn(await host.token());
  const kept = sessionStorage.getItem(STORAGE_KEY);
  if (kept === null) signOut('no_token');
  else signedIn(kept);
};

/** The server does not know the token (any more). In the desktop app a new one is asked for, once per token. */
export const tokenRefused = async (refused: string): Promise<void> => {
  if (currentToken() !== refused) return;
  const next = await window.signalbox?.token();
  if (next !== undefined && next !== refused) signedIn(next);
  else signOut('refused');
};

/** A pasted token: checked before it is kept. */
export const signInWith = async (token: string): Promise<void> => {
  await rest('me', {}, token);
  signedIn(token);
};
