import { expect, test } from '@playwright/test';
import { Console } from '../support/console.ts';
import { combinations } from '../support/mcp.ts';
import type { Progress } from '../support/mcp.ts';
import { listSurfacesOutput } from '../../core/contracts/operatorClass.ts';
import { effectsText, Operator } from '../support/operator.ts';
import { Stage } from '../support/stage.ts';

/** Must show 2: the main job with each kind of client; the person decides in the console. */
let stage: Stage;
test.beforeAll(async () => {
  stage = await Stage.open();
});
test.afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

for (const combination of combinations)
  test(`SDK ${combination.sdk} over ${combination.transport}: navigate, find, press, a person approves, the receipt stands`, async ({
    page,
  }) => {
    const session = `main-${combination.sdk}-${combination.transport}`;
    const console = await Console.open(page, stage.signalbox);
    const agent = await stage.agent({ ...combination, agent: `${combination.transport}-${combination.sdk}` });

    const { surfaces } = listSurfacesOutput.parse(await agent.call('operator.list_surfaces'));
    const browser = surfaces.find((surface) => surface.kind === 'browser');
    expect(browser).toBeDefined();
    const operator = new Operator(agent, browser?.id ?? '');

    const url = stage.site.page('form', session);
    const navigating = operator.navigate(url);
    const asked = await stage.person.asked({ verb: 'operator.navigate', args: { url } });
    expect(stage.site.hits.filter((hit) => hit.query.includes(session))).toEqual([]);
    await console.card(asked.approval_id);
    await console.approveByKeys();
    const navigated = await navigating;
    expect(navigated.changed).toBe(true);
    expect(effectsText(navigated)).toContain('navigated');

    const { targets } = await operator.perceive({ query: 'submit' });
    expect(targets).toMatchObject([{ role: 'button', name: 'Submit order' }]);
    const progress: Progress[] = [];
    const acting = operator.press(targets[0]?.ref ?? '', { onprogress: (info) => progress.push(info) });
    const approval = await stage.person.asked({ verb: 'operator.act', surface: operator.surfaceId });
    expect(approval.target).toMatchObject({ role: 'button', name: 'Submit order' });
    const card = await console.card(approval.approval_id);
    await expect(card).toContainText('Submit order');
    await expect(card).toContainText(operator.surfaceId);
    await expect(card).toContainText(url);
    expect(stage.site.inputs(session)).toEqual([]);
    await console.approveByKeys();

    const receipt = await acting;
    expect(receipt).toMatchObject({ changed: true, readiness: 'settled' });
    expect(effectsText(receipt)).toContain('none → Sent 1');
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.map((info) => info.message ?? '').join(' ')).toMatch(/approv|person|wait/i);
    await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(1);
    await expect
      .poll(() => stage.site.inputs(session).filter((entry) => entry.type === 'click'))
      .toMatchObject([{ target: 'submit', trusted: true }]);

    // The console shows the same receipt.
    const kept = await stage.person.rest.call('receipts.get', { params: { receipt_id: receipt.receipt_id ?? '' } });
    expect(kept.receipt).toEqual(receipt);
    expect(kept).toMatchObject({ verb: 'operator.act', approved_by: { type: 'user', id: 'local' } });
    await console.goTo(`/receipts/${receipt.receipt_id ?? ''}`);
    await expect(page.getByRole('main')).toContainText('none → Sent 1');
    await expect(page.getByRole('main')).toContainText(receipt.receipt_id ?? '');
    await agent.close();
  });

test('steering replaces the text entered; receipt and record show proposed and executed', async ({ page }) => {
  const { operator, session } = await stage.at('form');
  const console = await Console.open(page, stage.signalbox);
  const email = await operator.find('email');
  const entering = operator.enter(email.ref, 'alice@example.com');
  const approval = await stage.person.asked({ verb: 'operator.act', surface: operator.surfaceId });
  await console.card(approval.approval_id);
  await console.steerByForm('value', 'bob@example.com', 'Orders go to Bob.');

  const receipt = await entering;
  expect(receipt).toMatchObject({
    changed: true,
    value_after: 'bob@example.com',
    steered: {
      proposed: { value: 'alice@example.com' },
      executed: { value: 'bob@example.com' },
      rationale: 'Orders go to Bob.',
    },
  });
  expect(
    stage.site
      .log(session)
      .filter((entry) => entry.type === 'input')
      .at(-1)?.value,
  ).toBe('bob@example.com');
  expect(JSON.stringify(stage.site.log(session))).not.toContain('alice');

  const kept = await stage.person.rest.call('receipts.get', { params: { receipt_id: receipt.receipt_id ?? '' } });
  expect(kept.arguments).toMatchObject({ value: 'alice@example.com' });
  expect(kept.executed_arguments).toMatchObject({ value: 'bob@example.com' });
  await console.goTo(`/receipts/${receipt.receipt_id ?? ''}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('alice@example.com');
  await expect(main).toContainText('bob@example.com');
  await expect(main).toContainText('Orders go to Bob.');
});

test('rejecting returns the reason and nothing is sent to the page', async ({ page }) => {
  const { operator, session } = await stage.at('form');
  const console = await Console.open(page, stage.signalbox);
  const submit = await operator.find('submit');
  const acting = operator.actRefused(submit.ref, { action: 'press' });
  const approval = await stage.person.asked({ verb: 'operator.act', surface: operator.surfaceId });
  await console.card(approval.approval_id);
  await console.rejectByKeys('The order is not complete yet.');

  const error = await acting;
  expect(error).toMatchObject({ code: 'APPROVAL_DENIED', retryable: false });
  expect(error.message + JSON.stringify(error.details)).toContain('The order is not complete yet.');
  const { text } = await operator.perceive();
  expect(text).toContain('total: none');
  expect(stage.site.inputs(session)).toEqual([]);
  expect(await stage.person.ended(approval.approval_id)).toMatchObject({
    status: 'denied',
    decision: { decision: 'reject', by: { type: 'user', id: 'local' }, reason: 'The order is not complete yet.' },
    lights: { approved: 'failed', executed: 'no', receipted: 'no' },
  });
});
