import { inbox } from '../../../renderer/features/inbox/strings.ts';
import { sampleLease } from '../../support/fakeConsoleSample.ts';
import { card, decisions, expect, settledCard, test } from './fixtures.ts';

test('steering by the form sends a merge patch of what changed, with the rationale', async ({ page, open, server }) => {
  await open('/inbox/apr_mail');
  await settledCard(page, 'apr_mail');
  await page.keyboard.press('s');
  const value = page.getByLabel('value', { exact: true });
  await expect(value).toBeFocused();
  await page.getByRole('button', { name: inbox.steerGo }).click();
  await expect(page.getByRole('alert').filter({ hasText: inbox.unchanged })).toBeVisible();
  await value.fill('Deliver before noon.');
  await page.getByRole('button', { name: inbox.steerGo }).click();
  await expect(page.getByText(inbox.rationaleMissing)).toBeVisible();
  expect(decisions(server)).toEqual([]);
  const row = page.locator('[data-diff="changed"]:visible');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Dear Ms Okafor');
  await expect(row).toContainText('Deliver before noon.');
  await page.getByLabel(inbox.rationale).fill('Not in the afternoon.');
  await page.getByRole('button', { name: inbox.steerGo }).click();
  await expect(page.locator('[data-done="apr_mail"]')).toContainText('Steered');
  expect(decisions(server)).toEqual([
    {
      id: 'apr_mail',
      decision: 'steer',
      steering_delta: { value: 'Deliver before noon.' },
      reason: 'Not in the afternoon.',
      binding_hash: 'b'.repeat(64),
    },
  ]);
});

test('steering by raw JSON can remove and add; what is no object is refused', async ({ page, open, server }) => {
  await open('/inbox/apr_mail');
  await settledCard(page, 'apr_mail');
  await page.keyboard.press('s');
  await page.getByRole('radio', { name: inbox.steerRaw }).click();
  const raw = page.getByLabel(inbox.steerRaw, { exact: true }).and(page.locator('textarea'));
  await raw.fill('{"surface_id": "sur_invoices", ');
  await expect(page.getByText(inbox.invalidJson)).toBeVisible();
  await raw.fill('{"surface_id": "sur_invoices", "target": "page", "action": "scroll"}');
  await page.getByLabel(inbox.rationale).fill('Only look.');
  await page.getByRole('button', { name: inbox.steerGo }).click();
  await expect(page.locator('[data-done="apr_mail"]')).toBeVisible();
  expect(decisions(server)).toMatchObject([
    { steering_delta: { target: 'page', action: 'scroll', value: null }, reason: 'Only look.' },
  ]);
});

test('rejecting wants a reason', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('r');
  await page.getByRole('button', { name: inbox.rejectGo }).click();
  await expect(page.getByText(inbox.rejectReasonMissing)).toBeVisible();
  expect(decisions(server)).toEqual([]);
  await page.getByLabel(inbox.rejectReason).fill('Not before the delivery is here.');
  await page.getByRole('button', { name: inbox.rejectGo }).click();
  await expect(page.locator('[data-done="apr_pay"]')).toContainText('Rejected');
  expect(decisions(server)).toMatchObject([{ decision: 'reject', reason: 'Not before the delivery is here.' }]);
});

test('a decision on what has changed is refused, said plainly, and the new state is shown', async ({
  page,
  open,
  server,
}) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  server.state.approvals = server.state.approvals.map((each) =>
    each.approval_id === 'apr_pay' ? { ...each, binding_hash: 'f'.repeat(64), would: 'Pay twice.' } : each,
  );
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await expect(page.getByRole('alert')).toContainText('It is not what it was when you looked.');
  await expect(page.getByText('Pay twice.')).toBeVisible();
  await expect(page).toHaveURL(/\/inbox\/apr_pay$/);
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await expect(page.locator('[data-done="apr_pay"]')).toBeVisible();
  expect(decisions(server).at(-1)).toMatchObject({ binding_hash: 'f'.repeat(64) });
});

test('what somebody else decided meanwhile stays on screen and says so', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  server.state.changeApproval('apr_pay', {
    status: 'withdrawn',
    ended_because: 'The agent cancelled its call.',
  });
  const shown = card(page, 'apr_pay');
  await expect(shown).toContainText(inbox.ended.withdrawn);
  await expect(shown).toContainText('The agent cancelled its call.');
  await expect(page.getByRole('button', { name: inbox.approve })).toHaveCount(0);
  await expect(page.locator('[data-item="apr_pay"]')).toHaveCount(0);
  await page.keyboard.press('j');
  await expect(card(page, 'apr_mail')).toBeVisible();
});

test('who has moved on meanwhile is not pulled away by the answer', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/x/approvals/*/decision', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await page.getByRole('link', { name: 'Recently decided' }).click();
  await page.getByRole('link', { name: /Needs you/ }).click();
  await page.keyboard.press('j');
  await expect(card(page, 'apr_mail')).toBeVisible();
  release();
  await expect.poll(() => decisions(server).length).toBe(1);
  await expect(page.locator('[data-item="apr_pay"]')).toHaveCount(0);
  await expect(page).toHaveURL(/\/inbox\/apr_mail$/);
});

test('a single click approves, but not in the first half second', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.getByRole('button', { name: inbox.approve }).click();
  await expect(page.locator('[data-done="apr_pay"]')).toBeVisible();
  expect(decisions(server)).toHaveLength(1);
});

test('what was decided is kept with its lights, its reason and its receipt', async ({ page, open }) => {
  await open('/inbox/decided');
  await page.getByRole('link', { name: /enter text/ }).click();
  const shown = card(page, 'apr_done');
  await expect(shown).toContainText('Steered by user:local');
  await expect(shown.locator('[data-light="executed"]')).toHaveAttribute('data-state', 'yes');
  await expect(shown.locator('[data-light="verified"]')).toHaveAttribute('data-state', 'no');
  await shown.getByRole('link', { name: 'Receipt' }).click();
  await expect(page).toHaveURL(/\/receipts\/rcp_1$/);
  await expect(page.getByText('Deliver at once')).toBeVisible();
  await expect(page.getByText('KERNEL_ATTESTED')).toBeVisible();
});

test('an unknown outcome is resolved with a note', async ({ page, open, server }) => {
  server.state.leases = [sampleLease()];
  await open('/inbox');
  await expect(page).toHaveURL(/\/inbox\/lease\/wrk_lost$/);
  await expect(card(page, 'wrk_lost')).toContainText('mouse press at 1105,626');
  await page.getByRole('button', { name: inbox.lease.happened, exact: true }).click();
  await expect(page.getByText(inbox.lease.noteMissing)).toBeVisible();
  await page.getByLabel(inbox.lease.note).fill('The invoice says paid.');
  await page.getByRole('button', { name: inbox.lease.happened, exact: true }).click();
  await expect(page.locator('[data-done="wrk_lost"]')).toBeVisible();
  expect(server.changes.at(-1)).toMatchObject({
    route: 'leases.resolve',
    params: { work_id: 'wrk_lost' },
    body: { outcome: 'happened', note: 'The invoice says paid.' },
  });
  await expect(card(page, 'apr_pay')).toBeVisible();
});

test('a viewer sees everything and decides nothing', async ({ page, open, server }) => {
  server.state.me = { principal: { type: 'user', id: 'watcher' }, roles: ['viewer'] };
  await open('/inbox/apr_pay');
  await expect(page.getByText(/no approver role/)).toBeVisible();
  await expect(page.getByRole('button', { name: inbox.approve })).toHaveCount(0);
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  expect(decisions(server)).toEqual([]);
});
