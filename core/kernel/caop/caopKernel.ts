import type { CompactWork } from '../../domain/caop/compactState.ts';
import { isSignalboxError } from '../../contracts/errors.ts';
import type { PlacedEvent } from '../eventStore.ts';
import { domainEventOf } from '../storeSchema.ts';
import type { Principal } from '../../contracts/principal.ts';
import { backtestPolicy, type Backtest } from './backtestPolicy.ts';
import { CaopApprovals } from './caopApprovals.ts';
import type { CaopOptions } from './caopParts.ts';
import { requirePerson } from './caopPrincipals.ts';
import { CapabilityBook } from './capabilityBook.ts';
import { CommitmentBook } from './commitmentBook.ts';
import { CommitPolicyBook } from './commitPolicyBook.ts';
import { CompactLedger } from './compactLedger.ts';
import { compactReads } from './compactReads.ts';
import { CompactTimers } from './compactTimers.ts';
import { ContextDesk } from './contextDesk.ts';
import { WorkDispatcher } from './dispatchWork.ts';
import { ExecutionBook } from './executionBook.ts';
import { DEFAULT_MAX_SUBGRAPH, FactLedger } from './factLedger.ts';
import { factReads } from './factReads.ts';
import { ownFacts } from './factResults.ts';
import { GoalBook } from './goalBook.ts';
import { ObservationLog } from './observationLog.ts';
import { OutcomeChecks } from './outcomeChecks.ts';
import { PlanChecks } from './planChecks.ts';
import { Pulser } from './pulse.ts';
import { RecordDesk } from './recordDesk.ts';
import { ProxiedRunner } from './runProxied.ts';
import { Settler } from './settleWork.ts';
import { WorkStager } from './stageWork.ts';
import { VerificationDesk } from './verificationDesk.ts';
import { WorkApprover } from './approveWork.ts';
import { textColumn } from '../textColumn.ts';

/** The CAOP kernel: the seventeen operations, and what the console sees of them. */
export interface CaopKernel extends AsyncDisposable {
  readonly goals: GoalBook;
  readonly capabilities: CapabilityBook;
  readonly commitPolicies: CommitPolicyBook;
  readonly commitments: CommitmentBook;
  readonly executions: ExecutionBook;
  readonly verifications: VerificationDesk;
  readonly records: RecordDesk;
  readonly contexts: ContextDesk;
  readonly observations: ObservationLog;
  readonly approvals: CaopApprovals;
  readonly facts: ReturnType<typeof factReads>;
  readonly work: ReturnType<typeof compactReads>;
  readonly pulser: Pulser;
  readonly stager: WorkStager;
  readonly dispatcher: WorkDispatcher;
  readonly settler: Settler;
  /** A person's word that completed work, whose policy wants one, did what it should. */
  confirm(workId: string, note: string, principal: Principal): Promise<CompactWork>;
  backtest(draft: { scope: string; condition: string; calls: number }): Promise<Backtest>;
  /** A revoked agent's open requests are withdrawn and its open leases become unknown outcomes. */
  withdrawAll(principalKey: string): Promise<void>;
}

