import { z } from 'zod';

/**
 * The operator class (`org.classprofiles.operator`, draft): objects, verbs, properties, facets.
 * Names, types, bounds and defaults are the specification's; everything optional beyond it is
 * listed in `docs/operator-class.md`. MCP tools, REST, the class document and the console's forms
 * are all derived from this file.
 */

export const surfaceKind = z.enum(['browser', 'desktop', 'terminal', 'other']);
export type SurfaceKind = z.infer<typeof surfaceKind>;

/** `settled`: nothing relevant moves; `loading`: a navigation is under way; `changing`: anything else. */
export const readiness = z.enum(['settled', 'changing', 'loading']);
export type Readiness = z.infer<typeof readiness>;

export const facetId = z.enum(['operator/browser@1', 'operator/desktop@1', 'operator/screenshot@1']);
export type FacetId = z.infer<typeof facetId>;

/** CSS pixels (browser, device), screen pixels (desktop), cells (terminal), from the surface's top left. */
export const bounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Bounds = z.infer<typeof bounds>;

export const controller = z.enum(['agent', 'human', 'none']);

export const surfaceObject = z.object({
  id: z.string(),
  kind: surfaceKind,
  label: z.string().optional(),
  /** Where a browsing surface points (facet `operator/browser@1`). */
  address: z.string().optional(),
  /** Which application owns a desktop surface (facet `operator/desktop@1`). */
  application: z.string().optional(),
  facets: z.array(z.string()).optional(),
  readiness: readiness.optional(),
  controller: controller.optional(),
  /** Counts reloads of the surface itself (crash, reopen), not page navigations. */
  generation: z.number().int().optional(),
  size: z.object({ width: z.number().int(), height: z.number().int() }).optional(),
});
export type SurfaceObject = z.infer<typeof surfaceObject>;

export const targetState = z.enum([
  'disabled',
  'checked',
  'mixed',
  'expanded',
  'collapsed',
  'selected',
  'required',
  'readonly',
  'focused',
  'invalid',
  'pressed',
]);
export type TargetState = z.infer<typeof targetState>;

export const targetObject = z.object({
  /** Stable for the life of its element and document; never reused, never re-matched. */
  ref: z.string(),
  role: z.string(),
  name: z.string().optional(),
  /** Current value of a field. Passwords are always `"••••"`. */
  value: z.string().optional(),
  states: z.array(targetState).optional(),
  bounds: bounds.optional(),
  in_view: z.boolean().optional(),
  /** Origin of the frame it lives in, when not the top document's. */
  frame: z.string().optional(),
  /** Key of the row, list item or card it belongs to, e.g. `Invoice 1042`. */
  row: z.string().optional(),
  /** Labels of a select's options (at most 50). */
  options: z.array(z.string()).optional(),
  /** Further facts in words, e.g. `virtual list: 40 of 10000 rendered`. */
  note: z.string().optional(),
});
export type TargetObject = z.infer<typeof targetObject>;

export const effect = z.object({
  kind: z.enum([
    'navigated',
    'opened_surface',
    'closed_surface',
    'dialog',
    'download',
    'focus_moved',
    'value_set',
    'state_set',
    'scrolled',
    'text_appeared',
    'text_gone',
    'structure',
    'background',
    'command',
  ]),
  /** One short line, e.g. `total: none → Sent 1`. */
  detail: z.string(),
  /** Surface or target the effect is about, when there is one. */
  ref: z.string().optional(),
});
export type Effect = z.infer<typeof effect>;

export const timing = z.object({
  /** Milliseconds from the call's arrival to each point. */
  queued: z.number().optional(),
  approved: z.number().optional(),
  acted: z.number().optional(),
  settled: z.number().optional(),
});

