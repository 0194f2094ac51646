import type { Bounds } from '../../contracts/operatorClass.ts';
import type { FrameTree, PageFrame } from './frameTree.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';
import type { PageBox, PagePoint } from './pageProtocol.ts';

export const moved = (box: PageBox, by: PagePoint): PageBox => ({
  x: box.x + by.x,
  y: box.y + by.y,
  width: box.width,
  height: box.height,
});

export const rounded = (box: PageBox): Bounds => ({
  x: Math.round(box.x),
  y: Math.round(box.y),
  width: Math.round(box.width),
  height: Math.round(box.height),
});

/** The part two boxes share; null when none. */
export const shared = (a: PageBox, b: PageBox): PageBox | null => {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
};

/** Asks the parent's agent which of its iframe elements holds the frame. */
const findSlot = async (frame: PageFrame, owner: PageDocument): Promise<string | null> => {
  const { backendNodeId } = await owner.session.send('DOM.getFrameOwner', { frameId: frame.id });
  const { object } = await owner.session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: owner.contextId,
  });
  if (object.objectId === undefined) return null;
  try {
    return await owner.runOn<string | null>('(element) => A.frameSlot(element)', object.objectId);
  } finally {
    void owner.release(object.objectId);
  }
};

/** Ref of the frame's iframe element in its parent's document; null when there is none to be had. */
export const slotOf = async (tree: FrameTree, frame: PageFrame): Promise<string | null> => {
  const owner = frame.parentId === null ? null : (tree.frame(frame.parentId)?.document ?? null);
  if (owner === null) return null;
  if (frame.slot?.owner !== owner) {
    await owner.ready;
    frame.slot = { owner, ref: findSlot(frame, owner) };
  }
  try {
    return await frame.slot.ref;
  } catch (error) {
    // The frame moved on while it was asked about; the next call asks again.
    frame.slot = null;
    if (owner.alive && !(error instanceof DocumentGone) && tree.frame(frame.id) === frame) throw error;
    return null;
  }
};
