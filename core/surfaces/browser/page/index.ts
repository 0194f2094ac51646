import type { PageAgent } from '../pageProtocol.ts';
import { startAgent } from './agent.ts';

declare global {
  // The host calls it by this name through Runtime.callFunctionOn.
  var __signalbox: PageAgent | undefined;
}

globalThis.__signalbox ??= startAgent();
