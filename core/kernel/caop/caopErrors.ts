import { SignalboxError } from '../../contracts/errors.ts';

export const invalid = (path: string, message: string, details: Record<string, unknown> = {}): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', `${path}: ${message}`, {
    details: { issues: [{ path, message }], ...details },
  });

export const notFound = (what: string): SignalboxError =>
  new SignalboxError('NOT_FOUND', `There is no ${what}. Check the id, and that it is yours to see.`);

export const forbidden = (message: string, details: Record<string, unknown> = {}): SignalboxError =>
  new SignalboxError('FORBIDDEN', message, { details });
