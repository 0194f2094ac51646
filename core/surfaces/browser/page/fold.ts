/** Folding for search: case, accents and punctuation do not count. */

const asciiOnly = /^[\x20-\x7e]*$/;

/** Words separated by single spaces, lower case, no accents. */
export function fold(text: string): string {
  if (asciiOnly.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** `userEmail_2` → `user email 2`: names and ids as words. */
export function foldIdentifier(id: string): string {
  return fold(id.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'));
}
