import { once } from 'node:events';
import { WebSocket } from 'ws';
import { frameHeader } from '../../../core/contracts/console.ts';
import type { FrameHeader } from '../../../core/contracts/console.ts';
import type { Signalbox } from '../../support/signalbox.ts';

/** A console window that draws live frames and says so after `drawMs`. */
export class Viewer {
  readonly frames: { readonly header: FrameHeader; readonly received: number }[] = [];
  readonly #socket: WebSocket;
  readonly #surfaceId: string;
  readonly #drawMs: number;

  private constructor(socket: WebSocket, surfaceId: string, drawMs: number) {
    this.#socket = socket;
    this.#surfaceId = surfaceId;
    this.#drawMs = drawMs;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#frame(data);
    });
  }

  static async open(box: Signalbox, surfaceId: string, drawMs = 0): Promise<Viewer> {
    const socket = new WebSocket(`${box.url.replace('http', 'ws')}/ws`, { origin: box.url });
    await once(socket, 'open');
    const { token } = box.person;
    socket.send(JSON.stringify({ type: 'hello', token }));
    await once(socket, 'message');
    const viewer = new Viewer(socket, surfaceId, drawMs);
    socket.send(JSON.stringify({ type: 'watch', surface_id: surfaceId }));
    return viewer;
  }

  #frame(data: Buffer): void {
    const length = data.readUInt32BE(0);
    const header = frameHeader.parse(JSON.parse(data.subarray(4, 4 + length).toString('utf8')));
    this.frames.push({ header, received: Date.now() });
    const drawn = (): void => {
      if (this.#socket.readyState === WebSocket.OPEN) {
        this.#socket.send(JSON.stringify({ type: 'frame_ack', surface_id: this.#surfaceId, frame: header.frame }));
      }
    };
    if (this.#drawMs === 0) drawn();
    else setTimeout(drawn, this.#drawMs);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}
