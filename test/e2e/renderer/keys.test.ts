import { inbox } from '../../../renderer/features/inbox/strings.ts';
import { sampleApproval } from '../../support/fakeConsoleSample.ts';
import { card, decisions, expect, settledCard, test } from './fixtures.ts';

test('J and K move, and stop at the ends', async ({ page, open }) => {
  await open('/inbox');
  await expect(page).toHaveURL(/\/inbox\/apr_pay$/);
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/\/inbox\/apr_mail$/);
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/\/inbox\/apr_mail$/);
  await page.keyboard.press('k');
  await expect(card(page, 'apr_pay')).toBeVisible();
  await expect(page.locator('[data-item="apr_pay"]')).toHaveAttribute('aria-current', 'true');
});

test('A arms visibly, A again approves exactly what was shown', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('a');
  await expect(page.getByText(inbox.approveArmed).first()).toBeVisible();
  expect(decisions(server)).toEqual([]);
  await page.keyboard.press('a');
  await expect(page.locator('[data-done="apr_pay"]')).toContainText('Approved');
  expect(decisions(server)).toEqual([{ id: 'apr_pay', decision: 'approve', binding_hash: 'b'.repeat(64) }]);
  await expect(page).toHaveURL(/\/inbox\/apr_mail$/);
  await expect(page.locator('[data-item="apr_pay"]')).toHaveCount(0);
});

test('A does nothing on evidence that has just appeared', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.evaluate(() => {
    const press = (key: string) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('j');
    const seen = new MutationObserver(() => {
      if (document.querySelector('[data-card="apr_mail"]') === null) return;
      seen.disconnect();
      press('a');
      press('a');
    });
    seen.observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  await expect(card(page, 'apr_mail')).toBeVisible();
  await expect(page.locator('[data-approve="idle"]')).toBeVisible();
  expect(decisions(server)).toEqual([]);
});

for (const key of ['j', 'x', 'Shift', 'Tab', 'Escape', 'ArrowDown']) {
  test(`${key} disarms`, async ({ page, open, server }) => {
    await open('/inbox/apr_pay');
    await settledCard(page, 'apr_pay');
    await page.keyboard.press('a');
    await expect(page.locator('[data-approve="armed"]')).toBeVisible();
    await page.keyboard.press(key);
    await expect(page.locator('[data-approve="armed"]')).toHaveCount(0);
    expect(decisions(server)).toEqual([]);
  });
}

test('a held A is one press', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  for (let n = 0; n < 5; n += 1) await page.keyboard.down('a');
  await expect(page.locator('[data-approve="armed"]')).toBeVisible();
  await page.keyboard.up('a');
  expect(decisions(server)).toEqual([]);
});

test('what is asked anew under the same id disarms', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('a');
  await expect(page.locator('[data-approve="armed"]')).toBeVisible();
  server.state.changeApproval('apr_pay', { binding_hash: 'e'.repeat(64), would: 'Something else entirely.' });
  await expect(page.getByText('Something else entirely.')).toBeVisible();
  await expect(page.locator('[data-approve="armed"]')).toHaveCount(0);
});

test('S, R and E open in place; Escape leaves; nothing is a dialog over the evidence', async ({ page, open }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('e');
  await expect(page.locator('[data-explanation]')).toContainText('capability.readOnly == false');
  await page.keyboard.press('e');
  await expect(page.locator('[data-explanation]')).toHaveCount(0);
  await page.keyboard.press('r');
  await expect(page.getByLabel(inbox.rejectReason)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await expect(page.getByLabel('target', { exact: true })).toBeFocused();
  await expect(page.locator('[data-outline="target"]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: inbox.approve })).toBeVisible();
});

test('typing is typing: no key acts inside a field', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('r');
  await page.keyboard.type('jaa? skree aa');
  await expect(page.getByLabel(inbox.rejectReason)).toHaveValue('jaa? skree aa');
  await expect(page).toHaveURL(/\/inbox\/apr_pay$/);
  expect(decisions(server)).toEqual([]);
});

test('? lists the keys, Ctrl K opens the palette, and no key acts behind them', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Arm, then approve');
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('timeline');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/timeline$/);
  expect(decisions(server)).toEqual([]);
});

test('single keys can be switched off', async ({ page, open, server }) => {
  await open('/settings');
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('link', { name: 'Inbox' }).click();
  await expect(card(page, 'apr_pay')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(page).toHaveURL(/\/inbox\/apr_pay$/);
  await expect(page.getByLabel(inbox.rejectReason)).toHaveCount(0);
  expect(decisions(server)).toEqual([]);
});

test('approve has never the focus of its own accord, and what arrives moves nothing', async ({
  page,
  open,
  server,
}) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  expect(await focused()).not.toContain('Press A');
  server.state.ask(sampleApproval('apr_new', { would: 'Something new.' }));
  await expect(page.locator('[data-item="apr_new"]')).toBeVisible();
  await expect(card(page, 'apr_pay')).toBeVisible();
  await expect(page.locator('[data-announcer]')).toContainText('agent:billing asks');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-approve'))).toBeNull();
});

test('everything can be reached by the keyboard alone', async ({ page, open, server }) => {
  await open('/inbox/apr_pay');
  await settledCard(page, 'apr_pay');
  const seen = new Set<string>();
  for (let n = 0; n < 45; n += 1) {
    await page.keyboard.press('Tab');
    const { name, outlined } = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return { name: '', outlined: true };
      const style = getComputedStyle(element);
      return {
        name: (element.getAttribute('aria-label') ?? element.textContent).trim(),
        outlined: style.outlineStyle !== 'none' || element.id === 'content',
      };
    });
    seen.add(name);
    expect(outlined, `focus on "${name}" can be seen`).toBe(true);
  }
  const all = [...seen].join('\n');
  for (const word of ['Inbox', 'Surfaces', 'Settings', 'Pause all', 'Go to or do', 'Approve', 'Steer', 'Reject']) {
    expect(all).toContain(word);
  }
  await page.getByRole('button', { name: inbox.reject }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('No.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('[data-done="apr_pay"]')).toBeVisible();
  expect(decisions(server)).toMatchObject([{ decision: 'reject', reason: 'No.' }]);
});
