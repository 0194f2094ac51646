import { frameHeader } from '../../core/contracts/console.ts';
import type { FrameHeader, WsClientMessage } from '../../core/contracts/console.ts';

/** A live frame as decoded; `bitmap` is closed after every viewer has drawn it. */
export interface DecodedFrame {
  readonly header: FrameHeader;
  readonly bitmap: ImageBitmap;
}

/** Layout: u32 big-endian header length, header as UTF-8 JSON, image bytes. Null when it is not a frame. */
export const parseFrame = (bytes: ArrayBuffer): { header: FrameHeader; image: Uint8Array<ArrayBuffer> } | null => {
  if (bytes.byteLength < 4) return null;
  const length = new DataView(bytes).getUint32(0);
  if (length > bytes.byteLength - 4) return null;
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    const parsed = frameHeader.safeParse(json);
    return parsed.success ? { header: parsed.data, image: new Uint8Array(bytes, 4 + length) } : null;
  } catch {
    return null;
  }
};

interface Viewer {
  readonly maxWidth: number;
  readonly onFrame: (frame: DecodedFrame) => void;
  readonly onEnded: (reason: string) => void;
}

interface Watched {
  readonly viewers: Set<Viewer>;
  maxWidth: number;
  /** The newest frame's image, for a viewer that comes later. */
  last: { readonly header: FrameHeader; readonly image: Blob } | null;
}

/** Shares one watch per surface among all its viewers; acknowledges a frame when all have drawn it. */
export class FrameHub {
  readonly #watched = new Map<string, Watched>();
  readonly #send: (message: WsClientMessage) => boolean;

  constructor(send: (message: WsClientMessage) => boolean) {
    this.#send = send;
  }

  watch(surfaceId: string, viewer: Viewer): () => void {
    const watched = this.#watched.get(surfaceId) ?? { viewers: new Set<Viewer>(), maxWidth: 0, last: null };
    this.#watched.set(surfaceId, watched);
    watched.viewers.add(viewer);
    this.#resize(surfaceId, watched);
    if (watched.last !== null) void draw(watched.last, [viewer]);
    return () => {
      watched.viewers.delete(viewer);
      this.#resize(surfaceId, watched);
    };
  }

  /** After a reconnect the server has forgotten every watch. */
  resend(): void {
    for (const [surfaceId, { maxWidth }] of this.#watched) {
      this.#send({ type: 'watch', surface_id: surfaceId, max_width: maxWidth });
    }
  }

  async receive(bytes: ArrayBuffer): Promise<void> {
    const frame = parseFrame(bytes);
    if (frame === null) return;
    const { surface_id, frame: n, media_type } = frame.header;
    const watched = this.#watched.get(surface_id);
    if (watched === undefined) return;
    watched.last = { header: frame.header, image: new Blob([frame.image], { type: media_type }) };
    await draw(watched.last, watched.viewers);
    this.#send({ type: 'frame_ack', surface_id, frame: n });
  }

  ended(surfaceId: string, reason: string): void {
    const watched = this.#watched.get(surfaceId);
    if (watched === undefined) return;
    watched.last = null;
    for (const viewer of watched.viewers) viewer.onEnded(reason);
  }

  #resize(surfaceId: string, watched: Watched): void {
    if (watched.viewers.size === 0) {
      this.#watched.delete(surfaceId);
      this.#send({ type: 'unwatch', surface_id: surfaceId });
      return;
    }
    const maxWidth = Math.max(...[...watched.viewers].map((viewer) => viewer.maxWidth));
    if (maxWidth === watched.maxWidth) return;
    watched.maxWidth = maxWidth;
    this.#send({ type: 'watch', surface_id: surfaceId, max_width: maxWidth });
  }
}

/** A picture that cannot be decoded is skipped: the next one comes after the acknowledgement. */
const draw = async (frame: { header: FrameHeader; image: Blob }, viewers: Iterable<Viewer>): Promise<void> => {
  const bitmap = await createImageBitmap(frame.image).catch(() => null);
  if (bitmap === null) return;
  for (const viewer of viewers) viewer.onFrame({ header: frame.header, bitmap });
  bitmap.close();
};
