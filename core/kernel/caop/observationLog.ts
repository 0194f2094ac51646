import type { ObservationAccepted, ObservationCreate } from '../../contracts/caop/execution.ts';
import type { PulseInput } from '../../contracts/caop/pulse.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import type { Principal } from '../../contracts/principal.ts';
import { isAgent } from '../../contracts/principal.ts';
import { sha256Hex } from '../chainHash.ts';
import type { Decision } from '../eventWriter.ts';
import type { CaopOptions } from './caopParts.ts';
import { requireActor } from './caopPrincipals.ts';
import type { CompactLedger } from './compactLedger.ts';
import type { FactPlan, NewFact } from './factLedger.ts';

/** The same thing observed twice is one observation: its id follows from what makes it the same. */
const ID_CHARACTERS = 20;
export const derivedId = (prefix: string, ...parts: readonly string[]): string =>
  `${prefix}_${sha256Hex(JSON.stringify(parts)).slice(0, ID_CHARACTERS)}`;

type Unobserved = NonNullable<PulseInput['unobserved_events']>[number];

export class ObservationLog {
  readonly #options: CaopOptions;
  readonly #ledger: CompactLedger;

  constructor(options: CaopOptions, ledger: CompactLedger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  async ingest(input: ObservationCreate, principal: Principal): Promise<ObservationAccepted> {
    requireActor(principal);
    const { provider, resource_id } = input.source;
    const id = derivedId('obs', provider, resource_id, input.idempotency_key);
    return this.#options.writer.retrying(async () => {
      if ((await this.#options.store.get('observations', id)) !== null) {
        return { observation_id: id, status: 'accepted', duplicate: true };
      }
      const event: DomainEvent = {
        type: 'observation.received',
        payload: { observation: input, principal: principal.ref, dedupe: id },
      };
      await this.#options.writer.append([{ stream: id, version: 0, events: [event] }], id);
      return { observation_id: id, status: 'accepted', duplicate: false };
    });
  }

  /** Each event is a fact, and closes the fact it supersedes; all of them or none. */
  async takeIn(events: readonly Unobserved[], goalId: string | null, principal: Principal): Promise<void> {
    if (events.length === 0) return;
    requireActor(principal);
    await this.#ledger.exclusive(async () => {
      const fresh: { readonly id: string; readonly event: Unobserved }[] = [];
      for (const event of events) {
        const id =
          event.external_ref === undefined
            ? this.#options.ids.id('obs')
            : derivedId('obs', event.source, event.external_ref);
        const known =
          fresh.some((other) => other.id === id) || (await this.#options.store.get('observations', id)) !== null;
        if (!known) fresh.push({ id, event });
      }
      if (fresh.length === 0) return;
      const facts = fresh.map(({ id, event }) => this.#fact(id, event, goalId, principal));
      const plan: FactPlan = {
        record: facts,
        supersede: fresh.flatMap(({ event }, index) =>
          event.supersedes_fact_id === undefined
            ? []
            : [{ fact_id: event.supersedes_fact_id, by_fact_id: facts[index]?.fact_id ?? '', reason: event.summary }],
        ),
      };
      const observed = fresh.map(({ id, event }): Decision => ({
        stream: id,
        version: 0,
        events: [this.#observation(id, event, principal)],
      }));
      const change = await this.#ledger.factDecision(plan, 'observed', principal.ref);
      await this.#ledger.append([...observed, ...change], goalId ?? 'state');
    });
  }

  #observation(id: string, event: Unobserved, principal: Principal): DomainEvent {
    const observation: ObservationCreate = {
      source: { provider: event.source, resource_id: event.external_ref ?? id },
      type: 'pulse.event',
      occurred_at: this.#ledger.now(),
      idempotency_key: id,
    };
    return { type: 'observation.received', payload: { observation, principal: principal.ref, dedupe: id } };
  }

  #fact(id: string, event: Unobserved, goalId: string | null, principal: Principal): NewFact {
    return {
      fact_id: this.#options.ids.id('fct'),
      subject: `source/${event.source}`,
      predicate: 'observed',
      object: {
        summary: event.summary,
        observation_id: id,
        ...(event.external_ref === undefined ? {} : { external_ref: event.external_ref }),
      },
      status: 'VERIFIED_FACT',
      kind: 'observed',
      goal_id: goalId,
      work_id: null,
      principal: principal.ref,
      provenance: {
        work_id: id,
        execution_locus: 'HOST_DELEGATED',
        attestation: isAgent(principal) ? 'HOST_ASSERTED' : 'USER_CONFIRMED',
      },
    };
  }
}
