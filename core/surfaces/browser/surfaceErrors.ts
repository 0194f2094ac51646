import { SignalboxError } from '../../contracts/errors.ts';
import type { TargetEnd } from './cdpTarget.ts';

export const surfaceGone = (cause?: unknown): SignalboxError =>
  new SignalboxError(
    'SURFACE_GONE',
    'The page ended before anything was sent. It is opened again when it is next used.',
    { cause },
  );

export const surfaceClosed = (id: string): SignalboxError =>
  new SignalboxError('SURFACE_GONE', `${id} was closed. Call operator.list_surfaces for those there are.`);

export const unknownOutcome = (end: TargetEnd, cause?: unknown): SignalboxError =>
  new SignalboxError(
    'OUTCOME_UNKNOWN',
    `The input was sent, then ${end === 'crashed' ? 'the page crashed' : 'the browser ended'}. ` +
      'Whether it took effect is not known; a person decides. Do not repeat it.',
    { cause },
  );

export const pageBusy = (): SignalboxError =>
  new SignalboxError(
    'TIMEOUT',
    'The page is too busy to answer. Nothing was sent. Wait with operator.settle and try again.',
  );

export const noApplications = (): SignalboxError =>
  new SignalboxError(
    'NOT_SUPPORTED',
    'A browser surface has no applications to raise (operator/desktop@1). Use operator.navigate.',
    { details: { facet: 'operator/desktop@1' } },
  );
