/** RFC 7396 JSON Merge Patch, both ways. Null means "remove", so an object that holds null cannot be described. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, index) => sameJson(each, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
};

/** The patch that turns `from` into `to`. */
export const mergePatch = (from: JsonObject, to: JsonObject): JsonObject => {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) entries.push([key, null]);
  for (const [key, after] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (Object.hasOwn(from, key) && sameJson(before, after)) continue;
    entries.push([key, isJsonObject(before) && isJsonObject(after) ? mergePatch(before, after) : after]);
  }
  return Object.fromEntries(entries);
};

export const applyMergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, applyMergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
};

export const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(holdsNull));
