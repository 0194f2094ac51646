import { SignalboxError } from '../contracts/errors.ts';
import type { FacetId, VerbDeclaration } from '../contracts/operatorClass.ts';
import { verbByName } from '../contracts/operatorClass.ts';
import { closeSurfaceInput, getReceiptInput, openSurfaceInput } from '../contracts/ownTools.ts';
import { parseOrThrow } from '../contracts/parse.ts';
import type { Surface } from '../kernel/ports.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A verb as the gate sees it: the class's seven and ours. */
export interface GateVerb {
  readonly name: string;
  readonly readOnly: boolean;
  readonly input: VerbDeclaration['input'];
  readonly facet: FacetId | null;
  readonly degradesTo: VerbDeclaration['degradesTo'] | null;
}

const own: readonly GateVerb[] = [
  { name: 'signalbox.open_surface', readOnly: false, input: openSurfaceInput, facet: null, degradesTo: null },
  { name: 'signalbox.close_surface', readOnly: false, input: closeSurfaceInput, facet: null, degradesTo: null },
  { name: 'signalbox.get_receipt', readOnly: true, input: getReceiptInput, facet: null, degradesTo: null },
];

const gateVerbs: ReadonlyMap<string, GateVerb> = new Map(
  [
    ...[...verbByName.values()].map((verb): GateVerb => ({
      name: verb.name,
      readOnly: verb.readOnly,
      input: verb.input,
      facet: verb.facet ?? null,
      degradesTo: verb.degradesTo ?? null,
    })),
    ...own,
  ].map((verb) => [verb.name, verb]),
);

export const gateVerb = (name: string): GateVerb => {
  const verb = gateVerbs.get(name);
  if (verb === undefined) {
    throw new SignalboxError(
      'INVALID_REQUEST',
      `There is no verb ${name}. Known: ${[...gateVerbs.keys()].join(', ')}.`,
    );
  }
  return verb;
};

/** What the schema cannot say of one action at a time. */
const checkTogether = (verb: GateVerb, args: Arguments): void => {
  if (verb.name === 'operator.act' && args['action'] === 'enter_text' && args['value'] === undefined) {
    const message = 'enter_text needs the text; give "" to clear the field.';
    throw new SignalboxError('INVALID_REQUEST', `Wrong arguments of operator.act: value: ${message}`, {
      details: { issues: [{ path: 'value', message }] },
    });
  }
};

export const parseArguments = (verb: GateVerb, args: unknown): Arguments => {
  const parsed = parseOrThrow(verb.input, args ?? {}, `arguments of ${verb.name}`) as Arguments;
  checkTogether(verb, parsed);
  return parsed;
};

export const requireFacet = (verb: GateVerb, surface: Surface): void => {
  if (verb.facet === null || surface.facets.includes(verb.facet)) return;
  const degrade = verb.degradesTo ?? null;
  throw new SignalboxError(
    'NOT_SUPPORTED',
    `${verb.name} needs ${verb.facet}, which ${surface.id} does not have. ${degrade?.loss ?? ''}`.trim(),
    { details: { facet: verb.facet, degrades_to: degrade?.target ?? null, loss: degrade?.loss ?? null } },
  );
};
