import type { Aim } from './aim.ts';
import type { InputSender } from './inputSender.ts';
import type { PageHost } from './pageHost.ts';

const ATTEMPTS = 8;
const SEEN_MS = 150;

/** Resolves true when this document gets a move of the pointer to that point in time. */
const seesPointer = `(ms, x, y) => new Promise((resolve) => {
  const seen = (event) => {
    if (Math.abs(event.clientX - x) <= 1 && Math.abs(event.clientY - y) <= 1) finish(true);
  };
  const finish = (answer) => { clearTimeout(timer); removeEventListener('mousemove', seen, true); resolve(answer); };
  const timer = setTimeout(() => finish(false), ms);
  addEventListener('mousemove', seen, true);
})`;

const inOtherProcess = (host: PageHost, aim: Aim): boolean => {
  let frame = host.frames.frame(aim.document.frameId);
  while (frame !== null && frame.id !== host.frames.mainId) {
    if (frame.session !== host.session) return true;
    frame = frame.parentId === null ? null : host.frames.frame(frame.parentId);
  }
  return false;
};

/**
 * Moves the pointer onto the target. The browser learns where frames of other processes lie some
 * frames after a scroll; until then it gives input to whatever was there before. So such a frame must
 * have seen the pointer before anything is pressed in it. False: it did not, and only moves were sent.
 */
export const approach = async (host: PageHost, aim: Aim, sender: InputSender): Promise<boolean> => {
  if (!inOtherProcess(host, aim)) {
    void sender.move(aim.point);
    return true;
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    sender.allow();
    const seen = aim.document.run<boolean>(seesPointer, SEEN_MS, aim.ready.point.x, aim.ready.point.y);
    await sender.move(aim.point);
    if (await seen) return true;
  }
  host.effects.add({ kind: 'background', detail: 'the pointer does not reach that frame: nothing was pressed' });
  return false;
};
