import { expect, test } from '@playwright/test';
import { inbox } from '../../renderer/features/inbox/strings.ts';
import { Console } from '../support/console.ts';
import { Operator } from '../support/operator.ts';
import { Stage } from '../support/stage.ts';

/** Must show 4: killed between lease and receipt, the outcome is unknown and only a person says what it was. */
let stage: Stage;
test.beforeEach(async () => {
  stage = await Stage.open();
});
test.afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

const cases = [
  {
    what: 'a navigation whose page never comes',
    path: '/hang',
    start: async (operator: Operator, session: string) => ({
      args: { url: `${stage.site.url}/hang?s=${session}` },
      call: operator.navigate(`${stage.site.url}/hang?s=${session}`),
    }),
  },
  {
    what: 'a press whose handler holds the page',
    path: '/hang',
    start: async (operator: Operator) => {
      const target = (await operator.find('order without an answer')).ref;
      return { args: { target }, call: operator.press(target) };
    },
  },
] as const;

for (const { what, path, start } of cases)
  test(`kill -9 during ${what}`, async ({ page }) => {
    const { operator, session, agentId } = await stage.at('slow');
    const begun = await start(operator, session);
    const lost = begun.call.then(
      () => 'answered',
      () => 'lost',
    );
    await stage.person.approve(await stage.person.asked({ surface: operator.surfaceId, args: begun.args }));
    await stage.site.until(() => stage.site.hitsOf(path).length === 1, 'the input to reach the site');
    const open = await stage.person.lease('open', agentId);
    await stage.signalbox.kill9();
    await stage.closeAgents();
    expect(await lost).toBe('lost');
    stage.site.release();

    await stage.restart();
    const lease = await stage.person.lease('expired', agentId);
    expect(lease).toMatchObject({ work_id: open.work_id, invocation_id: open.invocation_id, state: 'expired' });
    expect(lease.sent.length).toBeGreaterThan(0);
    expect(lease.required_nonce).toBeNull();
    expect((await stage.person.rest.call('system')).needs_you).toBe(1);

    // The agent's next effect is refused and names what blocks it; reading is not.
    const agent = await stage.agent({ agent: agentId });
    const surface = await stage.person.openBrowser(stage.site.page('form', `after-${session}`));
    const again = new Operator(agent, surface.id);
    const submit = await again.find('submit');
    const error = await again.actRefused(submit.ref, { action: 'press' });
    expect(error.code).toBe('UNSETTLED_LEASE');
    expect(error.details).toMatchObject({
      blocking_work_id: lease.work_id,
      blocking_invocation_id: lease.invocation_id,
    });
    const awaited = await agent.refused('signalbox.await_work', { work_id: lease.work_id });
    expect(['OUTCOME_UNKNOWN', 'UNSETTLED_LEASE']).toContain(awaited.code);
    expect(stage.site.hitsOf(path)).toHaveLength(1);
    expect(stage.site.inputs(`after-${session}`)).toEqual([]);

    // A person looks and says what became of it.
    const console = await Console.open(page, stage.signalbox, `/inbox/lease/${lease.work_id}`);
    const main = console.page.getByRole('main');
    await expect(main).toContainText(inbox.lease.title);
    await main.getByLabel(inbox.lease.note).fill('The server has one request.');
    await main.getByRole('button', { name: inbox.lease.happened }).click();
    const resolved = await stage.person.lease('resolved', agentId);
    expect(resolved.resolution).toMatchObject({
      outcome: 'happened',
      by: { type: 'user', id: 'local' },
      note: 'The server has one request.',
    });
    await expect.poll(async () => (await stage.person.rest.call('system')).needs_you).toBe(0);

    // Then the agent works again.
    const pressed = again.press(submit.ref);
    await stage.person.approve(await stage.person.asked({ surface: surface.id }));
    expect(await pressed).toMatchObject({ changed: true });
    expect(stage.site.hitsOf(path)).toHaveLength(1);
  });

test('an approval that waits survives kill -9, attached to nobody', async () => {
  const { operator, session, agentId } = await stage.at('form');
  const acting = operator.press((await operator.find('submit')).ref).catch(() => 'gone');
  const approval = await stage.person.asked({ surface: operator.surfaceId });
  await stage.signalbox.kill9();
  await stage.closeAgents();
  expect(await acting).toBe('gone');
  await stage.restart();
  const [kept] = await stage.person.approvals();
  expect(kept).toMatchObject({ approval_id: approval.approval_id, attached: false });
  // Its surface died with the process, so approving it cannot perform anything: it says so.
  await stage.person.approve(kept!);
  const agent = await stage.agent({ agent: agentId });
  const error = await agent.refused('signalbox.await_work', { work_id: approval.work_id });
  expect(['APPROVAL_VOID', 'SURFACE_GONE']).toContain(error.code);
  expect(stage.site.inputs(session)).toEqual([]);
});
