import type { PerceiveInput, PerceiveOutput, TargetObject } from '../../contracts/operatorClass.ts';
import { adoptClosedRoots } from './closedRoots.ts';
import { controlTargets } from './pageControls.ts';
import { listLost } from './cursors.ts';
import type { FrameRest, ListRest } from './cursors.ts';
import { moved, shared, slotOf } from './frameGeometry.ts';
import { originOf } from './frameTree.ts';
import type { PageFrame } from './frameTree.ts';
import { mergeFrames } from './mergeFrames.ts';
import type { FramePart, MergedTarget } from './mergeFrames.ts';
import { VIEWPORT } from './pageHost.ts';
import type { PageHost } from './pageHost.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';
import type { ListedTarget, PerceiveParams, PerceiveResult } from './pageProtocol.ts';

const TEXT_LIMIT = 1_200;
/** Below this limit every place is for the page's own targets. */
const ROOM_FOR_CONTROLS = 10;

export interface PageReadingResult {
  readonly output: Omit<PerceiveOutput, 'readiness' | 'next_cursor'>;
  /** How the list goes on; null when this is all. */
  readonly rest: ListRest | null;
}

interface FrameAnswer {
  readonly frame: PageFrame;
  readonly document: PageDocument;
  readonly result: PerceiveResult;
  readonly slot: string | null;
}

interface Placed extends FrameAnswer {
  readonly part: FramePart;
  /** Whether it can be seen when scrolled to. */
  readonly drawn: boolean;
}

type Spot = Pick<FramePart, 'path' | 'offset' | 'clip'> & Pick<Placed, 'drawn'>;

/** A frame that went away meanwhile has nothing to say; the main document's going is the caller's matter. */
const unlessGone = async <T>(promise: Promise<T>, main: boolean): Promise<T | null> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof DocumentGone && !main) return null;
    throw error;
  }
};

/** Asks again when elements have come that may hold closed shadow roots. */
const askDocument = async (document: PageDocument, params: PerceiveParams): Promise<PerceiveResult> => {
  const ask = '(params) => ({ result: A.perceive(params), hosts: A.closedRootHosts().length })';
  const { result, hosts } = await document.run<{ result: PerceiveResult; hosts: number }>(ask, params);
  if (hosts === document.plainHosts) return result;
  document.plainHosts = await adoptClosedRoots(document);
  // A root may hold hosts of further closed roots.
  return document.plainHosts === hosts ? result : askDocument(document, params);
};

const askFrames = async (host: PageHost, params: PerceiveParams): Promise<FrameAnswer[]> => {
  const asked = host.frames.frames().map(async (frame) => {
    const { document } = frame;
    if (document === null) return null;
    const main = frame.id === host.frames.mainId;
    await unlessGone(document.ready, main);
    const [result, slot] = await Promise.all([
      unlessGone(askDocument(document, params), main),
      main ? null : slotOf(host.frames, frame),
    ]);
    return result === null ? null : { frame, document, result, slot };
  });
  return (await Promise.all(asked)).filter((answer) => answer !== null);
};

/** Where a frame lies on the surface, from the answers of the frames around it. */
const place = (answers: readonly FrameAnswer[], mainId: string): Placed[] => {
  const placed = new Map<string, Placed>();
  const top = answers.find(({ frame }) => frame.id === mainId);
  const visit = (answer: FrameAnswer): Placed | null => {
    const known = placed.get(answer.frame.id);
    if (known !== undefined) return known;
    const found = spotOf(answer);
    if (found === null) return null;
    const { drawn, ...spot } = found;
    const origin = originOf(answer.frame.url);
    const foreign = top !== undefined && answer !== top && origin !== originOf(top.frame.url);
    const result = drawn ? answer.result : unseen(answer.result);
    const part: FramePart = {
      document: answer.document,
      targets: result.targets,
      ...spot,
      ...(foreign && { origin }),
    };
    const made = { ...answer, result, part, drawn };
    placed.set(answer.frame.id, made);
    return made;
  };
  const spotOf = (answer: FrameAnswer): Spot | null => {
    if (answer === top) return { path: [], offset: { x: 0, y: 0 }, clip: { x: 0, y: 0, ...VIEWPORT }, drawn: true };
    const around = answers.find(({ frame }) => frame.id === answer.frame.parentId);
    const owner = around === undefined ? null : visit(around);
    const slot = owner?.result.frames.find((one) => one.slot === answer.slot);
    if (owner === null || slot === undefined) return null;
    const content = moved(slot.content, owner.part.offset);
    return {
      path: [...owner.part.path, slot.order],
      offset: { x: content.x, y: content.y },
      drawn: slot.visible && owner.drawn,
      clip: slot.visible && owner.part.clip !== null ? shared(content, owner.part.clip) : null,
    };
  };
  return answers.flatMap((answer) => visit(answer) ?? []);
};

/** A frame that nobody can see has nothing to work. */
const unseen = ({ frames, page, omitted, total }: PerceiveResult): PerceiveResult => ({
  targets: [],
  total: 0,
  tier: -1,
  omitted: { hidden: (omitted.hidden ?? 0) + total },
  frames,
  page,
});

const sumOmitted = (placed: readonly Placed[], unreadable: number): PerceiveOutput['omitted'] => {
  const sum: Record<string, number> = {};
  for (const { result } of placed) {
    for (const [reason, count] of Object.entries(result.omitted)) sum[reason] = (sum[reason] ?? 0) + Number(count);
  }
  if (unreadable > 0) sum['unreadable_frame'] = unreadable;
  return Object.keys(sum).length === 0 ? undefined : sum;
};

const joinText = (placed: readonly Placed[], limit: number): string => {
  const parts = placed.filter(({ drawn, result }) => drawn && (result.text ?? '') !== '');
  return parts
    .map(({ result }) => result.text ?? '')
    .join('\n')
    .slice(0, limit);
};

