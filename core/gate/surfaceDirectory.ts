import type { SurfaceView } from '../contracts/console.ts';
import { SignalboxError } from '../contracts/errors.ts';
import type { SurfaceObject } from '../contracts/operatorClass.ts';
import type { Principal, PrincipalRef } from '../contracts/principal.ts';
import { isAgent, principalKey, samePrincipal } from '../contracts/principal.ts';
import type { GateKernel } from '../kernel/gateKernel.ts';
import type { Clock, Surface } from '../kernel/ports.ts';
import type { Background } from './background.ts';
import type { GateNote } from './gate.ts';
import { SurfaceTurns } from './surfaceTurns.ts';

/** What the gate knows of one surface beside what the surface says of itself. */
export interface SurfaceEntry {
  readonly surface: Surface;
  readonly turns: SurfaceTurns;
  /** Grows with each takeover; whatever was decided under an older one is void. */
  epoch: number;
  holder: NonNullable<SurfaceView['holder']> | null;
  busy: NonNullable<SurfaceView['busy']> | null;
  gone: boolean;
  /** Performed actions so far: tells whether a picture is still of the present. */
  actions: number;
  /** The last hand-back, and up to which one each agent that works here has been told. */
  handback: { readonly n: number; readonly note: string } | null;
  readonly told: Map<string, number>;
  readonly subscription: Disposable;
}

interface Parts {
  readonly kernel: GateKernel;
  readonly clock: Clock;
  readonly emit: (note: GateNote) => void;
  readonly pendingOn: (surfaceId: string) => number;
  readonly background: Background;
}

const GONE: { code: string; because: string } = { code: 'APPROVAL_VOID', because: 'The surface is gone.' };

export class SurfaceDirectory {
  readonly #parts: Parts;
  readonly #entries = new Map<string, SurfaceEntry>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async add(surface: Surface, by: PrincipalRef | null): Promise<SurfaceEntry> {
    const known = this.#entries.get(surface.id);
    if (known !== undefined) return known;
    const entry: SurfaceEntry = {
      surface,
      turns: new SurfaceTurns(this.#parts.clock),
      epoch: 0,
      holder: null,
      busy: null,
      gone: false,
      actions: 0,
      handback: null,
      told: new Map(),
      subscription: surface.onChange(() => this.#changed(entry)),
    };
    this.#entries.set(surface.id, entry);
    const { kind, label, opener } = surface.describe();
    const before = await this.#parts.kernel.surfaceRecord(surface.id);
    entry.epoch = Math.max(entry.epoch, before?.epoch ?? 0);
    entry.holder ??= before?.holder ?? null;
    await this.#parts.kernel.recordSurface(surface.id, {
      type: 'surface.opened',
      payload: { kind, label: label ?? null, opener: opener ?? null, by },
    });
    this.tell(entry);
    return entry;
  }

  #changed(entry: SurfaceEntry): void {
    if (entry.gone) return;
    if (entry.surface.describe().state === 'gone') this.#end(entry);
    else this.tell(entry);
  }

  #end(entry: SurfaceEntry): void {
    const { id } = entry.surface;
    entry.gone = true;
    entry.subscription[Symbol.dispose]();
    this.#entries.delete(id);
    entry.turns.refuseWaiting(this.#goneError(id));
    this.#parts.emit({ type: 'surface_removed', surface_id: id });
    const closed = { type: 'surface.closed', payload: { because: 'it ended', by: null } } as const;
    this.#parts.background.run(
      this.#parts.kernel.recordSurface(id, closed, GONE),
      `recording that surface ${id} ended`,
    );
  }

  tell(entry: SurfaceEntry): void {
    if (!entry.gone) this.#parts.emit({ type: 'surface', surface: this.view(entry, null) });
  }

  tellOf(surfaceId: string): void {
    const entry = this.#entries.get(surfaceId);
    if (entry !== undefined) this.tell(entry);
  }

  #goneError(surfaceId: string, principal: Principal | null = null): SignalboxError {
    const known = principal === null ? [] : this.visible(principal).map((entry) => entry.surface.id);
    return new SignalboxError(
      'SURFACE_GONE',
      `There is no surface ${surfaceId}: it was closed, or never was. Call operator.list_surfaces and take an id from there.`,
      { details: { surface_id: surfaceId, known_surfaces: known } },
    );
  }

  visible(principal: Principal): readonly SurfaceEntry[] {
    return [...this.#entries.values()].filter(
      ({ surface }) => principal.surfaces === null || principal.surfaces.includes(surface.id),
    );
  }

  /** Within the scope of the principal's token, else as if it did not exist. */
  find(surfaceId: string, principal: Principal): SurfaceEntry {
    const entry = this.visible(principal).find(({ surface }) => surface.id === surfaceId);
    if (entry === undefined) throw this.#goneError(surfaceId, principal);
    return entry;
  }

  /** What a private surface shows is for its holder alone. */
  static hides(entry: SurfaceEntry, viewer: Principal): boolean {
    return entry.holder?.private === true && !samePrincipal(entry.holder.principal, viewer.ref);
  }

  /** `viewer: null` is the console's own feed; private surfaces hide their words from it too. */
  view(entry: SurfaceEntry, viewer: Principal | null): SurfaceView {
    const { surface, holder, busy } = entry;
    const { address, title, ...said } = surface.describe();
    const hidden = viewer === null ? holder?.private === true : SurfaceDirectory.hides(entry, viewer);
    return {
      ...said,
      ...(address === undefined || hidden ? {} : { address }),
      ...(title === undefined || hidden ? {} : { title }),
      controller: holder !== null ? 'human' : busy !== null ? 'agent' : 'none',
      ...(holder === null ? {} : { holder }),
      ...(busy === null ? {} : { busy }),
      pending_approvals: this.#parts.pendingOn(surface.id),
    };
  }

  /** As the class describes a surface, for agents. */
  object(entry: SurfaceEntry, viewer: Principal): SurfaceObject {
    const { id, kind, label, address, application, facets, readiness, controller, generation, size } = this.view(
      entry,
      viewer,
    );
    return {
      id,
      kind,
      ...(label === undefined ? {} : { label }),
      ...(address === undefined ? {} : { address }),
      ...(application === undefined ? {} : { application }),
      ...(facets === undefined ? {} : { facets }),
      ...(readiness === undefined ? {} : { readiness }),
      ...(controller === undefined ? {} : { controller }),
      ...(generation === undefined ? {} : { generation }),
      ...(size === undefined ? {} : { size }),
    };
  }

  /** What is left to say to this agent about a hand-back; said once. */
  takeNote(entry: SurfaceEntry, principal: Principal): string | null {
    if (!isAgent(principal)) return null;
    const key = principalKey(principal.ref);
    const told = entry.told.get(key);
    const { handback } = entry;
    entry.told.set(key, handback?.n ?? 0);
    return told === undefined || handback === null || told >= handback.n ? null : handback.note;
  }

  /** The agent works here: it will be told of hand-backs from now on. */
  noteAgent(entry: SurfaceEntry, principal: Principal): void {
    const key = principalKey(principal.ref);
    if (isAgent(principal) && !entry.told.has(key)) entry.told.set(key, entry.handback?.n ?? 0);
  }

  close(): void {
    for (const entry of this.#entries.values()) entry.subscription[Symbol.dispose]();
    this.#entries.clear();
  }
}
