import type { ApprovalView } from '../contracts/console.ts';
import type { ArtifactStore, Clock } from '../kernel/ports.ts';
import type { SurfaceEntry } from './surfaceDirectory.ts';

export type PictureRef = NonNullable<ApprovalView['picture']>;

/** A card without a picture is better than a call held up by one. */
const PATIENCE_MS = 1_000;

interface Parts {
  readonly artifacts: ArtifactStore;
  readonly clock: Clock;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Small pictures for cards and the trace; never the reason that a call fails. */
export class SurfacePictures {
  readonly #parts: Parts;
  readonly #running = new WeakMap<SurfaceEntry, Promise<PictureRef | null>>();
  /** The last picture, and how many actions had been performed when it was taken. */
  readonly #last = new WeakMap<
    SurfaceEntry,
    { readonly actions: number; readonly at: number; readonly picture: PictureRef }
  >();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Taken now, or shared with one that is being taken. */
  take(entry: SurfaceEntry): Promise<PictureRef | null> {
    const running = this.#running.get(entry);
    if (running !== undefined) return running;
    const taken = this.#take(entry).finally(() => this.#running.delete(entry));
    this.#running.set(entry, taken);
    return taken;
  }

  /** One no older than the last action and `maxAgeMs`, when there is one. */
  recent(entry: SurfaceEntry, maxAgeMs: number): PictureRef | null {
    const last = this.#last.get(entry);
    const isOfNow = last?.actions === entry.actions && this.#parts.clock.now() - last.at <= maxAgeMs;
    return last !== undefined && isOfNow ? last.picture : null;
  }

  async #take(entry: SurfaceEntry): Promise<PictureRef | null> {
    const actions = entry.actions;
    const { clock, onError } = this.#parts;
    let timer: Disposable | null = null;
    try {
      const late = new Promise<null>((resolve) => {
        timer = clock.schedule(clock.now() + PATIENCE_MS, () => resolve(null));
      });
      const picture = await Promise.race([entry.surface.snapshot(), late]);
      if (picture === null) return null;
      const { sha256 } = await this.#parts.artifacts.put(picture.bytes, picture.mediaType);
      const ref = { sha256, width: picture.width, height: picture.height };
      this.#last.set(entry, { actions, at: clock.now(), picture: ref });
      return ref;
    } catch (error) {
      onError(error, `taking a picture of ${entry.surface.id}`);
      return null;
    } finally {
      (timer as Disposable | null)?.[Symbol.dispose]();
    }
  }
}
