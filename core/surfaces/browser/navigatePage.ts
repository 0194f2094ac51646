import { SignalboxError } from '../../contracts/errors.ts';
import type { InputSender } from './inputSender.ts';
import type { PageHost } from './pageHost.ts';

/** Failures before anything reached a server. After the others a server may have seen the request. */
const NEVER_REACHED =
  /ERR_(NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|CONNECTION_REFUSED|CONNECTION_FAILED|ADDRESS_UNREACHABLE|ADDRESS_INVALID|INTERNET_DISCONNECTED|BLOCKED_BY_CLIENT|UNSAFE_PORT|INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|CERT_\w+|SSL_\w+|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|CONNECTION_TIMED_OUT)$/;

const advice: readonly (readonly [RegExp, string])[] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED/, 'No such host is known. Check its name.'],
  [/CONNECTION_REFUSED|CONNECTION_FAILED/, 'Nothing listens there. Check host and port, and that the server runs.'],
  [/CERT_|SSL_/, 'Its certificate or TLS is not in order. Use http://, or have the certificate put right.'],
  [
    /TIMED_OUT|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED/,
    'The host did not answer. Check the address and the network.',
  ],
  [/BLOCKED_BY_CLIENT/, 'That address is out of reach for a surface.'],
  [/UNSAFE_PORT/, 'Browsers refuse that port.'],
];

const navigationFailed = (url: string, errorText: string): SignalboxError => {
  const because = advice.find(([pattern]) => pattern.test(errorText))?.[1] ?? 'Check the address and try again.';
  const code = errorText.includes('BLOCKED_BY_CLIENT') ? 'POLICY_DENIED' : 'INVALID_REQUEST';
  return new SignalboxError(code, `${url} could not be opened: ${errorText}. ${because}`, {
    details: { url, net_error: errorText },
  });
};

/** Sends the main frame to `url`. Resolves when the new document is there, or the answer became a download. */
export const navigatePage = async (host: PageHost, url: string, sender: InputSender): Promise<null> => {
  const answer = await sender.attempt(
    `navigation to ${url}`,
    () => host.session.send('Page.navigate', { url }),
    ({ errorText, isDownload }) => errorText === undefined || isDownload === true || !NEVER_REACHED.test(errorText),
  );
  const { errorText } = answer;
  if (errorText === undefined || answer.isDownload === true) return null;
  if (NEVER_REACHED.test(errorText)) throw navigationFailed(url, errorText);
  // Aborted: another navigation of the page took its place, or the server said there is nothing to show.
  if (!errorText.endsWith('ERR_ABORTED'))
    host.effects.add({ kind: 'navigated', detail: `${url} failed: ${errorText}` });
  return null;
};
