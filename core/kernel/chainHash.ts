import { createHash } from 'node:crypto';
import type { EventEnvelope } from '../contracts/caop.ts';
import { canonicalJson } from '../domain/canonicalJson.ts';

/** Keeps a hash of this chain from ever meaning anything elsewhere. */
const DOMAIN_TAG = 'signalbox/event/v1\n';
const GENESIS = '0'.repeat(64);

/** The exact bytes that are stored and hashed: RFC 8785 of the envelope. */
export const envelopeBytes = (event: EventEnvelope): Buffer => Buffer.from(canonicalJson(event), 'utf8');

export const chainHash = (previous: string | null, bytes: Uint8Array): string =>
  createHash('sha256')
    .update(DOMAIN_TAG)
    .update(Buffer.from(previous ?? GENESIS, 'hex'))
    .update(bytes)
    .digest('hex');

export const sha256Hex = (value: string): string => createHash('sha256').update(value).digest('hex');
