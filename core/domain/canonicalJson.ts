import canonicalizeModule from 'canonicalize';

// The package is CommonJS: with NodeNext its default export may arrive wrapped.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** RFC 8785: the one text of a JSON value. Keys set to undefined are left out. */
export const canonicalJson = (value: unknown): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only JSON values have a canonical form.');
  return text;
};
