import { afterEach, beforeEach } from 'vitest';
import type { ApprovalView } from '../../core/contracts/console.ts';
import type { CaopOptions } from '../../core/kernel/caop/caopParts.ts';
import type { EventStore } from '../../core/kernel/eventStore.ts';
import { agent, person, startCaopStage, type CaopStage } from './caopStage.ts';
import { pulseWith, registerPull, rfc, setGoal } from './paymentLedger.ts';

export const ann = person('ann');
export const bob = person('bob');
export const viewer = person('val', ['viewer']);
export const bot = agent('planner');
export const other = agent('other');
export const go = (work_id: string) => ({ work_id, decision: 'APPROVE_AND_DISPATCH' }) as const;
export const isolation = {
  execution_scope: 'ISOLATED_SUBAGENT_CONTEXT',
  return_contract: 'DISTILLED_FACTS_AND_ARTIFACT_REF_ONLY',
} as const;

/** A kernel with the goal and the capability of the payment ledger, fresh for every test. */
export class CaopCase {
  readonly #open: (() => Promise<EventStore>) | undefined;
  #stage: CaopStage | null = null;

  constructor(open: (() => Promise<EventStore>) | undefined) {
    this.#open = open;
    beforeEach(() => this.begin());
    afterEach(() => this.end());
  }
  get stage(): CaopStage {
    if (this.#stage === null) throw new Error('The test has not begun.');
    return this.#stage;
  }
  async begin(more: Partial<CaopOptions> = {}): Promise<void> {
    this.#stage = await startCaopStage(this.#open, more);
    await setGoal(this.#stage);
    await registerPull(this.#stage);
  }
  async end(): Promise<void> {
    await this.#stage?.[Symbol.asyncDispose]();
    this.#stage = null;
  }
  async stageIt(title = 'Plan', rests: readonly string[] = []): Promise<string> {
    return (await this.stage.caop.stager.stage(rfc(title, rests), bot)).work_id;
  }
  async approvalOf(workId: string): Promise<ApprovalView> {
    const all = await this.stage.caop.approvals.list(ann, 'all', 100);
    const found = all.find(({ work_id }) => work_id === workId);
    if (found === undefined) throw new Error(`No approval of ${workId}.`);
    return found;
  }
  async approve(workId: string): Promise<void> {
    const { approval_id, binding_hash } = await this.approvalOf(workId);
    await this.stage.caop.approvals.decideView(approval_id, { decision: 'approve', binding_hash }, ann);
  }
  /** The fact that a pulse with this event records. */
  async observe(summary: string, supersedes?: string): Promise<string> {
    const event = { source: 'ci', summary, ...(supersedes === undefined ? {} : { supersedes_fact_id: supersedes }) };
    await this.stage.caop.pulser.pulse(pulseWith([event]), bot);
    const { facts } = await this.stage.caop.facts.list({ candidates: true, limit: 100 }, ann);
    const found = facts.find(
      (fact) => fact.kind === 'observed' && (fact.object as { summary: string }).summary === summary,
    );
    return found?.fact_id ?? '';
  }
}
