import path from 'node:path';
import type { OpenSurfaceInput } from '../contracts/ownTools.ts';
import type { Ids, SurfaceProvider } from '../kernel/ports.ts';
import { createBrowserProvider } from '../surfaces/browser/browserProvider.ts';
import { createTerminalProvider } from '../surfaces/terminal/terminalPlaceholder.ts';

export interface ProviderOptions {
  readonly dataFolder: string;
  readonly ids: Ids;
  /** Port of this console, out of reach for every browser surface; null until it listens. */
  readonly consolePort: () => number | null;
  readonly chromium?: string;
  readonly headless?: boolean;
  readonly onBackgroundError: (error: unknown, doing: string) => void;
}

export const createProviders = (options: ProviderOptions): readonly SurfaceProvider[] => {
  const { dataFolder, ids, consolePort, chromium, headless, onBackgroundError } = options;
  const browser = createBrowserProvider({
    ids,
    downloads: path.join(dataFolder, 'downloads'),
    profiles: path.join(dataFolder, 'profiles'),
    uploads: path.join(dataFolder, 'uploads'),
    blockedPorts: () => [consolePort()].filter((port) => port !== null),
    ...(chromium === undefined ? {} : { executablePath: chromium }),
    ...(headless === undefined ? {} : { headless }),
    onBackgroundError,
  });
  return [browser, createTerminalProvider()];
};

/** A browser and a terminal stand in the list from the start; the browser starts when it is first used. */
const first: readonly OpenSurfaceInput[] = [
  { kind: 'browser', label: 'Browser' },
  { kind: 'terminal', label: 'Terminal' },
];
export const initialSurfaces = (providers: readonly SurfaceProvider[]): readonly OpenSurfaceInput[] =>
  first.filter(({ kind }) => providers.some((provider) => provider.kind === kind));
