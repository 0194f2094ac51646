import { SignalboxError } from '../../contracts/errors.ts';
import type { CdpSession } from './cdpTarget.ts';
import { ignoreGone } from './chromiumPage.ts';

/**
 * Keeps the console out of every page's reach: its ports on any loopback name, and the schemes that
 * read the machine or the browser itself. Refused at the network layer, whoever asks.
 */
export interface NetworkGuard {
  /** Why an address is out of reach, as a sentence; null when it is not. */
  refusal(url: string): string | null;
  /** Switches for a browser of our own: they also hold for workers and WebSockets. */
  readonly switches: () => readonly string[];
  /** Call before the session is resumed. */
  protect(session: CdpSession): Promise<void>;
}

const REFUSED_SCHEMES = new Set([
  'file:',
  'chrome:',
  'chrome-untrusted:',
  'chrome-extension:',
  'devtools:',
  'view-source:',
]);
/** Unspecified addresses reach loopback too. */
const loopbackPatterns = ['127.*', 'localhost', '*.localhost', '[::1]', '0.0.0.0', '[::]'];
const LOOPBACK = /^(127(\.\d+){3}|0\.0\.0\.0|localhost|.+\.localhost|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])\.?$/;

const parse = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null);

const portOf = (url: URL): number => {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80;
};

const resolverRules = (port: number): string[] =>
  loopbackPatterns.map((host) => `MAP ${host.replace(/^\[|\]$/g, '')}:${port} ^NOTFOUND`);

const fetchPatterns = (ports: readonly number[]): { urlPattern: string }[] => [
  ...[...REFUSED_SCHEMES].map((scheme) => ({ urlPattern: `${scheme}*` })),
  ...ports.flatMap((port) => loopbackPatterns.map((host) => ({ urlPattern: `*://${host}:${port}/*` }))),
];

/** `ports`: those of this console, asked for each time, since it may listen after the browser is made. */
export const createNetworkGuard = (ports: () => readonly number[]): NetworkGuard => {
  const refusal = (address: string): string | null => {
    const url = parse(address);
    if (url === null) return null;
    if (REFUSED_SCHEMES.has(url.protocol))
      return `Addresses of the kind ${url.protocol} are out of reach for a surface.`;
    if (LOOPBACK.test(url.hostname) && ports().includes(portOf(url))) {
      return 'The console of Signalbox is out of reach for a surface.';
    }
    return null;
  };
  return {
    refusal,
    switches: () => {
      const rules = ports().flatMap(resolverRules);
      return rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(',')}`];
    },
    async protect(session) {
      session.on('Fetch.requestPaused', ({ requestId, request }) => {
        // A pattern is wider than what is meant: an address may only mention the console.
        void ignoreGone(
          refusal(request.url) === null
            ? session.send('Fetch.continueRequest', { requestId })
            : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }),
        );
      });
      await session.send('Fetch.enable', { patterns: fetchPatterns(ports()) });
    },
  };
};

/** The address an agent gives to navigate to, checked. Throws INVALID_REQUEST or POLICY_DENIED. */
export const checkedAddress = (given: string, guard: NetworkGuard): string => {
  const url = parse(given.trim());
  if (url === null) {
    throw new SignalboxError(
      'INVALID_REQUEST',
      `"${given.slice(0, 200)}" is not an absolute address. Give one that begins with http:// or https://.`,
    );
  }
  const refusal = guard.refusal(url.href);
  if (refusal !== null) throw new SignalboxError('POLICY_DENIED', `${refusal} Nothing was sent.`);
  const allowed = url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'data:';
  if (allowed || url.href === 'about:blank') return url.href;
  throw new SignalboxError(
    'INVALID_REQUEST',
    `A surface cannot be sent to ${url.protocol} addresses. Give one that begins with http:// or https://, or about:blank.`,
  );
};
