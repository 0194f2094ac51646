import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { SignalboxError } from '../contracts/errors.ts';

/**
 * The head of the log, signed, in a file that the user keeps elsewhere: a log whose newest rows were cut off
 * still verifies by itself, but no longer against the anchor.
 */
export const anchorSchema = z.strictObject({
  format: z.literal('signalbox/anchor/v1'),
  seq: z.number().int().min(0),
  hash: z.string().nullable(),
  at: z.string(),
  /** Ed25519, SPKI, PEM. */
  public_key: z.string(),
  /** Over `format`, `seq`, `hash` and `at`, each on a line; base64. */
  signature: z.string(),
});
export type Anchor = z.infer<typeof anchorSchema>;

const signedText = ({ format, seq, hash, at }: Pick<Anchor, 'format' | 'seq' | 'hash' | 'at'>): Buffer =>
  Buffer.from([format, String(seq), hash ?? '', at].join('\n'), 'utf8');

/** The console's signing key; made with the first anchor, readable by its user only. */
const signingKey = (dataFolder: string): KeyObject => {
  const file = path.join(dataFolder, 'audit-key.pem');
  if (existsSync(file)) return createPrivateKey(readFileSync(file, 'utf8'));
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  return privateKey;
};

export const makeAnchor = (
  dataFolder: string,
  head: { readonly seq: number; readonly hash: string | null },
  at: string,
): Anchor => {
  const key = signingKey(dataFolder);
  const said = { format: 'signalbox/anchor/v1', ...head, at } as const;
  return {
    ...said,
    public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    signature: sign(null, signedText(said), key).toString('base64'),
  };
};

export const readAnchor = (file: string): Anchor => {
  const wrong = (why: string, cause?: unknown): SignalboxError =>
    new SignalboxError('INVALID_REQUEST', `${file} is no anchor that can be trusted: ${why}`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw wrong('it cannot be read as JSON.', cause);
  }
  const parsed = anchorSchema.safeParse(value);
  if (!parsed.success) throw wrong('it lacks parts of an anchor.', parsed.error);
  const anchor = parsed.data;
  if (!verify(null, signedText(anchor), createPublicKey(anchor.public_key), Buffer.from(anchor.signature, 'base64'))) {
    throw wrong('its signature does not fit what it says.');
  }
  return anchor;
};
