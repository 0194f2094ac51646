import { rest } from './rest.ts';
import { isRestError } from './restError.ts';
import { keptToken, signedIn, signOut } from './token.ts';

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
    const kept = keptToken();
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
  const kept = keptToken();
  if (kept === null) signOut('no_token');
  else signedIn(kept);
};

/** A pasted token: checked before it is kept. */
export const signInWith = async (token: string): Promise<void> => {
  await rest('me', {}, token);
  signedIn(token);
};
