import type { SignalboxError } from '../contracts/errors.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { InputGuard } from '../kernel/ports.ts';

interface Parts {
  readonly kernel: GateKernel;
  readonly workId: string;
  /** Why nothing more may be sent now; null when it may. */
  readonly stop: () => SignalboxError | null;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Asked before every primitive input; writes down what was sent, so that a crash does not lose it. */
export class EffectGuard implements InputGuard {
  readonly sentInputs: string[] = [];
  /** What stopped the input; it is known then what was sent. */
  stoppedBy: SignalboxError | null = null;
  #begun = 0;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** For effects that are no input: the same question, nothing written down. */
  stopNow(): SignalboxError | null {
    this.stoppedBy ??= this.#parts.stop();
    return this.stoppedBy;
  }

  before(): void {
    const stop = this.stopNow();
    if (stop !== null) throw stop;
    this.#begun = this.sentInputs.length + 1;
    this.#write(this.#begun, 'an input was being sent');
  }

  sent(what: string): void {
    this.sentInputs.push(what);
    this.#write(this.sentInputs.length, what);
  }

  /** An input was begun and nobody said whether it went out. */
  get inDoubt(): boolean {
    return this.#begun > this.sentInputs.length;
  }

  #write(n: number, what: string): void {
    const { kernel, workId, onError } = this.#parts;
    kernel.noteSent(workId, n, what).catch((error: unknown) => onError(error, `writing down the input of ${workId}`));
  }
}
