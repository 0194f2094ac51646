import { InvalidArgumentError } from 'commander';
import { SignalboxError } from '../contracts/errors.ts';

export const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('Give a number from 0 (any free one) to 65535.');
  return port;
};

/** A wrong use of the command line: exit code 2. */
export const usageError = (message: string): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', message, { details: { exit_code: 2 } });
