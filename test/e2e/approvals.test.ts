import { expect, test } from '@playwright/test';
import { effectsText } from '../support/operator.ts';
import { Stage } from '../support/stage.ts';

/** Must show 5, and how an approval ends. */
let stage: Stage;
test.beforeAll(async () => {
  stage = await Stage.open();
});
test.afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const noInput = (session: string): void => {
  expect(stage.site.inputs(session)).toEqual([]);
};

test('two at once, decided in the other order: each executes its own arguments', async () => {
  const first = await stage.at('form');
  const second = await stage.at('form');
  const email = (await first.operator.find('email')).ref;
  const notes = (await second.operator.find('notes')).ref;
  const one = first.operator.enter(email, 'one@example.com', { timeoutMs: 20_000 });
  const askedOne = await stage.person.asked({ surface: first.operator.surfaceId });
  const two = second.operator.enter(notes, 'the second');
  const askedTwo = await stage.person.asked({ surface: second.operator.surfaceId });
  await stage.person.approve(askedTwo);
  expect((await two).value_after).toBe('the second');
  noInput(first.session);
  await stage.person.approve(askedOne);
  expect((await one).value_after).toBe('one@example.com');
});

test('two of one agent on one surface, decided in the other order', async () => {
  const { operator, session } = await stage.at('changing');
  const transfer = (await operator.find('send 10 EUR')).ref;
  const other = (await operator.find('other order')).ref;
  const one = operator.press(transfer);
  const askedOne = await stage.person.asked({ surface: operator.surfaceId, args: { target: transfer } });
  const two = operator.press(other);
  const askedTwo = await stage.person.asked({ surface: operator.surfaceId, args: { target: other } });
  await stage.person.approve(askedTwo);
  await two;
  await stage.person.approve(askedOne);
  await one;
  await expect
    .poll(() => stage.site.did(session, 'pressed').map((entry) => entry.data))
    .toEqual([
      { id: 'other', name: 'Other order' },
      { id: 'transfer', name: 'Send 10 EUR to Alice' },
    ]);
});

test('an approval whose target changed since is void, says why, and nothing is sent', async () => {
  const { operator, session } = await stage.at('changing');
  const transfer = (await operator.find('send 10 EUR')).ref;
  const acting = operator.actRefused(transfer, { action: 'press' });
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  await stage.site.tell(session, 'rename', 'Send 9000 EUR to Mallory');
  await stage.person.approve(approval);
  const error = await acting;
  expect(error.code).toBe('APPROVAL_VOID');
  const said = error.message + JSON.stringify(error.details);
  expect(said).toContain('Send 10 EUR to Alice');
  expect(said).toContain('Send 9000 EUR to Mallory');
  noInput(session);
  const ended = await stage.person.ended(approval.approval_id, 'void');
  expect(ended.ended_because).toContain('Mallory');
  expect(ended.lights).toMatchObject({ executed: 'no', receipted: 'no' });
});

test('an approval whose target is gone since is void too', async () => {
  const { operator, session } = await stage.at('removed');
  const acting = operator.actRefused((await operator.find('delete draft')).ref, { action: 'press' });
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  await stage.site.tell(session, 'replace');
  await stage.person.approve(approval);
  expect((await acting).code).toBe('APPROVAL_VOID');
  noInput(session);
});

test('a decision on what was not seen, and a second one, are refused', async () => {
  const { operator } = await stage.at('form');
  const acting = operator.press((await operator.find('submit')).ref);
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  const stale = await stage.person.rest.refused('approvals.decide', {
    params: { approval_id: approval.approval_id },
    body: { decision: 'approve', binding_hash: '0'.repeat(64) },
  });
  expect(stale.status).toBe(409);
  await stage.person.approve(approval);
  const second = await stage.person.rest.refused('approvals.decide', {
    params: { approval_id: approval.approval_id },
    body: { decision: 'reject', reason: 'too late', binding_hash: approval.binding_hash },
  });
  expect(second.status).toBe(409);
  expect(second.message + JSON.stringify(second.details)).toContain('local');
  expect((await acting).changed).toBe(true);
  const noReason = await stage.person.rest.refused('approvals.decide', {
    params: { approval_id: approval.approval_id },
    body: { decision: 'reject', binding_hash: approval.binding_hash },
  });
  expect([400, 409]).toContain(noReason.status);
});

