import { z } from 'zod';
import type { CapabilityRegistration, ExecutionLocus, PromotionPolicy } from '../../contracts/caop/capability.ts';
import type { EventPayload } from '../../contracts/events.ts';
import { issuesOf } from '../../contracts/parse.ts';
import type { Principal } from '../../contracts/principal.ts';
import { SignalboxError } from '../../contracts/errors.ts';
import type { Row } from '../eventStore.ts';
import { invalid, notFound } from './caopErrors.ts';
import type { CaopOptions } from './caopParts.ts';
import { requirePerson } from './caopPrincipals.ts';

type Registered = EventPayload<'capability.registered'>;

/** What a plan may name: registered for a host to perform, or performed by the kernel through the gate. */
export interface KnownCapability {
  readonly capability_id: string;
  readonly summary: string;
  readonly version: string;
  readonly execution_locus: ExecutionLocus;
  readonly side_effect_level: Registered['side_effect_level'];
  readonly receipt_lease_seconds: number;
  readonly required_receipt_fields: readonly string[];
  readonly promotion_policy: PromotionPolicy | null;
  readonly input_schema: Readonly<Record<string, unknown>> | null;
  readonly output_schema: Readonly<Record<string, unknown>> | null;
}

export interface NewCapability extends CapabilityRegistration {
  readonly summary?: string | undefined;
  readonly side_effect_level?: Registered['side_effect_level'] | undefined;
}

const PROXIED_LEASE_SECONDS = 300;
const stream = (id: string): string => `capability:${id}`;

const ofRegistered = ({ registration, summary, side_effect_level }: Registered): KnownCapability => ({
  capability_id: registration.capability_id,
  summary,
  version: registration.version,
  execution_locus: registration.execution_locus,
  side_effect_level,
  receipt_lease_seconds: registration.receipt_lease_seconds,
  required_receipt_fields: registration.required_receipt_fields,
  promotion_policy: registration.promotion_policy,
  input_schema: registration.input_schema ?? null,
  output_schema: registration.output_schema ?? null,
});

const schemaOf = (schema: Readonly<Record<string, unknown>>): z.ZodType => z.fromJSONSchema(schema);

export class CapabilityBook {
  readonly #parts: Pick<CaopOptions, 'store' | 'writer' | 'proxied'>;

  constructor(parts: Pick<CaopOptions, 'store' | 'writer' | 'proxied'>) {
    this.#parts = parts;
  }

  /** By id, in order of id. */
  async list(): Promise<readonly KnownCapability[]> {
    const rows = await this.#parts.store.query('capabilities', { where: { withdrawn: 0 } });
    return [
      ...this.#proxied(),
      ...rows.map((row: Row) => ofRegistered(row['capability'] as unknown as Registered)),
    ].sort((a, b) => (a.capability_id < b.capability_id ? -1 : 1));
  }

  async find(capabilityId: string): Promise<KnownCapability | null> {
    const proxied = this.#proxied().find(({ capability_id }) => capability_id === capabilityId);
    if (proxied !== undefined) return proxied;
    const row = await this.#parts.store.get('capabilities', capabilityId);
    return row === null || row['withdrawn'] !== 0 ? null : ofRegistered(row['capability'] as unknown as Registered);
  }

  async register(input: NewCapability, principal: Principal): Promise<KnownCapability> {
    requirePerson(principal, 'register capabilities');
    const { summary, side_effect_level, ...registration } = input;
    const id = registration.capability_id;
    if (this.#proxied().some(({ capability_id }) => capability_id === id)) {
      throw new SignalboxError(
        'STATE_VERSION_CONFLICT',
        `${id} is one of the console's own capabilities. Take another id.`,
      );
    }
    if (registration.execution_locus === 'KERNEL_PROXIED') {
      throw invalid(
        'execution_locus',
        'The kernel performs only its own verbs and the tools of supervised servers. Register HOST_DELEGATED, or put the server behind the gate.',
      );
    }
    for (const key of ['input_schema', 'output_schema'] as const) {
      const schema = registration[key];
      if (schema !== undefined) this.#refuseBadSchema(key, schema);
    }
    const payload: Registered = {
      registration,
      summary: summary ?? id,
      // What is not known to be harmless counts as irreversible: it asks.
      side_effect_level: side_effect_level ?? 'irreversible',
      by: principal.ref,
    };
    await this.#parts.writer.retrying(async () => {
      const version = await this.#parts.store.version(stream(id));
      await this.#parts.writer.append(
        [{ stream: stream(id), version, events: [{ type: 'capability.registered', payload }] }],
        id,
      );
    });
    return ofRegistered(payload);
  }

  async withdraw(capabilityId: string, principal: Principal): Promise<KnownCapability> {
    requirePerson(principal, 'withdraw capabilities');
    const row = await this.#parts.store.get('capabilities', capabilityId);
    if (row === null) throw notFound(`registered capability ${capabilityId}`);
    await this.#parts.writer.retrying(async () => {
      const version = await this.#parts.store.version(stream(capabilityId));
      await this.#parts.writer.append(
        [
          {
            stream: stream(capabilityId),
            version,
            events: [{ type: 'capability.withdrawn', payload: { by: principal.ref } }],
          },
        ],
        capabilityId,
      );
    });
    return ofRegistered(row['capability'] as unknown as Registered);
  }

  /** Faults of arguments against the capability's input schema, each at its path. */
  argumentFaults(
    capability: KnownCapability,
    args: unknown,
  ): readonly { readonly path: string; readonly message: string }[] {
    if (capability.input_schema === null) return [];
    const parsed = schemaOf(capability.input_schema).safeParse(args);
    return parsed.success ? [] : issuesOf(parsed.error);
  }

  #refuseBadSchema(path: string, schema: Readonly<Record<string, unknown>>): void {
    try {
      schemaOf(schema);
    } catch (error) {
      throw invalid(
        path,
        `It is not a JSON Schema that can be checked here: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #proxied(): readonly KnownCapability[] {
    return this.#parts.proxied.list().map((capability) => ({
      ...capability,
      version: '1',
      execution_locus: 'KERNEL_PROXIED',
      side_effect_level: capability.read_only ? 'none' : 'irreversible',
      receipt_lease_seconds: PROXIED_LEASE_SECONDS,
      required_receipt_fields: [],
      promotion_policy: null,
    }));
  }
}
