import { z } from 'zod';
import { verbByName } from '../../../core/contracts/operatorClass.ts';
import { closeSurfaceInput, openSurfaceInput } from '../../../core/contracts/ownTools.ts';
import { isJsonObject } from './mergePatch.ts';
import type { JsonObject } from './mergePatch.ts';

/** One argument as a form shows it, made from the verb's JSON schema. */
export interface FormField {
  readonly name: string;
  readonly control: 'text' | 'choice' | 'number' | 'switch' | 'json';
  readonly options: readonly string[];
  readonly required: boolean;
}

const ownInputs: Readonly<Record<string, z.ZodObject>> = {
  'signalbox.open_surface': openSurfaceInput,
  'signalbox.close_surface': closeSurfaceInput,
};

/** The JSON schema of a verb's input, or null for a verb this console does not know (raw JSON only then). */
export const inputSchema = (verb: string): JsonObject | null => {
  const input = verbByName.get(verb)?.input ?? ownInputs[verb];
  return input === undefined ? null : z.toJSONSchema(input, { io: 'input' });
};

const controlOf = (schema: JsonObject): FormField['control'] => {
  if (Array.isArray(schema['enum'])) return 'choice';
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'switch';
    default:
      return 'json';
  }
};

/** Not offered for change: the approval is bound to the surface, the key to the agent's own call. */
const fixedNames = new Set(['surface_id', 'idempotency_key']);

/** Fields of the schema in its order, then whatever the agent gave beyond it. */
export const formFields = (schema: JsonObject, args: JsonObject): readonly FormField[] => {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const known = Object.entries(properties).map(([name, property]): FormField => {
    const each = isJsonObject(property) ? property : {};
    const options: readonly unknown[] = Array.isArray(each['enum']) ? each['enum'] : [];
    return {
      name,
      control: controlOf(each),
      options: options.filter((option) => typeof option === 'string'),
      required: required.includes(name),
    };
  });
  const extra = Object.keys(args)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name): FormField => ({ name, control: 'json', options: [], required: false }));
  return [...known.filter((field) => !fixedNames.has(field.name)), ...extra];
};

/** Sets a field. Clearing one that the agent did not give leaves it out again. */
export const setField = (values: JsonObject, proposed: JsonObject, name: string, value: unknown): JsonObject => {
  const cleared = value === '' || value === undefined;
  if (cleared && !Object.hasOwn(proposed, name)) {
    return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
  }
  return { ...values, [name]: value ?? '' };
};

export const parseJsonObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
};
