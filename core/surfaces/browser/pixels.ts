import { within } from '../common/within.ts';
import type { Aim } from './aim.ts';
import type { PageHost } from './pageHost.ts';
import { readingText } from './targetErrors.ts';

const PICTURE_MS = 1_000;

/** What a canvas, a video or an image shows, before and after an input: no mutation tells of that. */
export interface PixelWatch {
  /** Call with the pointer in place, so that what hovering draws is no change. */
  before(): Promise<void>;
  /** Adds an effect to the host's when another picture is shown. */
  after(): Promise<void>;
}

export const watchPixels = (host: PageHost, aim: Aim): PixelWatch | null => {
  if (aim.ready.pixels !== true) return null;
  let known: string | null = null;
  return {
    async before() {
      const first = await pictureOf(host, aim);
      const second = await pictureOf(host, aim);
      // What moves by itself cannot be told from what the input does.
      known = first === second ? second : null;
    },
    async after() {
      if (known === null) return;
      const now = await pictureOf(host, aim);
      if (now === null || now === known) return;
      const detail = `${readingText(aim.ready.reading)} shows another picture`;
      host.effects.add({ kind: 'structure', detail, ref: aim.ref });
    },
  };
};

const pictureOf = async (host: PageHost, { box }: Aim): Promise<string | null> => {
  if (host.dialogs.open !== null || host.end !== null || box.width < 1 || box.height < 1) return null;
  const { cssVisualViewport: view } = await host.session.send('Page.getLayoutMetrics');
  const clip = { ...box, x: box.x + view.pageX, y: box.y + view.pageY, scale: 1 };
  const shot = await within(
    host.session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip }),
    PICTURE_MS,
  );
  return shot.kind === 'value' ? shot.value.data : null;
};
