import type { ControlInput, SurfaceView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { Principal } from '../contracts/principal.ts';
import { mayApprove, principalKey, samePrincipal } from '../contracts/principal.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { Clock } from '../kernel/ports.ts';
import type { SurfaceDirectory, SurfaceEntry } from './surfaceDirectory.ts';

export const heldError = (entry: SurfaceEntry, more = 'Wait until it is handed back.'): SignalboxError => {
  const holder = entry.holder;
  const name = holder === null ? 'A person' : principalKey(holder.principal);
  return new SignalboxError(
    'CONTROLLED_BY_HUMAN',
    `${name} has control of ${entry.surface.id}. Nothing was sent. ${more}`,
    {
      details: { surface_id: entry.surface.id, holder: name, since: holder?.since ?? null },
    },
  );
};

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly directory: SurfaceDirectory;
}

type Holder = NonNullable<SurfaceView['holder']>;

/** Takeover and hand-back. The epoch changes before anything is waited for, so that input stops at once. */
export class SurfaceControl {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async apply(entry: SurfaceEntry, input: ControlInput, principal: Principal): Promise<void> {
    if (!mayApprove(principal)) {
      throw new SignalboxError(
        'FORBIDDEN',
        `${principalKey(principal.ref)} may not take control: that takes the approver role.`,
      );
    }
    if (input.action === 'take') await this.#take(entry, input, principal);
    else await this.#release(entry, input, principal);
    this.#parts.directory.tell(entry);
  }

  async #take(entry: SurfaceEntry, input: ControlInput, principal: Principal): Promise<void> {
    const before = entry.holder;
    if (before !== null && !samePrincipal(before.principal, principal.ref)) {
      throw heldError(entry, 'It must be handed back first.');
    }
    const since = before?.since ?? new Date(this.#parts.clock.now()).toISOString();
    const holder: Holder = { principal: principal.ref, since, private: input.private ?? before?.private ?? false };
    entry.epoch += 1;
    entry.holder = holder;
    entry.turns.refuseWaiting(heldError(entry));
    const payload = { by: principal.ref, epoch: entry.epoch, private: holder.private };
    const why = { code: 'CONTROLLED_BY_HUMAN', because: `${principalKey(principal.ref)} took control of the surface.` };
    await this.#parts.kernel.recordSurface(entry.surface.id, { type: 'surface.control_taken', payload }, why);
  }

  async #release(entry: SurfaceEntry, input: ControlInput, principal: Principal): Promise<void> {
    const holder = entry.holder;
    if (holder === null) return;
    if (!samePrincipal(holder.principal, principal.ref) && !principal.roles.includes('admin')) {
      throw heldError(entry, 'Only that person or an administrator hands it back.');
    }
    const note = input.note?.trim() ?? '';
    const payload = { by: principal.ref, epoch: entry.epoch, note: note === '' ? null : note };
    await this.#parts.kernel.recordSurface(entry.surface.id, { type: 'surface.control_released', payload });
    entry.holder = null;
    const said = note === '' ? 'Look again before you act: what you saw may have changed.' : note;
    entry.handback = {
      n: (entry.handback?.n ?? 0) + 1,
      note: `${principalKey(holder.principal)} had control and handed back: ${said}`,
    };
  }
}
