import type { FrameHeader } from '../../contracts/console.ts';
import type { LiveFrame } from '../../kernel/ports.ts';

/** u32 big-endian length of the header, the header as JSON, the picture (`frameHeader` in the contracts). */
const encodeFrame = (header: FrameHeader, bytes: Uint8Array): Uint8Array => {
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.byteLength);
  return Buffer.concat([length, head, bytes]);
};

interface Waiting {
  readonly frame: LiveFrame;
  readonly done: () => void;
}

/** Frames of one surface to one viewer: one on its way, the newest waiting, the rest dropped. */
export class SurfaceWatch {
  readonly #surfaceId: string;
  readonly #send: (message: Uint8Array) => void;
  #count = 0;
  #onTheWay: number | null = null;
  #newest: Waiting | null = null;

  constructor(surfaceId: string, send: (message: Uint8Array) => void) {
    this.#surfaceId = surfaceId;
    this.#send = send;
  }

  offer(frame: LiveFrame, done: () => void): void {
    this.#newest?.done();
    this.#newest = { frame, done };
    if (this.#onTheWay === null) this.#sendNewest();
  }

  acknowledge(frame: number): void {
    if (frame !== this.#onTheWay) return;
    this.#onTheWay = null;
    this.#sendNewest();
  }

  #sendNewest(): void {
    const waiting = this.#newest;
    if (waiting === null) return;
    this.#newest = null;
    this.#onTheWay = ++this.#count;
    const { width, height, at, mediaType, bytes } = waiting.frame;
    const header = { surface_id: this.#surfaceId, frame: this.#count, width, height, at, media_type: mediaType };
    this.#send(encodeFrame(header, bytes));
    waiting.done();
  }
}
