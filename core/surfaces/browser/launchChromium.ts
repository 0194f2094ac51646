import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { SignalboxError } from '../../contracts/errors.ts';
import { within } from '../common/within.ts';
import { createPipeTransport } from './cdpTransport.ts';
import type { CdpTransport } from './cdpTransport.ts';

export interface LaunchOptions {
  readonly executablePath: string;
  readonly headless: boolean;
  /** Folder of a named profile; a temporary one, removed at the end, when omitted. */
  readonly profile?: string;
  /** Further switches (network rules). */
  readonly args: readonly string[];
}

export interface LaunchedChromium {
  readonly transport: CdpTransport;
  readonly pid: number;
  /** Resolves when the process has ended and its temporary profile is removed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 3_000;
const TEMPORARY = 'signalbox-browser-';

const switches = [
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-quic',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-client-side-phishing-detection',
  '--disable-search-engine-choice-screen',
  '--disable-prompt-on-repost',
  '--disable-hang-monitor',
  '--disable-infobars',
  '--metrics-recording-only',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  '--export-tagged-pdf',
  '--force-color-profile=srgb',
  '--mute-audio',
  '--hide-crash-restore-bubble',
  // A page nobody looks at must still draw frames: acts are measured in frames.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-ipc-flooding-protection',
  '--disable-back-forward-cache',
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,CertificateTransparencyComponentUpdater,DestroyProfileOnBrowserClose,GlobalMediaControls,PaintHolding,Prerender2,HttpsUpgrades,AutofillServerCommunication',
  '--window-size=1280,800',
];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Temporary profiles are named for our process; those of dead ones were left by a kill. */
const removeLeftProfiles = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${TEMPORARY}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
};

const temporaryProfile = async (): Promise<string> => {
  await removeLeftProfiles();
  return mkdtemp(join(tmpdir(), `${TEMPORARY}${process.pid}-`));
};

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Starts Chromium, without a shell and without taking the user's focus. */
export const launchChromium = async (options: LaunchOptions): Promise<LaunchedChromium> => {
  const temporary = options.profile === undefined ? await temporaryProfile() : null;
  const profile = options.profile ?? temporary ?? '';
  await mkdir(profile, { recursive: true, mode: 0o700 });
  const child = spawn(
    options.executablePath,
    [
      ...switches,
      ...options.args,
      `--user-data-dir=${profile}`,
      ...(options.headless ? ['--headless=new', '--hide-scrollbars', '--disable-gpu'] : []),
      ...(process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--no-startup-window',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32', windowsHide: true },
  );
  const tail = keepTail(child);
  const onExit = (): void => killGroup(child);
  process.once('exit', onExit);
  const ended = new Promise<void>((resolve) => {
    const done = async (): Promise<void> => {
      process.off('exit', onExit);
      killGroup(child);
      if (temporary !== null) await rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    };
    child.once('close', () => void done().then(resolve, () => resolve()));
    child.once('error', () => void done().then(resolve, () => resolve()));
  });
  await started(child, tail);
  const transport = createPipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
  return {
    transport,
    pid: child.pid ?? -1,
    ended,
    async close() {
      // A closed pipe makes Chromium end in good order, with its profile written.
      transport.close();
      const end = await within(ended, CLOSE_TIMEOUT_MS);
      if (end.kind === 'value') return;
      killGroup(child);
      await ended;
    },
  };
};

const keepTail = (child: ChildProcess): (() => string) => {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-2_000)));
  return () => tail.trim();
};

const started = async (child: ChildProcess, tail: () => string): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', (cause) =>
      reject(
        new SignalboxError(
          'SURFACE_GONE',
          `The browser did not start (${cause.message}). Check CHROMIUM_PATH. ${tail()}`.trim(),
          { cause },
        ),
      ),
    );
  });
};
