import { SignalboxError } from '../../contracts/errors.ts';
import type { Picture } from '../../kernel/ports.ts';
import { within } from '../common/within.ts';
import { VIEWPORT } from './pageHost.ts';
import type { PageHost } from './pageHost.ts';

const PICTURE_MS = 10_000;
const SNAPSHOT_MS = 1_500;

/** The viewport in PNG. A page whose thread stands still draws nothing: said at once. */
export const takePicture = async (host: PageHost): Promise<Picture> => {
  if (host.dialogs.open !== null) {
    throw new SignalboxError(
      'TIMEOUT',
      `No picture can be taken while a dialog (${host.dialogs.open.ref}) holds the page up. Answer it first; operator.perceive lists its buttons.`,
    );
  }
  const shot = await within(
    host.session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true }),
    PICTURE_MS,
  );
  if (shot.kind === 'late') {
    throw new SignalboxError('TIMEOUT', 'The page is too busy to draw. Try again, or use operator.perceive.');
  }
  return { bytes: Buffer.from(shot.value.data, 'base64'), mediaType: 'image/png', ...VIEWPORT };
};

/** Rough, for cards and the trace; not scaled, since that would resize the page under an agent's hands; null when the page does not draw just now. */
export const takeSnapshot = async (host: PageHost): Promise<Picture | null> => {
  if (host.dialogs.open !== null || host.end !== null) return null;
  const shot = await within(
    host.session.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: 45,
      optimizeForSpeed: true,
    }),
    SNAPSHOT_MS,
  ).catch(() => null);
  if (shot === null || shot.kind === 'late') return null;
  return { bytes: Buffer.from(shot.value.data, 'base64'), mediaType: 'image/jpeg', ...VIEWPORT };
};
