import type { CallView } from '../contracts/console.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import type { SignalboxError } from '../contracts/errors.ts';
import type { Receipt } from '../contracts/operatorClass.ts';
import type { Principal } from '../contracts/principal.ts';
import type { TargetReading } from '../contracts/console.ts';
import { MASK, entersText } from '../domain/bindCall.ts';
import { callWords, clip, receiptSummary } from '../domain/describeCall.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { Clock } from '../kernel/ports.ts';
import type { CallContext, GateNote, VerbResult } from './gate.ts';
import type { Arguments, GateVerb } from './gateVerbs.ts';

const refusals: ReadonlySet<ErrorCode> = new Set([
  'APPROVAL_DENIED',
  'APPROVAL_EXPIRED',
  'APPROVAL_VOID',
  'CANCELLED',
  'CONTROLLED_BY_HUMAN',
  'FORBIDDEN',
  'PAUSED',
  'POLICY_DENIED',
  'UNSETTLED_LEASE',
]);

const outcomeOf = (error: SignalboxError): CallView['outcome'] => {
  if (error.code === 'APPROVAL_PENDING') return 'pending';
  if (error.code === 'OUTCOME_UNKNOWN') return 'unknown';
  return refusals.has(error.code) ? 'refused' : 'error';
};

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly emit: (note: GateNote) => void;
}

export interface CallStart {
  readonly callId: string;
  readonly verb: Pick<GateVerb, 'name' | 'readOnly'>;
  readonly args: Arguments;
  readonly ctx: Pick<CallContext, 'principal' | 'client'>;
}

const countsOf = (verb: string, output: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  if (verb === 'operator.perceive') {
    const targets = output['targets'];
    const text = output['text'];
    return {
      targets: Array.isArray(targets) ? targets.length : 0,
      ...(output['total'] === undefined ? {} : { total: output['total'] }),
      text_characters: typeof text === 'string' ? text.length : 0,
      readiness: output['readiness'],
    };
  }
  if (verb === 'operator.list_surfaces') {
    const surfaces = output['surfaces'];
    return { surfaces: Array.isArray(surfaces) ? surfaces.length : 0 };
  }
  return { ...output };
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const readingSummary = (words: string, counts: Readonly<Record<string, unknown>>): string => {
  const count = (name: string): number | null => (typeof counts[name] === 'number' ? counts[name] : null);
  const [targets, surfaces, width, height] = [count('targets'), count('surfaces'), count('width'), count('height')];
  if (targets !== null) return clip(`${words} → ${counted(targets, 'target')}`);
  if (surfaces !== null) return clip(`${words} → ${counted(surfaces, 'surface')}`);
  if (width !== null && height !== null) return clip(`${words} → ${width}×${height}`);
  return clip(typeof counts['readiness'] === 'string' ? `${words} → ${counts['readiness']}` : words);
};

const isReceipt = (output: Readonly<Record<string, unknown>>): boolean =>
  typeof output['changed'] === 'boolean' && typeof output['readiness'] === 'string';

/** One call's line in the trace, from its start to its end. */
export class CallRecord {
  readonly #parts: Parts;
  #view: CallView;
  #target: TargetReading | null = null;

  private constructor(parts: Parts, view: CallView) {
    this.#parts = parts;
    this.#view = view;
  }

  static async start(parts: Parts, { callId, verb, args, ctx }: CallStart): Promise<CallRecord> {
    // Whether text goes to a password field is known only after the target was read: hidden until then.
    const shown = entersText(verb.name, args) ? { ...args, value: MASK } : { ...args };
    const surfaceId = args['surface_id'];
    const view = await parts.kernel.startCall({
      call_id: callId,
      at: new Date(parts.clock.now()).toISOString(),
      duration_ms: null,
      principal: ctx.principal.ref,
      client: ctx.client,
      surface_id: typeof surfaceId === 'string' ? surfaceId : null,
      verb: verb.name,
      arguments: shown,
      read_only: verb.readOnly,
      outcome: 'running',
      code: null,
      summary: callWords(verb.name, shown, null),
      result: null,
      work_id: null,
      receipt_id: null,
      pictures: { before: null, after: null },
    });
    parts.emit({ type: 'call', call: view });
    return new CallRecord(parts, view);
  }

  /** Takes up the line of a call whose caller has left. */
  static resume(parts: Parts, view: CallView): CallRecord {
    return new CallRecord(parts, view);
  }

  get view(): CallView {
    return this.#view;
  }

  /** Arguments as they may be shown, once the target has been read. */
  reads(args: Arguments, target: TargetReading | null): void {
    this.#target = target;
    this.#view = { ...this.#view, arguments: { ...args }, summary: callWords(this.#view.verb, args, target) };
  }

  isOf(workId: string): void {
    this.#view = { ...this.#view, work_id: workId };
  }

  async succeeded(result: VerbResult): Promise<void> {
    const { output } = result;
    const words = callWords(this.#view.verb, this.#view.arguments, this.#target);
    if (isReceipt(output) && output['targets'] === undefined) {
      const receipt = output as Receipt;
      const receiptId = receipt.receipt_id ?? null;
      const outcome = receipt.blocked_by === undefined ? 'ok' : 'blocked';
      await this.#end({ outcome, summary: receiptSummary(words, receipt), result: output, receipt_id: receiptId });
      return;
    }
    const counts = countsOf(this.#view.verb, output);
    await this.#end({ outcome: 'ok', summary: readingSummary(words, counts), result: counts });
  }

  async failed(error: SignalboxError): Promise<void> {
    const words = callWords(this.#view.verb, this.#view.arguments, this.#target);
    const { code, message, retryable, details } = error;
    await this.#end({
      outcome: outcomeOf(error),
      code,
      summary: clip(`${words} → ${code}`),
      result: { code, message, retryable, details },
    });
  }

  async #end(change: Partial<CallView>): Promise<void> {
    const duration_ms = this.#parts.clock.now() - Date.parse(this.#view.at);
    await this.#set({ code: null, ...change, duration_ms });
  }

  async picture(which: 'before' | 'after', sha256: string): Promise<void> {
    await this.#set({ pictures: { ...this.#view.pictures, [which]: sha256 } });
  }

  /** A picture taken before the end of the call is written with it. */
  hasPicture(which: 'before' | 'after', sha256: string): void {
    this.#view = { ...this.#view, pictures: { ...this.#view.pictures, [which]: sha256 } };
  }

  async #set(change: Partial<CallView>): Promise<void> {
    this.#view = { ...this.#view, ...change };
    await this.#parts.kernel.updateCall(this.#view);
    this.#parts.emit({ type: 'call', call: this.#view });
  }
}

export const systemViewer: Principal = {
  ref: { type: 'service', id: 'signalbox' },
  roles: ['admin'],
  surfaces: null,
  tokenId: 'none',
};
