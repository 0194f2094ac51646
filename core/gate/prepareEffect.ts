import type { PolicyDecision } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { BoundCall } from '../contracts/events.ts';
import type { Receipt } from '../contracts/operatorClass.ts';
import type { Principal } from '../contracts/principal.ts';
import { bindingOf, bindingText, isSensitive, maskText } from '../domain/bindCall.ts';
import { wouldSentence } from '../domain/describeCall.ts';
import { sha256Hex } from '../kernel/chainHash.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { EffectCall, Preflight } from '../kernel/ports.ts';
import type { Arguments, GateVerb } from './gateVerbs.ts';
import { requireFacet } from './gateVerbs.ts';
import type { SurfaceDirectory, SurfaceEntry } from './surfaceDirectory.ts';

/** A call that could be performed now: what it is bound to, and what the policies say. */
export interface Prepared {
  readonly kind: 'ready';
  readonly entry: SurfaceEntry | null;
  readonly call: BoundCall;
  /** Text kept out of the log. */
  readonly secret: string | null;
  readonly policy: PolicyDecision;
}

export type Preparation = Prepared | { readonly kind: 'blocked'; readonly receipt: Receipt };

export interface Effect {
  readonly verb: GateVerb;
  readonly args: Arguments;
  readonly principal: Principal;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** The three verbs that a surface itself performs. */
export const effectCallOf = (verb: string, args: Arguments): EffectCall | null => {
  switch (verb) {
    case 'operator.act':
    case 'operator.navigate':
    case 'operator.focus_app':
      // The arguments passed the verb's own schema.
      return { verb, args } as unknown as EffectCall;
    default:
      return null;
  }
};

/** Preflight, binding, policy: everything that is known of a call before anybody is asked. Sends nothing. */
export class EffectPreparer {
  readonly #kernel: GateKernel;
  readonly #directory: SurfaceDirectory;
  readonly #kinds: ReadonlySet<string>;

  constructor(kernel: GateKernel, directory: SurfaceDirectory, kinds: ReadonlySet<string>) {
    this.#kernel = kernel;
    this.#directory = directory;
    this.#kinds = kinds;
  }

  entryOf(effect: Pick<Effect, 'args' | 'principal' | 'verb'>): SurfaceEntry | null {
    const surfaceId = effect.args['surface_id'];
    if (typeof surfaceId !== 'string') return null;
    const entry = this.#directory.find(surfaceId, effect.principal);
    requireFacet(effect.verb, entry.surface);
    return entry;
  }

  async prepare(effect: Effect): Promise<Preparation> {
    const entry = this.entryOf(effect);
    const checked = await this.#check(effect, entry);
    return checked.kind === 'blocked' ? checked : this.#bind(effect, entry, checked);
  }

  async #check(effect: Effect, entry: SurfaceEntry | null): Promise<Preflight> {
    const call = effectCallOf(effect.verb.name, effect.args);
    if (effect.verb.name === 'signalbox.open_surface') this.#checkOpening(effect);
    if (entry === null || call === null) {
      const generation = entry?.surface.describe().generation ?? 0;
      return { kind: 'ready', reading: null, address: null, generation };
    }
    const { signal, principal, callId } = effect;
    return entry.surface.preflight(call, { signal, principal: principal.ref, callId });
  }

  #checkOpening({ args, principal }: Effect): void {
    if (principal.surfaces !== null) {
      throw new SignalboxError('POLICY_DENIED', 'This token is for named surfaces only; it cannot open others.');
    }
    if (!this.#kinds.has(String(args['kind']))) {
      throw new SignalboxError(
        'NOT_SUPPORTED',
        `No ${String(args['kind'])} surface can be opened here. Kinds: ${[...this.#kinds].join(', ')}.`,
        { details: { facet: null, degrades_to: null } },
      );
    }
  }

  #bind(effect: Effect, entry: SurfaceEntry | null, checked: Extract<Preflight, { kind: 'ready' }>): Prepared {
    const { verb, args, principal } = effect;
    const { reading, address, generation } = checked;
    const sensitive = isSensitive(verb.name, args, reading);
    const shown = sensitive ? maskText(args) : args;
    const view = entry === null ? null : this.#directory.view(entry, principal);
    const policy = this.#kernel.decidePolicy(
      { verb: verb.name, risk: verb.readOnly ? 'runs' : 'asks', principal },
      {
        capability: verb.name,
        arguments: shown,
        surface: view === null ? null : { ...view, address: address ?? view.address ?? null },
        target: reading === null ? null : { name: '', row: null, frame: null, ...reading },
        principal: { ...principal.ref },
      },
    );
    const surface = view === null ? null : { id: view.id, kind: view.kind, label: view.label ?? null };
    const binding = bindingOf({
      verb: verb.name,
      arguments: shown,
      policies: policy.matched,
      surface: entry === null ? null : { id: entry.surface.id, generation, epoch: entry.epoch },
      address,
      reading,
    });
    const place = surface === null ? null : { label: surface.label ?? surface.id, address };
    const call: BoundCall = {
      arguments: { ...shown },
      sensitive,
      surface,
      target: reading,
      would: wouldSentence(verb.name, shown, reading, place),
      binding,
      binding_hash: sha256Hex(bindingText(binding)),
    };
    return { kind: 'ready', entry, call, secret: sensitive ? String(args['value']) : null, policy };
  }
}
