import { expect, test } from '@playwright/test';
import { Stage } from '../support/stage.ts';

/** What becomes of a call that a person does not answer in time. The wait budget is short here. */
let stage: Stage;
test.beforeAll(async () => {
  stage = await Stage.open({ config: { gate: { wait_budget_ms: 1_500 } } });
});
test.afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const noInput = (session: string): void => {
  expect(stage.site.inputs(session)).toEqual([]);
};

test('after the wait budget APPROVAL_PENDING names the work; await_work brings the receipt', async () => {
  const { operator, session } = await stage.at('form');
  const submit = (await operator.find('submit')).ref;
  const pending = await operator.actRefused(submit, { action: 'press' });
  expect(pending).toMatchObject({ code: 'APPROVAL_PENDING', retryable: true });
  const workId = String(pending.details['work_id']);
  expect(pending.message).toContain('await_work');
  noInput(session);

  const still = await operator.agent.refused('signalbox.await_work', { work_id: workId, wait_ms: 100 });
  expect(still).toMatchObject({ code: 'APPROVAL_PENDING', details: { work_id: workId } });

  const waiting = operator.agent.call('signalbox.await_work', { work_id: workId, wait_ms: 20_000 });
  await stage.person.approve(await stage.person.asked({ surface: operator.surfaceId }));
  expect(await waiting).toMatchObject({ changed: true });
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
  const again = await operator.agent.call('signalbox.await_work', { work_id: workId });
  expect(again).toMatchObject({ changed: true });
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
});

test('approved while the agent is absent: nothing happens until it asks again', async () => {
  const { operator, session } = await stage.at('form');
  const pending = await operator.actRefused((await operator.find('submit')).ref, { action: 'press' });
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  expect(approval.attached).toBe(false);
  const granted = await stage.person.approve(approval);
  expect(granted.status).toBe('granted');
  noInput(session);
  const receipt = await operator.agent.call('signalbox.await_work', { work_id: pending.details['work_id'] });
  expect(receipt).toMatchObject({ changed: true });
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
});

test('work of one agent is not awaited by another', async () => {
  const { operator } = await stage.at('form');
  const pending = await operator.actRefused((await operator.find('submit')).ref, { action: 'press' });
  const stranger = await stage.agent({ agent: 'stranger' });
  const error = await stranger.refused('signalbox.await_work', { work_id: pending.details['work_id'], wait_ms: 0 });
  expect(error.code).toBe('INVALID_REQUEST');
});

test('an identical retry joins the first and acts once', async () => {
  const { operator, session } = await stage.at('form');
  const submit = (await operator.find('submit')).ref;
  // The two may use up their wait before the decision: whoever is attached gets the one receipt.
  const first = operator.press(submit).catch(() => null);
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  const second = operator.actRefused(submit, { action: 'press' });
  expect(await second).toMatchObject({ code: 'APPROVAL_PENDING', details: { work_id: approval.work_id } });
  await first;
  const asked = (await stage.person.approvals()).filter((one) => one.surface_id === operator.surfaceId);
  expect(asked.map((one) => one.approval_id)).toEqual([approval.approval_id]);
  await stage.person.approve(approval);
  const receipt = await operator.agent.call('signalbox.await_work', { work_id: approval.work_id });
  expect(receipt).toMatchObject({ changed: true });
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
});
