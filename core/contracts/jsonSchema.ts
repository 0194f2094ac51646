import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Schemas that are named once and referred to: name → schema. */
export type NamedSchemas = Readonly<Record<string, z.ZodType>>;

export interface JsonSchemaOptions {
  readonly named: NamedSchemas;
  /** What stands before a name in `$ref`, e.g. `#/components/schemas/`. */
  readonly refPrefix: string;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** zod writes the safe-integer range on every integer, and a long pattern beside `format: date-time`. */
const saysNothing = (key: string, value: unknown, parent: JsonSchema): boolean =>
  key === '$schema' ||
  key === '$defs' ||
  ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) ||
  (key === 'pattern' && typeof value === 'string' && parent['format'] === 'date-time') ||
  (key === 'propertyNames' && isObject(value) && value['type'] === 'string' && Object.keys(value).length === 1);

const rewrite = (value: unknown, refPrefix: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, refPrefix));
  if (!isObject(value)) return value;
  const out: JsonSchema = {};
  for (const [key, item] of Object.entries(value)) {
    if (saysNothing(key, item, value)) continue;
    out[key] =
      key === '$ref' && typeof item === 'string' ? item.replace('#/$defs/', refPrefix) : rewrite(item, refPrefix);
  }
  return out;
};

/**
 * JSON Schema (draft 2020-12, without the `$schema` line) of what a sender may give: keys with a
 * default are optional, unknown keys are allowed unless the schema is strict.
 */
export const toJsonSchema = (schema: z.ZodType, options?: JsonSchemaOptions): JsonSchema => {
  const metadata = z.registry<{ id: string }>();
  for (const [id, named] of Object.entries(options?.named ?? {})) if (named !== schema) metadata.add(named, { id });
  const raw = z.toJSONSchema(schema, {
    io: 'input',
    metadata,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
    },
  });
  return rewrite(raw, options?.refPrefix ?? '') as JsonSchema;
};

/** The same, or a reference when the schema is one of the named. */
export const toJsonSchemaRef = (schema: z.ZodType, options: JsonSchemaOptions): JsonSchema => {
  const name = Object.entries(options.named).find(([, named]) => named === schema)?.[0];
  return name === undefined ? toJsonSchema(schema, options) : { $ref: `${options.refPrefix}${name}` };
};