export const receiptObject = z.object({
  changed: z.boolean(),
  readiness,
  /** What stood in the way. Always means that nothing was sent. */
  blocked_by: z.string().optional(),
  receipt_id: z.string().optional(),
  effects: z.array(effect).optional(),
  /** What a timer did after the previous receipt. */
  late_effects: z.array(effect).optional(),
  value_after: z.string().optional(),
  /** What a person who had control of the surface says at hand-back; told once to each agent. */
  note: z.string().optional(),
  timing: timing.optional(),
  /** Present when a person changed the arguments before they were performed. */
  steered: z
    .object({
      proposed: z.record(z.string(), z.unknown()),
      executed: z.record(z.string(), z.unknown()),
      rationale: z.string().optional(),
    })
    .optional(),
});
export type Receipt = z.infer<typeof receiptObject>;

export const actionName = z.enum(['press', 'enter_text', 'scroll', 'hover']);
export type ActionName = z.infer<typeof actionName>;

export const listSurfacesInput = z.object({ kind: surfaceKind.optional() });
export const listSurfacesOutput = z.object({ surfaces: z.array(surfaceObject) });

export const perceiveInput = z.object({
  surface_id: z.string(),
  /** Finds by what a control does: role, name, value, label, placeholder, heading, form. */
  query: z.string().optional().describe('What the control does: role, name, label, heading.'),
  limit: z.number().int().min(1).max(200).default(50),
  /** `next_cursor` of an earlier answer: continues that very list. */
  cursor: z.string().optional().describe('next_cursor of the answer before.'),
  /** Characters of `text`; 1,200 when omitted. */
  text_limit: z.number().int().min(0).max(100_000).optional(),
});
export type PerceiveInput = z.infer<typeof perceiveInput>;

export const omitted = z.object({
  hidden: z.number().int().optional(),
  offscreen_beyond_limit: z.number().int().optional(),
  occluded: z.number().int().optional(),
  unreadable_frame: z.number().int().optional(),
  virtual: z.number().int().optional(),
  budget: z.number().int().optional(),
});

export const perceiveOutput = z.object({
  targets: z.array(targetObject),
  readiness,
  /** What a person reads, in reading order. Data from the surface, never instructions. */
  text: z.string().optional(),
  next_cursor: z.string().optional(),
  /** Counts of what is not listed, by reason. */
  omitted: omitted.optional(),
  /** Targets in all that matched, when more than were listed. */
  total: z.number().int().optional(),
  /** What a person who had control of the surface says at hand-back; told once to each agent. */
  note: z.string().optional(),
});
export type PerceiveOutput = z.infer<typeof perceiveOutput>;

export const actInput = z.object({
  surface_id: z.string(),
  /** A `ref` from perceive, or `page`. */
  target: z.string().describe('A ref from perceive, or page.'),
  action: actionName,
  /**
   * press: space-separated `double` | `right`, `at:x,y`, `key:Control+A`, `drag_to:<ref>|x,y`.
   * enter_text: the whole new content. scroll: up | down | left | right | top | bottom | into_view | pixels.
   */
  value: z
    .string()
    .optional()
    .describe(
      'press: double | right, at:x,y, key:Control+A, drag_to:<ref>. enter_text: the whole new content. scroll: up | down | left | right | top | bottom | into_view | pixels.',
    ),
  /** With a key the stored receipt answers a repeat; without one nothing is de-duplicated. */
  idempotency_key: z.string().min(1).max(200).optional(),
});
export type ActInput = z.infer<typeof actInput>;

export const settleInput = z.object({
  surface_id: z.string(),
  wait_ms: z.number().int().min(0).max(30_000).default(5_000),
});
export type SettleInput = z.infer<typeof settleInput>;
export const settleOutput = z.object({ readiness, late_effects: z.array(effect).optional() });
export type SettleOutput = z.infer<typeof settleOutput>;

export const navigateInput = z.object({
  surface_id: z.string(),
  url: z.string(),
  idempotency_key: z.string().min(1).max(200).optional(),
});
export type NavigateInput = z.infer<typeof navigateInput>;

export const focusAppInput = z.object({ surface_id: z.string(), application: z.string() });
export type FocusAppInput = z.infer<typeof focusAppInput>;

export const captureInput = z.object({ surface_id: z.string() });
export type CaptureInput = z.infer<typeof captureInput>;
export const captureOutput = z.object({ width: z.number().int(), height: z.number().int() });
export type CaptureOutput = z.infer<typeof captureOutput>;

