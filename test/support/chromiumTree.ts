import type { ChromiumSide } from './chromiumSide.ts';
import type { TrapPage } from './traps.ts';

/** Chromium's own accessibility tree, joined by element to what we list. */

export interface Control {
  readonly role: string;
  readonly name: string;
  /** What a press changes: checked, expanded, selected, pressed, disabled and the like, in order. */
  readonly states: readonly string[];
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly backendDOMNodeId?: number;
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

interface DomNode {
  readonly backendNodeId: number;
  readonly localName: string;
  readonly pseudoType?: string;
  readonly shadowRootType?: string;
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
  readonly pseudoElements?: readonly DomNode[];
  readonly contentDocument?: DomNode;
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

/** Chromium's internal names for what ARIA calls otherwise. */
const roleInAria: Readonly<Record<string, string>> = {
  DisclosureTriangle: 'button',
  DisclosureTriangleGrouped: 'button',
  Date: 'textbox',
  DateTime: 'textbox',
  InputTime: 'textbox',
  ColorWell: 'textbox',
  image: 'img',
};

/** What a person works, by role. */
const controlRoles = new Set(
  `button link textbox searchbox combobox checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option
   treeitem slider spinbutton listbox ${Object.keys(roleInAria).join(' ')}`.split(/\s+/),
);
controlRoles.delete('image');

/** States that both sides tell; `focused` and `invalid` come and go by other rules. */
const compared = new Set([
  'disabled',
  'checked',
  'mixed',
  'expanded',
  'collapsed',
  'selected',
  'pressed',
  'required',
  'readonly',
]);

const statesOf = (properties: NonNullable<AxNode['properties']>): string[] => {
  const states: string[] = [];
  for (const {
    name,
    value: { value },
  } of properties) {
    const on = value === true || value === 'true';
    if ((name === 'checked' || name === 'pressed') && value === 'mixed') states.push('mixed');
    else if (name === 'expanded') states.push(on ? 'expanded' : 'collapsed');
    else if (on && compared.has(name)) states.push(name);
  }
  return states.sort();
};

const squeezed = (name: string): string => name.replace(/\s+/g, ' ').trim();

/** Inside of native widgets, pseudo elements, and the options of a select: not elements of the page. */
const notOfThePage = (root: DomNode): { apart: Set<number>; selects: Set<number> } => {
  const found = new Set<number>();
  const selects = new Set<number>();
  const visit = (node: DomNode, inside: boolean): void => {
    const part = inside || node.shadowRootType === 'user-agent' || node.pseudoType !== undefined;
    if (part) found.add(node.backendNodeId);
    if (node.localName === 'select') selects.add(node.backendNodeId);
    for (const pseudo of node.pseudoElements ?? []) visit(pseudo, true);
    for (const shadow of node.shadowRoots ?? []) visit(shadow, part);
    for (const child of node.children ?? []) visit(child, part || node.localName === 'select');
    if (node.contentDocument !== undefined) visit(node.contentDocument, part);
  };
  visit(root, false);
  return { apart: found, selects };
};

const targetsOf = async (side: ChromiumSide, page: TrapPage): Promise<string[]> =>
  (await side.targets()).filter(({ url }) => url.includes(`s=${page.session}`)).map(({ targetId }) => targetId);

/** Every control of Chromium's trees, over all frames of a page; keys name an element. */
export const chromiumControls = async (side: ChromiumSide, page: TrapPage): Promise<Map<string, Control>> => {
  const controls = new Map<string, Control>();
  for (const targetId of await targetsOf(side, page)) {
    await side.within(targetId, async (session) => {
      const { root } = await side.send<{ root: DomNode }>('DOM.getDocument', { depth: -1, pierce: true }, session);
      const { apart, selects } = notOfThePage(root);
      const { frameTree } = await side.send<{ frameTree: FrameTree }>('Page.getFrameTree', {}, session);
      const visit = async ({ frame, childFrames }: FrameTree): Promise<void> => {
        const { nodes } = await side.send<{ nodes: AxNode[] }>(
          'Accessibility.getFullAXTree',
          { frameId: frame.id },
          session,
        );
        for (const { ignored, role, name, backendDOMNodeId: id, properties } of nodes) {
          const called = role?.value ?? '';
          if (ignored || id === undefined || apart.has(id) || !controlRoles.has(called)) continue;
          controls.set(`${targetId}:${id}`, {
            role: roleInAria[called] ?? called,
            name: squeezed(name?.value ?? ''),
            // That a native select is not dropped down goes without saying.
            states: statesOf(properties ?? []).filter((state) => state !== 'collapsed' || !selects.has(id)),
          });
        }
        for (const child of childFrames ?? []) await visit(child);
      };
      await visit(frameTree);
    });
  }
  return controls;
};

/** Which element each of our refs is, as Chromium numbers them. */
export const elementsOf = async (
  side: ChromiumSide,
  page: TrapPage,
  refs: readonly string[],
): Promise<Map<string, string>> => {
  const keys = new Map<string, string>();
  for (const targetId of await targetsOf(side, page)) {
    await side.within(targetId, async (session) => {
      for (const contextId of await worldsOf(side, session)) {
        const ids = await Promise.all(
          refs.map(
            async (ref) => [ref, keys.has(ref) ? null : await backendId(side, session, contextId, ref)] as const,
          ),
        );
        for (const [ref, id] of ids) if (id !== null) keys.set(ref, `${targetId}:${id}`);
      }
    });
  }
  return keys;
};

const worldsOf = async (side: ChromiumSide, session: string): Promise<number[]> => {
  const worlds: number[] = [];
  const listening = side.on(({ method, params, sessionId }) => {
    if (method !== 'Runtime.executionContextCreated' || sessionId !== session) return;
    const { context } = params as { context: { id: number; name: string } };
    if (context.name === 'signalbox') worlds.push(context.id);
  });
  await side.send('Runtime.enable', {}, session);
  await side.send('Runtime.disable', {}, session);
  listening[Symbol.dispose]();
  return worlds;
};

const backendId = async (
  side: ChromiumSide,
  session: string,
  contextId: number,
  ref: string,
): Promise<number | null> => {
  const { result } = await side.send<{ result: { objectId?: string } }>(
    'Runtime.evaluate',
    { contextId, expression: `globalThis.__signalbox?.element(${JSON.stringify(ref)}) ?? null` },
    session,
  );
  if (result.objectId === undefined) return null;
  const { node } = await side.send<{ node: DomNode }>('DOM.describeNode', { objectId: result.objectId }, session);
  return node.backendNodeId;
};

/** Everything we list, page after page of the list. */
export const listedControls = async (page: TrapPage): Promise<Map<string, Control>> => {
  const listed = new Map<string, Control>();
  let cursor: string | undefined;
  do {
    const answer = await page.perceive({ limit: 200, text_limit: 0, ...(cursor !== undefined && { cursor }) });
    for (const { ref, role, name = '', states = [] } of answer.targets) {
      listed.set(ref, { role, name, states: states.filter((state) => compared.has(state)).sort() });
    }
    cursor = answer.next_cursor;
  } while (cursor !== undefined);
  for (const own of ['page', 'back', 'forward', 'reload']) listed.delete(own);
  return listed;
};
