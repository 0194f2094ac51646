import { create } from 'zustand';

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

/** The token this tab had before a reload. */
export const keptToken = (): string | null => sessionStorage.getItem(STORAGE_KEY);

export const useSession = create<{ readonly session: Session }>(() => ({ session: { status: 'starting' } }));

export const currentToken = (): string | null => {
  const { session } = useSession.getState();
  return session.status === 'signed_in' ? session.token : null;
};

export const signedIn = (token: string): void => {
  sessionStorage.setItem(STORAGE_KEY, token);
  useSession.setState({ session: { status: 'signed_in', token } });
};

export const signOut = (reason: SignedOutReason): void => {
  sessionStorage.removeItem(STORAGE_KEY);
  useSession.setState({ session: { status: 'signed_out', reason } });
};

/** The server does not know the token (any more). In the desktop app a new one is asked for, once per token. */
export const tokenRefused = async (refused: string): Promise<void> => {
  if (currentToken() !== refused) return;
  const next = await window.signalbox?.token();
  if (next !== undefined && next !== refused) signedIn(next);
  else signOut('refused');
};
