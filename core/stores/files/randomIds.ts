import { randomBytes } from 'node:crypto';
import type { Ids } from '../../kernel/ports.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_LENGTH = 16;
const SECRET_BYTES = 32;

export const randomIds = (): Ids => ({
  id: (prefix) => `${prefix}_${[...randomBytes(ID_LENGTH)].map((byte) => ALPHABET.charAt(byte % 32)).join('')}`,
  secret: () => randomBytes(SECRET_BYTES).toString('base64url'),
});
