import { agentsText } from '../../../renderer/features/agents/strings.ts';
import { policiesText } from '../../../renderer/features/policies/strings.ts';
import { FAKE_TOKEN } from '../../support/fakeConsoleServer.ts';
import { card, expect, test } from './fixtures.ts';

test('the opener code is exchanged once and leaves no trace in the address', async ({ page, server }) => {
  await page.goto(`${server.url}/#code=${server.code}`);
  await expect(card(page, 'apr_pay')).toBeVisible();
  expect(page.url()).not.toContain('code');
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain('code');
  const again = await page.context().newPage();
  await again.goto(`${server.url}/#code=${server.code}`);
  await expect(again.getByRole('alert')).toContainText('used already');
});

test('without a token the page says how to get one; a pasted one is checked', async ({ page, server }) => {
  await page.goto(`${server.url}/timeline`);
  await expect(page.getByText('npm start')).toBeVisible();
  await page.getByLabel('Paste a token').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('alert')).toContainText('This token is not known.');
  await page.getByLabel('Paste a token').fill(FAKE_TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.locator('[data-call="3000"]')).toBeVisible();
});

test('the desktop app hands the token over', async ({ page, server }) => {
  await page.addInitScript((token) => {
    Object.assign(window, { signalbox: { token: () => Promise.resolve(token), platform: 'linux' } });
  }, FAKE_TOKEN);
  await page.goto(server.url);
  await expect(card(page, 'apr_pay')).toBeVisible();
});

test('a token minted is shown once and can be revoked', async ({ page, open, server }) => {
  await open('/agents');
  await page.getByRole('button', { name: agentsText.mint }).click();
  await page.getByLabel(agentsText.form.id, { exact: true }).fill('no spaces allowed');
  await page.getByRole('button', { name: agentsText.form.go }).click();
  await expect(page.getByText(agentsText.form.idFault)).toBeVisible();
  await page.getByLabel(agentsText.form.id, { exact: true }).fill('shopping');
  await page.getByRole('button', { name: agentsText.form.go }).click();
  await expect(page.getByText('sb_secret-shown-once')).toBeVisible();
  await page.getByRole('button', { name: agentsText.mintedDone }).click();
  await expect(page.getByText('sb_secret-shown-once')).toHaveCount(0);
  const row = page.locator('[data-token="tok_4"]');
  await expect(row).toContainText('shopping');
  await row.getByRole('button', { name: agentsText.revoke }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: agentsText.revokeYes }).click();
  await expect(row).toContainText(agentsText.revoked);
  expect(server.changes.at(-1)).toMatchObject({ route: 'tokens.revoke', params: { token_id: 'tok_4' } });
});

test('the connect panel gives every client its own text', async ({ page, open }) => {
  await open('/agents');
  const code = page.locator('pre');
  await expect(code).toContainText('claude mcp add --transport http signalbox http://127.0.0.1:8787/mcp');
  await page.getByRole('radio', { name: 'VS Code' }).click();
  await expect(code).toContainText('"servers"');
  await page.getByRole('radio', { name: 'Underscore' }).click();
  await expect(code).toContainText('names=underscore');
  await page.getByRole('radio', { name: 'Claude Desktop' }).click();
  await expect(code).toContainText('"--tool-names"');
});

test('an allow policy needs an end; policies can be disabled', async ({ page, open, server }) => {
  await open('/policies');
  await page.getByRole('button', { name: policiesText.create }).click();
  await page.getByLabel(policiesText.form.title).fill('Reading mail needs nobody');
  await page.getByLabel(policiesText.form.condition).fill('target.role == "link"');
  await page.getByLabel(policiesText.form.effect).selectOption('allow');
  const ends = page.getByLabel(policiesText.form.ends);
  await expect(ends).not.toHaveValue('');
  await ends.fill('');
  await page.getByRole('button', { name: policiesText.form.go }).click();
  await expect(page.getByText(policiesText.form.endsFault)).toBeVisible();
  await ends.fill('2099-01-01T12:00');
  await page.getByRole('button', { name: policiesText.form.go }).click();
  const row = page.locator('[data-policy="policy-4"]');
  await expect(row).toContainText('Reading mail needs nobody');
  expect(server.changes.at(-1)).toMatchObject({ route: 'policies.create', body: { effect: 'allow', scope: '*' } });
  await row.getByRole('button', { name: policiesText.disable }).click();
  await row.getByRole('button', { name: policiesText.disableYes }).click();
  await expect(row).toContainText(policiesText.disabled);
});

test('the theme is kept', async ({ page, open }) => {
  await open('/settings');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(13, 16, 21)');
});
