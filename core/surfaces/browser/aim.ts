import type { TargetReading } from '../../contracts/console.ts';
import type { ActInput } from '../../contracts/operatorClass.ts';
import { moved, rounded, slotOf } from './frameGeometry.ts';
import { originOf } from './frameTree.ts';
import type { PageHost } from './pageHost.ts';
import type { PageDocument } from './pageDocument.ts';
import type { CheckParams, CheckReady, CheckResult, PageBox, PagePoint, PageReading } from './pageProtocol.ts';
import { targetChanged } from './targetErrors.ts';

/** A target found usable, with the place to send input to. */
export interface Aim {
  readonly kind: 'aim';
  readonly document: PageDocument;
  readonly ref: string;
  readonly ready: CheckReady;
  /** In the surface. */
  readonly point: PagePoint;
  readonly box: PageBox;
}

export interface Blocked {
  readonly kind: 'blocked';
  readonly blockedBy: string;
}

export interface Gone {
  readonly kind: 'gone';
  readonly was?: PageReading;
  readonly candidates: readonly PageReading[];
}

export interface AimRequest {
  readonly ref: string;
  readonly document: PageDocument;
  readonly reader: string;
  readonly action: ActInput['action'];
  readonly at?: PagePoint;
  readonly keyboard?: boolean;
  readonly lookOnly?: boolean;
}

const checkParams = ({ ref, reader, action, at, keyboard, lookOnly }: AimRequest): CheckParams => ({
  ref,
  reader,
  action,
  ...(at !== undefined && { at }),
  ...(keyboard === true && { keyboard }),
  ...(lookOnly === true && { lookOnly }),
});

/**
 * Checks a target in its own frame, then that its frame is what is on top in every frame around it.
 * Throws TARGET_CHANGED, or `DocumentGone` when the page navigates meanwhile.
 */
export const takeAim = async (host: PageHost, request: AimRequest): Promise<Aim | Blocked | Gone> => {
  const { document, ref } = request;
  await document.ready;
  const result: CheckResult = await document.call('check', checkParams(request));
  switch (result.status) {
    case 'gone':
      return { kind: 'gone', candidates: result.candidates, ...(result.was !== undefined && { was: result.was }) };
    case 'changed':
      throw targetChanged(ref, result.shown, result.now);
    case 'blocked':
      return { kind: 'blocked', blockedBy: result.blockedBy };
    case 'ready':
      return aimThrough(host, request, result);
  }
};

/** Climbs from the target's frame to the surface, hit-testing in each frame on the way. */
const aimThrough = async (host: PageHost, request: AimRequest, ready: CheckReady): Promise<Aim | Blocked | Gone> => {
  let { point, box } = ready;
  let frame = host.frames.frame(request.document.frameId);
  while (frame !== null && frame.id !== host.frames.mainId) {
    const around = frame.parentId === null ? null : host.frames.frame(frame.parentId);
    const slot = await slotOf(host.frames, frame);
    if (around?.document == null || slot === null) return { kind: 'gone', candidates: [], was: ready.reading };
    const lookOnly = request.lookOnly === true || request.keyboard === true || request.action === 'scroll';
    const hit = await around.document.call('checkFrame', { slot, point, box, ...(lookOnly && { lookOnly }) });
    if (hit.status === 'gone') return { kind: 'gone', candidates: [], was: ready.reading };
    // Keys go to the focus, a scroll to its scroller: what lies on top of the frame does not matter to them.
    if (hit.status === 'blocked' && (request.keyboard === true || request.action === 'scroll')) break;
    if (hit.status === 'blocked') return { kind: 'blocked', blockedBy: hit.blockedBy };
    point = hit.point;
    box = moved(box, hit.offset);
    frame = around;
  }
  return { kind: 'aim', document: request.document, ref: request.ref, ready, point, box };
};

/** What an approval is bound to. */
export const readingOf = (host: PageHost, aim: Aim): TargetReading => {
  const { reading, entry } = aim.ready;
  const frame = host.frames.frame(aim.document.frameId);
  const origin = frame === null ? null : originOf(frame.url);
  return {
    ...reading,
    bounds: rounded(aim.box),
    ...(origin !== null && origin !== originOf(host.url) && { frame: origin }),
    ...(entry?.kind === 'type' && entry.password && { password: true }),
  };
};
