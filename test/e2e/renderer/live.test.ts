import { sampleApproval, sampleCall } from '../../support/fakeConsoleSample.ts';
import { card, expect, test } from './fixtures.ts';

test('a lost connection is resumed after the last event; nothing is lost or doubled', async ({
  page,
  open,
  server,
}) => {
  await open('/inbox');
  await expect(card(page, 'apr_pay')).toBeVisible();
  server.state.ask(sampleApproval('apr_one'));
  await expect(page.locator('[data-item="apr_one"]')).toBeVisible();
  const before = server.state.head;
  server.dropConnections(true);
  await expect(page.locator('[data-connection="live"]')).toHaveCount(0);
  server.state.ask(sampleApproval('apr_two'));
  server.state.changeApproval('apr_one', { status: 'withdrawn' });
  server.comeBack();
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(page.locator('[data-item="apr_two"]')).toHaveCount(1);
  await expect(page.locator('[data-item="apr_one"]')).toHaveCount(0);
  expect(server.hellos[0]).toBeNull();
  expect(server.hellos.at(-1)).toBe(before);
});

test('the trace has no hole and no double after a reconnect', async ({ page, open, server }) => {
  await open('/timeline');
  await expect(page.locator('[data-call="3000"]')).toBeVisible();
  server.state.addCall(sampleCall(3_001, { outcome: 'running', duration_ms: null }));
  await expect(page.locator('[data-call="3001"]')).toContainText('running');
  server.dropConnections(true);
  await expect(page.locator('[data-connection="live"]')).toHaveCount(0);
  server.state.addCall(sampleCall(3_001), false);
  for (let n = 3_002; n <= 3_010; n += 1) server.state.addCall(sampleCall(n), false);
  server.comeBack();
  await expect(page.locator('[data-call="3010"]')).toBeVisible();
  const numbers = await page
    .locator('[data-call]')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-call'))).toSorted((a, b) => b - a));
  expect(numbers.slice(0, 12)).toEqual([
    3_010, 3_009, 3_008, 3_007, 3_006, 3_005, 3_004, 3_003, 3_002, 3_001, 3_000, 2_999,
  ]);
  await expect(page.locator('[data-call="3001"]')).not.toContainText('running');
});

test('an event that is missing makes everything be fetched again', async ({ page, open, server }) => {
  await open('/inbox');
  await expect(card(page, 'apr_pay')).toBeVisible();
  server.state.approvals = [sampleApproval('apr_silent'), ...server.state.approvals];
  server.state.head += 5;
  server.state.event('artifact.expired');
  await expect(page.locator('[data-item="apr_silent"]')).toBeVisible();
});

test('the banner comes after two seconds and goes with the connection', async ({ page, open, server }) => {
  await open('/inbox');
  server.dropConnections(true);
  await expect(page.locator('[data-connection="live"]')).toHaveCount(0);
  await expect(page.locator('[data-banner="offline"]')).toHaveCount(0);
  await expect(page.locator('[data-banner="offline"]')).toBeVisible({ timeout: 6_000 });
  server.comeBack();
  await expect(page.locator('[data-banner="offline"]')).toHaveCount(0, { timeout: 15_000 });
});

test('a reload keeps the card', async ({ page, open }) => {
  await open('/inbox/apr_mail');
  await page.reload();
  await expect(card(page, 'apr_mail')).toBeVisible();
});

test('pausing is loud, and lifted again', async ({ page, open, server }) => {
  await open('/inbox');
  await page.getByRole('button', { name: 'Pause all' }).click();
  await expect(page.locator('[data-banner="paused"]')).toContainText('user:local');
  expect(server.changes.at(-1)).toMatchObject({ route: 'pause', body: { paused: true } });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.locator('[data-banner="paused"]')).toHaveCount(0);
});

test('auto-approve is said on every screen, with its end, and can be stopped', async ({ page, open, server }) => {
  server.state.autoApprove = { until: new Date(Date.now() + 3_000_000).toISOString(), policy_id: 'save-drafts' };
  await open('/timeline');
  await expect(page.locator('[data-banner="auto-approve"]')).toContainText(/Time left (49|50):\d\d/);
  await page.getByRole('button', { name: 'Stop it' }).click();
  await expect(page.locator('[data-banner="auto-approve"]')).toHaveCount(0);
});

test('3,000 calls scroll; new ones wait while one is away from the top', async ({ page, open, server }) => {
  await open('/timeline');
  await expect(page.locator('[data-call="3000"]')).toBeVisible();
  expect(await page.locator('[data-call]').count()).toBeLessThan(80);
  const list = page.locator('[data-list="calls"]');
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect(page.locator('[data-call="1"]')).toBeVisible({ timeout: 100 });
  }).toPass({ timeout: 20_000, intervals: [20] });
  server.state.addCall(sampleCall(3_001));
  await expect(page.getByRole('button', { name: '1 new call' })).toBeVisible();
  await expect(page.locator('[data-call="1"]')).toBeVisible();
  await page.getByRole('button', { name: '1 new call' }).click();
  await expect(page.locator('[data-call="3001"]')).toBeVisible();
});

test('filters live in the address', async ({ page, open }) => {
  await open('/timeline?verb=operator.navigate&outcome=refused');
  await expect(page.locator('[data-call]').first()).toContainText('APPROVAL_DENIED');
  const texts = await page.locator('[data-call]').allTextContents();
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.every((each) => each.includes('navigate') && each.includes('APPROVAL_DENIED'))).toBe(true);
  await page.getByLabel('Outcome').selectOption('');
  await expect(page).toHaveURL(/\/timeline\?verb=operator\.navigate$/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/timeline$/);
});
