import { SignalboxError } from '../contracts/errors.ts';

const MOST_DEEP = 64;

/**
 * Parsed JSON can hold what no log can: characters that are no text, numbers beyond a double's range, and
 * nesting without end. Such a body is refused whole.
 */
export const refuseUnstorable = (value: unknown): void => walk(value, '', 0);

const refuse = (path: string, why: string): never => {
  const at = path === '' ? 'body' : path;
  throw new SignalboxError('INVALID_REQUEST', `${at}: ${why}`, { details: { issues: [{ path: at, message: why }] } });
};

const checkText = (text: string, path: string): void => {
  if (text.includes('\0')) refuse(path, 'The text holds a NUL character. Leave it out.');
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)) {
    refuse(path, 'The text holds half a character (a lone surrogate). Send well-formed Unicode.');
  }
};

const walk = (value: unknown, path: string, depth: number): void => {
  if (depth > MOST_DEEP) refuse(path, `It is nested more than ${MOST_DEEP} levels deep. Flatten it.`);
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(path, 'The number is too large to be kept.');
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, `${path}[]`, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    checkText(key, path);
    walk(item, path === '' ? key : `${path}.${key}`, depth + 1);
  }
};