/** What was not given of each frame. */
const restOf = (placed: readonly Placed[], taken: readonly MergedTarget[]): FrameRest[] =>
  placed.flatMap(({ part, result }) => {
    const last = taken.findLast((one) => one.part === part);
    const given = part.targets.slice(last === undefined ? 0 : last.index + 1);
    if (result.list === undefined) return given.length === 0 ? [] : [{ document: part.document, given }];
    const offset = last === undefined ? (part.targets[0]?.at ?? 0) : (part.targets[last.index]?.at ?? 0) + 1;
    return [{ document: part.document, given: [], list: { id: result.list, offset } }];
  });

const finish = (
  placed: readonly Placed[],
  main: PageDocument,
  limit: number,
): { merged: MergedTarget[]; rest: ListRest | null; total: number } => {
  const merged = mergeFrames(
    placed.map(({ part }) => part),
    limit,
  );
  const frames = restOf(placed, merged);
  const total = placed.reduce((sum, { result }) => sum + result.total, 0);
  return { merged, total, rest: frames.length === 0 ? null : { main, frames } };
};

/** A reading from the start. Throws `DocumentGone` when the page navigates away meanwhile. */
export const perceivePage = async (
  host: PageHost,
  main: PageDocument,
  input: PerceiveInput,
  reader: string,
): Promise<PageReadingResult> => {
  const { query, limit } = input;
  const textLimit = query === undefined ? (input.text_limit ?? TEXT_LIMIT) : 0;
  const answers = await askFrames(host, { limit, textLimit, reader, ...(query !== undefined && { query }) });
  const all = place(answers, host.frames.mainId);
  const top = all.find(({ document }) => document === main);
  if (top === undefined) throw new DocumentGone();
  const controls = await controlTargets(host, pageTarget(top), query);
  const tiers = all.flatMap(({ result }) => (result.tier >= 0 ? [result.tier] : []));
  const best = Math.min(...tiers, controls.tier >= 0 ? controls.tier : Infinity);
  const placed = all.filter(({ result }) => result.tier === best);
  const own = controls.tier === best || query === undefined ? controls.targets : [];
  const room = limit >= ROOM_FOR_CONTROLS ? limit - own.length : query === undefined ? limit : limit - own.length;
  const { merged, rest, total } = finish(placed, main, Math.max(0, room));
  const targets = merged.map(({ target }) => target);
  const listed = [...targets, ...own].slice(0, limit);
  const omitted = sumOmitted(all, unreadableFrames(host, all));
  return {
    rest,
    output: {
      targets: listed,
      ...(textLimit > 0 && { text: joinText(all, textLimit) }),
      ...(omitted !== undefined && { omitted }),
      ...(rest !== null && { total }),
    },
  };
};

const pageTarget = (top: Placed): TargetObject => ({ ...top.result.page });

/** Frames that can be seen and do not answer: no document of ours in them. */
const unreadableFrames = (host: PageHost, placed: readonly Placed[]): number => {
  const seen = placed.flatMap(({ result }) => result.frames.filter(({ visible }) => visible).map(({ slot }) => slot));
  const read = new Set(placed.map(({ slot }) => slot));
  // Frames still loading their first document are counted too: they cannot be read now.
  return host.frames.frames().length === 1 ? 0 : seen.filter((slot) => !read.has(slot)).length;
};

/** Refreshes targets that were given to us before but not given on. */
const reread = async (rest: FrameRest, reader: string): Promise<ListedTarget[]> => {
  const refs = rest.given.map(({ ref }) => ref);
  const now = await rest.document.run<(ListedTarget | null)[]>(
    `(refs, reader) => refs.map((ref) => { const r = A.read({ ref, reader }); return r.status === 'here' ? r.target : null; })`,
    refs,
    reader,
  );
  return rest.given.flatMap((given, i) => {
    const target = now[i];
    return target == null ? [] : [{ ...target, tier: given.tier, order: given.order, at: given.at }];
  });
};

/** Continues a list: the same targets in the same order, those gone meanwhile left out. */
export const continuePage = async (
  host: PageHost,
  rest: ListRest,
  limit: number,
  reader: string,
): Promise<PageReadingResult> => {
  const byDocument = new Map(rest.frames.map((frame) => [frame.document, frame]));
  const asked = host.frames.frames().map(async (frame): Promise<FrameAnswer | null> => {
    const { document } = frame;
    if (document === null) return null;
    const main = frame.id === host.frames.mainId;
    const mine = byDocument.get(document);
    const params: PerceiveParams = {
      limit: mine?.list === undefined ? 0 : limit,
      textLimit: 0,
      reader,
      ...(mine?.list !== undefined && { list: mine.list.id, offset: mine.list.offset }),
    };
    const [result, slot, given] = await Promise.all([
      unlessGone(document.call('perceive', params), main),
      main ? null : slotOf(host.frames, frame),
      mine === undefined || mine.given.length === 0 ? [] : unlessGone(reread(mine, reader), main),
    ]);
    if (result === null || given === null) return null;
    if (mine?.list !== undefined && result.listKnown === false) throw listLost();
    if (mine?.list !== undefined) return { frame, document, result, slot };
    // Asked only for where its frames lie: its own list is what is left from before.
    const { list: _list, ...placing } = result;
    return { frame, document, slot, result: { ...placing, targets: given, total: given.length } };
  });
  const answers = (await Promise.all(asked)).filter((answer) => answer !== null);
  const placed = place(answers, host.frames.mainId);
  const { merged, rest: further } = finish(placed, rest.main, limit);
  return { rest: further, output: { targets: merged.map(({ target }) => target) } };
};
