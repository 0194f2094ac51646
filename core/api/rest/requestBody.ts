import { SignalboxError } from '../../contracts/errors.ts';
import { refuseUnstorable } from '../storable.ts';

const maxBodyBytes = 1_048_576;

const tooLarge = (): SignalboxError =>
  new SignalboxError('INVALID_REQUEST', `The body is over ${maxBodyBytes} bytes (1 MiB). Send less.`);

const readText = async (request: Request): Promise<string> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** JSON of at most 1 MiB with its content type, or INVALID_REQUEST. */
export const readJsonBody = async (request: Request): Promise<unknown> => {
  const type = request.headers.get('content-type') ?? '';
  if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new SignalboxError(
      'INVALID_REQUEST',
      `The body must be JSON: send content-type application/json${type === '' ? '' : ` instead of ${type}`}.`,
    );
  }
  const text = await readText(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SignalboxError('INVALID_REQUEST', 'The body is not valid JSON.', { cause });
  }
  refuseUnstorable(value);
  return value;
};