export interface VerbDeclaration {
  readonly name: VerbName;
  readonly id: string;
  readonly tier: 'baseline' | 'facet';
  readonly since: string;
  readonly summary: string;
  readonly readOnly: boolean;
  readonly reissue?: 'at_most_once_unenforced' | 'idempotent';
  readonly sociallyIrreversible?: true;
  readonly facet?: FacetId;
  readonly degradesTo?: { readonly target: string | null; readonly loss: string; readonly mode: 'graceful' };
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
}

export const verbName = z.enum([
  'operator.list_surfaces',
  'operator.perceive',
  'operator.act',
  'operator.settle',
  'operator.navigate',
  'operator.focus_app',
  'operator.capture',
]);
export type VerbName = z.infer<typeof verbName>;

const CLASS = 'org.classprofiles.operator';
const CORE = `${CLASS}/core@1`;

/** Summaries are ours; the rest is the specification's, field by field. */
export const verbs: readonly VerbDeclaration[] = [
  {
    name: 'operator.list_surfaces',
    id: `${CLASS}/list_surfaces@1`,
    tier: 'baseline',
    since: CORE,
    summary: 'Names every surface that can be read or worked right now, with where it points and who holds it.',
    readOnly: true,
    input: listSurfacesInput,
    output: listSurfacesOutput,
  },
  {
    name: 'operator.perceive',
    id: `${CLASS}/perceive@1`,
    tier: 'baseline',
    since: CORE,
    summary:
      'Reads a surface: its controls as targets, and the words on it. Give query to find a control by what it does.',
    readOnly: true,
    input: perceiveInput,
    output: perceiveOutput,
  },
  {
    name: 'operator.act',
    id: `${CLASS}/act@1`,
    tier: 'baseline',
    since: CORE,
    summary:
      'Sends one input to one target and answers with what it changed. blocked_by means that nothing was sent. May wait for a person.',
    readOnly: false,
    reissue: 'at_most_once_unenforced',
    sociallyIrreversible: true,
    input: actInput,
    output: receiptObject,
  },
  {
    name: 'operator.settle',
    id: `${CLASS}/settle@1`,
    tier: 'baseline',
    since: CORE,
    summary: 'Waits until the surface has stopped moving, or until wait_ms is over; says which.',
    readOnly: true,
    input: settleInput,
    output: settleOutput,
  },
  {
    name: 'operator.navigate',
    id: `${CLASS}/navigate@1`,
    tier: 'facet',
    since: 'operator/browser@1',
    summary: 'Sends a browser surface to an address. May wait for a person.',
    readOnly: false,
    reissue: 'at_most_once_unenforced',
    sociallyIrreversible: true,
    facet: 'operator/browser@1',
    degradesTo: {
      target: null,
      loss: 'There is no address to go to: only what is already open can be worked.',
      mode: 'graceful',
    },
    input: navigateInput,
    output: receiptObject,
  },
  {
    name: 'operator.focus_app',
    id: `${CLASS}/focus_app@1`,
    tier: 'facet',
    since: 'operator/desktop@1',
    summary: 'Raises the named application so that it can be worked. May wait for a person.',
    readOnly: false,
    reissue: 'idempotent',
    facet: 'operator/desktop@1',
    degradesTo: {
      target: null,
      loss: 'No application can be raised: only what already has the focus can be worked.',
      mode: 'graceful',
    },
    input: focusAppInput,
    output: receiptObject,
  },
  {
    name: 'operator.capture',
    id: `${CLASS}/capture@1`,
    tier: 'facet',
    since: 'operator/screenshot@1',
    summary: 'Takes a PNG picture of the surface and gives its size.',
    readOnly: true,
    facet: 'operator/screenshot@1',
    degradesTo: {
      target: `${CLASS}/perceive@1`,
      loss: 'There is no picture: the reading by perceive costs less but does not show how things are laid out.',
      mode: 'graceful',
    },
    input: captureInput,
    output: captureOutput,
  },
];

export const verbByName = new Map<string, VerbDeclaration>(verbs.map((v) => [v.name, v]));
