import { toJsonSchema, toJsonSchemaRef, type JsonSchemaOptions } from './jsonSchema.ts';
import {
  receiptObject,
  surfaceObject,
  targetObject,
  verbs,
  type FacetId,
  type VerbDeclaration,
  type VerbName,
} from './operatorClass.ts';

/**
 * The operator class as a document (`org.classprofiles.operator`, state draft), generated from the
 * verb table. Structure is the specification's; every sentence and example is ours.
 */

const CLASS = 'org.classprofiles.operator';
const CORE = `${CLASS}/core@1`;

const tenJobs = [
  'Find out which surfaces are there to be worked',
  'Read what a surface shows at this moment',
  'Find a control by its purpose, wherever it stands',
  'Press something',
  'Put text into a field',
  'Learn from the answer whether the input changed anything',
  'Wait for movement to end before the next look',
  'Get a clear failure when the intended thing no longer exists',
  'Scroll to what lies outside the view',
  'Read a surface in words, without a picture',
] as const;

const facets: readonly { readonly id: FacetId; readonly summary: string }[] = [
  {
    id: 'operator/browser@1',
    summary: 'The surface is a browser page: it can be sent to an address and says where it is.',
  },
  {
    id: 'operator/desktop@1',
    summary: 'The surface is part of a desktop: an application can be raised, and the surface says which one owns it.',
  },
  {
    id: 'operator/screenshot@1',
    summary: 'The surface can be pictured, for what a reading in words cannot show.',
  },
];

const properties = [
  {
    id: `${CLASS}/address@1`,
    name: 'address',
    tier: 'facet',
    since: 'operator/browser@1',
    attaches_to: ['objects/Surface'],
    summary: 'The address a browser surface is at.',
    facet: 'operator/browser@1',
    degrades_to: {
      target: null,
      loss: 'Where a page came from stays unknown; only what it shows can be read.',
      mode: 'graceful',
    },
    example: { result: 'https://shop.example/orders/1042' },
    contract: { type: 'string' },
  },
  {
    id: `${CLASS}/application@1`,
    name: 'application',
    tier: 'facet',
    since: 'operator/desktop@1',
    attaches_to: ['objects/Surface'],
    summary: 'The application that owns a desktop surface.',
    facet: 'operator/desktop@1',
    degrades_to: {
      target: null,
      loss: 'Which program is being worked stays unknown; only what its window shows can be read.',
      mode: 'graceful',
    },
    example: { result: 'Calculator' },
    contract: { type: 'string' },
  },
] as const;

const surfaceId = 'sfc_k3v7q2m9x4t8w5z6';

const examples: Record<VerbName, { request: object; result: object }> = {
  'operator.list_surfaces': {
    request: { kind: 'browser' },
    result: { surfaces: [{ id: surfaceId, kind: 'browser', label: 'Orders', readiness: 'settled' }] },
  },
  'operator.perceive': {
    request: { surface_id: surfaceId, query: 'place order' },
    result: { targets: [{ ref: 'e12', role: 'button', name: 'Place order' }], readiness: 'settled' },
  },
  'operator.act': {
    request: { surface_id: surfaceId, target: 'e12', action: 'press' },
    result: {
      changed: true,
      readiness: 'settled',
      effects: [{ kind: 'text_appeared', detail: 'status: none → Order placed' }],
    },
  },
  'operator.settle': {
    request: { surface_id: surfaceId, wait_ms: 2_000 },
    result: { readiness: 'settled' },
  },
  'operator.navigate': {
    request: { surface_id: surfaceId, url: 'https://shop.example/orders' },
    result: { changed: true, readiness: 'settled' },
  },
  'operator.focus_app': {
    request: { surface_id: surfaceId, application: 'Calculator' },
    result: { changed: true, readiness: 'settled' },
  },
  'operator.capture': { request: { surface_id: surfaceId }, result: { width: 1280, height: 800 } },
};

const objects = { Surface: surfaceObject, Target: targetObject, Receipt: receiptObject };
const refs: JsonSchemaOptions = { named: objects, refPrefix: '#/objects/' };

const verbEntry = (verb: VerbDeclaration): Record<string, unknown> => ({
  id: verb.id,
  name: verb.name,
  tier: verb.tier,
  since: verb.since,
  summary: verb.summary,
  ...(verb.readOnly ? { risk: { readOnlyHint: true } } : {}),
  ...(verb.reissue === undefined ? {} : { reissue: verb.reissue }),
  ...(verb.sociallyIrreversible === undefined ? {} : { socially_irreversible: verb.sociallyIrreversible }),
  ...(verb.facet === undefined ? {} : { facet: verb.facet }),
  ...(verb.degradesTo === undefined ? {} : { degrades_to: verb.degradesTo }),
  tool: { inputSchema: toJsonSchema(verb.input) },
  contract: {
    structuredContent: toJsonSchemaRef(verb.output, refs),
    ...(verb.name === 'operator.capture' ? { content: { requires: ['image'], media_types: ['image/png'] } } : {}),
  },
  example: { request: examples[verb.name].request, result: { structuredContent: examples[verb.name].result } },
});

export const classDocument = (): Record<string, unknown> => ({
  id: CLASS,
  state: 'draft',
  title: 'Operator',
  summary: 'Choose a surface, read it, do one thing to it, and be told what that changed and whether it is at rest.',
  ten_jobs: tenJobs,
  objects: Object.fromEntries(Object.entries(objects).map(([name, schema]) => [name, toJsonSchema(schema, refs)])),
  verbs: verbs.map(verbEntry),
  properties,
  sandbox_contract:
    'Each fixture scenario starts on a pinned reference surface of 1280x800, found by operator.list_surfaces, that holds no user data, has come to rest and does not move by itself. Whatever needs a surface that changes under the caller cannot be shown there and is listed as unfixturable.',
  licenses: { spec: 'Apache-2.0' },
  baseline: CORE,
  facets,
});
