import { SignalboxError, isSignalboxError } from '../contracts/errors.ts';
import type { PerceiveInput, SettleInput } from '../contracts/operatorClass.ts';
import type { Principal } from '../contracts/principal.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { SurfaceContext } from '../kernel/ports.ts';
import type { CallContext, VerbResult } from './gate.ts';
import type { Arguments, GateVerb } from './gateVerbs.ts';
import { heldError } from './surfaceControl.ts';
import { SurfaceDirectory } from './surfaceDirectory.ts';
import type { SurfaceEntry } from './surfaceDirectory.ts';

interface Parts {
  readonly kernel: GateKernel;
  readonly directory: SurfaceDirectory;
}

export interface ReadRequest {
  readonly verb: GateVerb;
  readonly args: Arguments;
  readonly entry: SurfaceEntry | null;
  readonly ctx: CallContext;
  readonly callId: string;
}

export const refusePrivate = (entry: SurfaceEntry, viewer: Principal): void => {
  if (SurfaceDirectory.hides(entry, viewer)) throw heldError(entry, 'It is private until it is handed back.');
};

/** Verbs that only read: no lease, no approval, no turn. */
export class ReadVerbs {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async call(request: ReadRequest): Promise<VerbResult> {
    const { verb, args, ctx, entry } = request;
    if (verb.name === 'operator.list_surfaces') return this.#list(args, ctx.principal);
    if (verb.name === 'signalbox.get_receipt') return this.#receipt(String(args['receipt_id']), ctx.principal);
    if (entry === null) throw new SignalboxError('INTERNAL', `${verb.name} reads a surface but none was named.`);
    refusePrivate(entry, ctx.principal);
    this.#parts.directory.noteAgent(entry, ctx.principal);
    return this.#read(request, entry);
  }

  async #read({ verb, args, ctx, callId }: ReadRequest, entry: SurfaceEntry): Promise<VerbResult> {
    const surfaceContext: SurfaceContext = { signal: ctx.signal, principal: ctx.principal.ref, callId };
    switch (verb.name) {
      case 'operator.perceive': {
        const seen = await entry.surface.perceive(args as unknown as PerceiveInput, surfaceContext);
        // Taken private while it was being read: what was seen stays with its holder.
        refusePrivate(entry, ctx.principal);
        const note = this.#parts.directory.takeNote(entry, ctx.principal);
        return { output: { ...seen, ...(note === null ? {} : { note }) } };
      }
      case 'operator.settle':
        return { output: { ...(await entry.surface.settle(args as unknown as SettleInput, surfaceContext)) } };
      case 'operator.capture': {
        const picture = await entry.surface.capture(surfaceContext);
        refusePrivate(entry, ctx.principal);
        return { output: { width: picture.width, height: picture.height }, picture };
      }
      default:
        throw new SignalboxError('INTERNAL', `${verb.name} is declared read-only but nothing reads for it.`);
    }
  }

  #list(args: Arguments, principal: Principal): VerbResult {
    const surfaces = this.#parts.directory
      .visible(principal)
      .filter(({ surface }) => args['kind'] === undefined || surface.kind === args['kind'])
      .map((entry) => this.#parts.directory.object(entry, principal));
    return { output: { surfaces } };
  }

  async #receipt(receiptId: string, principal: Principal): Promise<VerbResult> {
    try {
      const { receipt } = await this.#parts.kernel.receipt(receiptId, principal);
      return { output: { ...receipt } };
    } catch (error) {
      if (!isSignalboxError(error) || error.code !== 'NOT_FOUND') throw error;
      const issues = [{ path: 'receipt_id', message: 'No receipt of yours has this id.' }];
      throw new SignalboxError('INVALID_REQUEST', `You have no receipt ${receiptId}.`, { details: { issues } });
    }
  }
}
