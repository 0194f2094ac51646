import type { CdpSession, DragData } from './cdpTarget.ts';
import { ignoreGone } from './chromiumPage.ts';
import type { InputSender } from './inputSender.ts';
import type { PagePoint } from './pageProtocol.ts';

/** Enough for pages that follow the pointer, few enough to be quick. */
const STEPS = 6;

const between = (from: PagePoint, to: PagePoint, part: number): PagePoint => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});

/**
 * Drags with the left button held. A native drag (HTML drag and drop) is taken over from the system
 * and given to the page as drag events. Stops where the guard says so; the button then stays down.
 */
export const drag = async (session: CdpSession, sender: InputSender, from: PagePoint, to: PagePoint): Promise<void> => {
  let native: DragData | null = null;
  const subscription = session.on('Input.dragIntercepted', ({ data }) => (native = data));
  sender.allow();
  await session.send('Input.setInterceptDrags', { enabled: true });
  try {
    await sender.press(from, 'left', 1);
    for (let step = 1; step <= STEPS; step += 1) {
      const point = between(from, to, step / STEPS);
      const data = native as DragData | null;
      if (data === null) await sender.move(point, true);
      else await dragEvent(session, sender, 'dragOver', point, data);
      if (data === null && native !== null) await dragEvent(session, sender, 'dragEnter', point, native);
    }
    const data = native as DragData | null;
    if (data !== null) {
      await dragEvent(session, sender, 'dragOver', to, data);
      await dragEvent(session, sender, 'drop', to, data);
    }
    await sender.release(to, 'left', 1);
  } finally {
    subscription[Symbol.dispose]();
    void ignoreGone(session.send('Input.setInterceptDrags', { enabled: false }));
  }
};

const dragEvent = (
  session: CdpSession,
  sender: InputSender,
  type: 'dragEnter' | 'dragOver' | 'drop',
  { x, y }: PagePoint,
  data: DragData,
): Promise<unknown> =>
  sender.primitive(`${type} at ${Math.round(x)},${Math.round(y)}`, () =>
    session.send('Input.dispatchDragEvent', { type, x, y, data: { ...data } }),
  );