export const createCaopKernel = async (options: CaopOptions): Promise<CaopKernel> => {
  const factLedger = new FactLedger(options.store, options.maxInvalidationSubgraph ?? DEFAULT_MAX_SUBGRAPH);
  const ledger = new CompactLedger(options, factLedger);
  const goals = new GoalBook(options);
  const capabilities = new CapabilityBook(options);
  const policies = new CommitPolicyBook(options);
  const commitments = new CommitmentBook(options, goals, capabilities);
  const checks = new PlanChecks(options, capabilities, factLedger);
  const stage = { options, ledger, goals, policies, checks };
  const approver = new WorkApprover(stage);
  const settler = new Settler(options, ledger);
  const runner = new ProxiedRunner(options, ledger, settler);
  const executions = new ExecutionBook(options, ledger, capabilities);
  const observations = new ObservationLog(options, ledger);
  const timers = new CompactTimers(options, ledger);
  const staleWatch = options.store.subscribe((placed) => watchStale(placed, options, ledger, approver));
  await goals.start();
  await timers.start();

  return {
    goals,
    capabilities,
    commitPolicies: policies,
    commitments,
    executions,
    verifications: new VerificationDesk(options, ledger, executions),
    records: new RecordDesk(options, ledger, commitments),
    contexts: new ContextDesk({ options, ledger, goals, policies }),
    observations,
    approvals: new CaopApprovals(options, ledger, approver, executions),
    facts: factReads(options.store),
    work: compactReads(options, ledger),
    pulser: new Pulser({
      options,
      ledger,
      goals,
      capabilities,
      observations,
      checks: new OutcomeChecks(options, ledger),
    }),
    stager: new WorkStager(stage),
    dispatcher: new WorkDispatcher({ ...stage, capabilities, approver, runner }),
    settler,
    confirm(workId, note, principal) {
      requirePerson(principal, 'confirm');
      return ledger.exclusive(async () => {
        const work = await ledger.visible(workId, principal);
        const fact_ids = [...ownFacts(work)];
        const { decision, after } = ledger.decide(work, [{ type: 'confirm', by: principal.ref, note, fact_ids }]);
        const promote = fact_ids.map((fact_id) => ({ fact_id, status: 'VERIFIED_FACT' as const }));
        const change = await ledger.factDecision({ promote }, `confirmed ${workId}`, principal.ref);
        await ledger.append([decision, ...change], work.staged.input.goal_id);
        return after;
      });
    },
    backtest: (draft) => backtestPolicy(options.store, draft),
    async withdrawAll(principal) {
      const works = await ledger.query(
        {
          principal,
          status: ['CANDIDATE_PROPOSAL', 'COMMIT_AWAITING_APPROVAL', 'EXECUTE_PENDING', 'EXECUTE_DISPATCHED'],
        },
        'seq',
        100_000,
      );
      for (const { work_id } of works) await ledger.exclusive(() => withdraw(ledger, work_id));
    },
    async [Symbol.asyncDispose]() {
      timers[Symbol.dispose]();
      goals[Symbol.dispose]();
      staleWatch[Symbol.dispose]();
      await ledger.queue.run(async () => undefined);
    },
  };
};

const withdraw = async (ledger: CompactLedger, workId: string): Promise<void> => {
  const work = await ledger.find(workId);
  if (work === null) return;
  const because = 'The agent that staged it was revoked.';
  const lease = work.leases.find(({ state }) => state === 'open');
  if (work.status === 'EXECUTE_DISPATCHED' && lease === undefined) return;
  const command =
    lease === undefined
      ? ({ type: 'withdraw', because } as const)
      : ({ type: 'expire_lease', invocation_id: lease.invocation_id, because } as const);
  const { decision } = ledger.decide(work, [command]);
  await ledger.append([decision], work.staged.input.goal_id);
};

/** A premise went: approvals that stood on it are void at once, not when somebody next looks. */
const watchStale = (
  placed: readonly PlacedEvent[],
  options: CaopOptions,
  ledger: CompactLedger,
  approver: WorkApprover,
): void => {
  const fell = placed.flatMap((one) => {
    if (one.event.event_type !== 'facts.changed' && one.event.event_type !== 'record.committed') return [];
    const event = domainEventOf(one);
    return event.type === 'facts.changed' || event.type === 'record.committed' ? event.payload.change.invalidated : [];
  });
  if (fell.length === 0) return;
  const ids = fell.map(({ fact_id }) => fact_id);
  void ledger
    .exclusive(async () => {
      const rows = await options.store.query('compact_work', {
        where: { commitment_fact_id: ids, approval_status: ['pending', 'granted'] },
      });
      for (const row of rows) {
        const work = await ledger.find(textColumn(row, 'work_id'));
        if (work !== null) await approver.voidIfStale(work);
      }
    })
    .catch((error: unknown) => {
      const late = isSignalboxError(error) && error.code === 'INVALID_TRANSITION';
      if (!late) options.onBackgroundError(error, 'voiding approvals whose premise went');
    });
};