test('an idempotency key answers a repeat with the stored receipt', async () => {
  const { operator, session } = await stage.trustedAt('form');
  const submit = (await operator.find('submit')).ref;
  const act = { action: 'press', idempotency_key: 'order-1' };
  const receipt = await operator.act(submit, act);
  expect(await operator.act(submit, act)).toEqual(receipt);
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
  const other = await operator.actRefused((await operator.find('email')).ref, { ...act, action: 'hover' });
  expect(other.code).toBe('INVALID_REQUEST');
  await operator.press(submit);
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(2);
});

for (const sdk of ['1.x', '2.x'] as const)
  test(`SDK ${sdk}: a call that the client cancels is withdrawn and never performed`, async () => {
    const { operator, session } = await stage.at('form', { sdk });
    const cancel = new AbortController();
    const acting = operator.press((await operator.find('submit')).ref, { signal: cancel.signal });
    const approval = await stage.person.asked({ surface: operator.surfaceId });
    cancel.abort('no longer wanted');
    await expect(acting).rejects.toThrow();
    const ended = await stage.person.ended(approval.approval_id);
    expect(ended).toMatchObject({ status: 'withdrawn' });
    expect(ended.ended_because).not.toBeNull();
    const late = await stage.person.rest.refused('approvals.decide', {
      params: { approval_id: approval.approval_id },
      body: { decision: 'approve', binding_hash: approval.binding_hash },
    });
    expect(late.status).toBe(409);
    noInput(session);
  });

test('a stdio client that ends only detaches: its approval stays, and it may come back for it', async () => {
  const { operator, session, agentId } = await stage.at('form', { transport: 'stdio' });
  const acting = operator.press((await operator.find('submit')).ref).catch(() => 'gone');
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  await operator.agent.close();
  expect(await acting).toBe('gone');
  await expect
    .poll(
      async () => (await stage.person.approvals()).find((one) => one.approval_id === approval.approval_id)?.attached,
    )
    .toBe(false);
  await stage.person.approve(approval);
  noInput(session);
  const back = await stage.agent({ transport: 'stdio', agent: agentId });
  expect(await back.call('signalbox.await_work', { work_id: approval.work_id })).toMatchObject({ changed: true });
  await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
});

test('a steer that does not fit the schema is refused and the approval stays', async () => {
  const { operator } = await stage.at('form');
  const acting = operator.enter((await operator.find('email')).ref, 'a@example.com');
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  await expect(stage.person.steer(approval, { action: 'smash' }, 'why not')).rejects.toThrow(/422|400/);
  await expect(stage.person.steer(approval, { value: 'c@example.com' }, '')).rejects.toThrow(/400/);
  const steered = await stage.person.steer(approval, { value: 'c@example.com' }, 'Carol instead.');
  expect(steered.steered_arguments).toMatchObject({ value: 'c@example.com' });
  expect((await acting).value_after).toBe('c@example.com');
});

test('a name that the receipt told of counts as seen', async () => {
  const { operator } = await stage.trustedAt('changing');
  const follow = await operator.find('follow');
  const receipt = await operator.press(follow.ref);
  expect(effectsText(receipt)).toContain('Unfollow');
  expect((await operator.press(follow.ref)).changed).toBe(true);
});

test('a denied verb is POLICY_DENIED at once and names the rule', async () => {
  const { operator, session, agentId } = await stage.at('form');
  await stage.person.rest.call('policies.create', {
    body: {
      title: 'No orders',
      condition: `principal.id == "${agentId}" && target.name.contains("Submit")`,
      effect: 'deny',
    },
  });
  const error = await operator.actRefused((await operator.find('submit')).ref, { action: 'press' });
  expect(error.code).toBe('POLICY_DENIED');
  expect(error.message).toContain('No orders');
  noInput(session);
  const elsewhere = operator.press((await operator.find('search', 'button')).ref);
  await stage.person.approve(await stage.person.asked({ surface: operator.surfaceId }));
  await elsewhere;
});
