const FOLD_CHARACTERS = 600;
const FOLD_LINES = 8;

/** Where to fold: a cut never splits a surrogate pair. */
export const foldAt = (value: string): number => {
  let cut = Math.min(value.length, FOLD_CHARACTERS);
  let line = -1;
  for (let n = 0; n < FOLD_LINES; n += 1) {
    line = value.indexOf('\n', line + 1);
    if (line === -1) break;
  }
  if (line !== -1) cut = Math.min(cut, line);
  return safeCut(value, cut);
};

/** A cut just before `cut` when it would split a surrogate pair. */
export const safeCut = (value: string, cut: number): number => {
  if (cut >= value.length) return value.length;
  const code = value.charCodeAt(cut - 1);
  return code >= 0xd800 && code <= 0xdbff ? cut - 1 : cut;
};
