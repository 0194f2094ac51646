import type { z } from 'zod';
import { toJsonSchema, type JsonSchema } from '../../contracts/jsonSchema.ts';
import { receiptObject, verbs } from '../../contracts/operatorClass.ts';
import {
  awaitWorkInput,
  closeSurfaceInput,
  closeSurfaceOutput,
  getReceiptInput,
  openSurfaceInput,
  openSurfaceOutput,
} from '../../contracts/ownTools.ts';
import type { CaopOperationId } from '../../contracts/caop/operations.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import { caopTools } from './caopTools.ts';

/** Tools over MCP: the verbs of the class and our own, in sets that a client chooses by `?tools=`. */
export interface ToolDeclaration {
  readonly name: string;
  readonly summary: string;
  readonly set: ToolSet;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** For tools of the CAOP kernel: the operation they call. */
  readonly operation?: CaopOperationId;
}

/** `operator` is what is listed when nothing is asked for. */
export const toolSets = ['operator', 'signalbox', 'caop'] as const;
export type ToolSet = (typeof toolSets)[number];

const ownTools: readonly ToolDeclaration[] = [
  {
    name: 'signalbox.await_work',
    summary: 'After APPROVAL_PENDING: goes on waiting for the person and answers with the receipt.',
    set: 'operator',
    readOnly: false,
    idempotent: true,
    input: awaitWorkInput,
    output: receiptObject,
  },
  {
    name: 'signalbox.get_receipt',
    summary: 'Gives a receipt again, by its receipt_id.',
    set: 'signalbox',
    readOnly: true,
    idempotent: true,
    input: getReceiptInput,
    output: receiptObject,
  },
  {
    name: 'signalbox.open_surface',
    summary: 'Opens a new surface. May wait for a person.',
    set: 'signalbox',
    readOnly: false,
    idempotent: false,
    input: openSurfaceInput,
    output: openSurfaceOutput,
  },
  {
    name: 'signalbox.close_surface',
    summary: 'Closes a surface. May wait for a person.',
    set: 'signalbox',
    readOnly: false,
    idempotent: true,
    input: closeSurfaceInput,
    output: closeSurfaceOutput,
  },
];

export const tools: readonly ToolDeclaration[] = [
  ...verbs.map((verb): ToolDeclaration => ({
    name: verb.name,
    summary: verb.summary,
    set: 'operator',
    readOnly: verb.readOnly,
    idempotent: verb.readOnly || verb.reissue === 'idempotent',
    input: verb.input,
    output: verb.output,
  })),
  ...ownTools,
  ...caopTools,
];

/** Many clients refuse dots in tool names: `operator_act` is the same tool. */
const underscored = (name: string): string => name.replaceAll('.', '_');
const byName = new Map(tools.flatMap((tool) => [[tool.name, tool] as const, [underscored(tool.name), tool] as const]));
export const toolByName = (name: string): ToolDeclaration | null => byName.get(name) ?? null;

export interface ToolListing {
  readonly sets: readonly ToolSet[];
  readonly names: 'dotted' | 'underscore';
}

/** Reads `?tools=a,b&names=underscore`; an unknown word is INVALID_REQUEST naming the known ones. */
export const parseListing = (query: URLSearchParams): ToolListing => {
  const words = (query.get('tools') ?? 'operator').split(',').filter((word) => word !== '');
  const sets = words.map((word) => {
    const set = toolSets.find((known) => known === word);
    if (set === undefined) {
      throw new SignalboxError('INVALID_REQUEST', `There is no tool set "${word}". Sets: ${toolSets.join(', ')}.`);
    }
    return set;
  });
  const names = query.get('names') ?? 'dotted';
  if (names !== 'dotted' && names !== 'underscore') {
    throw new SignalboxError('INVALID_REQUEST', `names is "${names}"; give dotted or underscore.`);
  }
  return { sets, names };
};

/** A tool as `tools/list` gives it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

type ObjectSchema = { readonly type: 'object' } & JsonSchema;

const objectSchema = (schema: z.ZodType): ObjectSchema => ({ type: 'object', ...toJsonSchema(schema) });

/**
 * The listed output schema: what is required in full, what is optional only by name and type. A list
 * of tools is read by every model at every turn; the whole shapes are in the class document.
 */
const outline = (schema: JsonSchema): JsonSchema => {
  const required = (schema['required'] ?? []) as readonly string[];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  return {
    type: 'object',
    properties: Object.fromEntries(
      properties.map(([key, { type, enum: values, items }]) => {
        if (!required.includes(key)) return [key, { type }];
        const inner = items as JsonSchema | undefined;
        const element = inner?.['type'] === 'object' ? outline(inner) : inner;
        return [key, { type, ...(values ? { enum: values } : {}), ...(element ? { items: element } : {}) }];
      }),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
};
const outlineOf = (schema: z.ZodType): ObjectSchema => ({ type: 'object', ...outline(toJsonSchema(schema)) });

/** Absent hints mean the pessimistic default of the protocol: destructive, open world. */
const annotations = (tool: ToolDeclaration): Record<string, boolean> =>
  tool.readOnly ? { readOnlyHint: true } : tool.idempotent ? { idempotentHint: true } : {};

export const listTools = ({ sets, names }: ToolListing): ListedTool[] =>
  tools
    .filter((tool) => sets.includes(tool.set) || tool.name === 'signalbox.await_work')
    .map((tool) => ({
      name: names === 'underscore' ? underscored(tool.name) : tool.name,
      description: tool.summary,
      inputSchema: objectSchema(tool.input),
      outputSchema: outlineOf(tool.output),
      annotations: annotations(tool),
    }));
