import { sampleApproval } from '../../support/fakeConsoleSample.ts';
import { card, expect, test } from './fixtures.ts';

test('a card shows everything without a click or a scroll, at 1024x700 too', async ({ page, open }) => {
  await page.setViewportSize({ width: 1_024, height: 700 });
  await open('/inbox/apr_pay');
  const shown = card(page, 'apr_pay');
  for (const part of [
    shown.getByText('billing').first(),
    shown.getByText(/Time left/),
    shown.getByText('https://northwind.example/invoices/1042/pay?return=%2Forders'),
    shown.locator('[data-live="true"]'),
    shown.locator('[data-outline="target"]'),
    shown.getByText('operator.act', { exact: true }),
    shown.getByText('sur_invoices'),
    shown.getByText('a person is asked by default'),
    shown.getByText('https://northwind.example', { exact: true }),
    shown.getByText(/Press the button/),
    shown.getByText('list_surfaces: 3'),
    shown.locator('[data-light="verified"]'),
    page.getByRole('button', { name: 'Approve' }),
    page.getByRole('button', { name: 'Reject…' }),
  ]) {
    await expect(part).toBeInViewport({ ratio: 0.99 });
  }
});

test('the outline lies on the target', async ({ page, open }) => {
  await open('/inbox/apr_pay');
  const picture = await page.locator('[data-live="true"]').boundingBox();
  const outline = await page.locator('[data-outline="target"]').boundingBox();
  if (picture === null || outline === null) throw new Error('Both must be on screen');
  const scale = picture.width / 1_280;
  const off = [
    outline.x - picture.x - (1_010 - 3) * scale,
    outline.y - picture.y - (604 - 3) * scale,
    outline.width - (190 + 6) * scale,
  ];
  expect(Math.max(...off.map(Math.abs)), `off by ${off.join(', ')}`).toBeLessThan(1.5);
});

const hostile = {
  surface_id: 'sur_invoices',
  target: 'e27',
  action: 'enter_text',
  value: `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`,
  reversed: 'invoice\u202Efdp.exe',
  invisible: 'pay\u200B\u200B\u200Bpal\u0000\u001B[31m',
  long: `${'All work and no play. '.repeat(4_546)}THE END`,
  '<b>key\u2066': { nested: ['\u202E', 1, null] },
};

test('hostile arguments are shown as what they are', async ({ page, open, server }) => {
  server.state.ask(
    sampleApproval('apr_bad', {
      arguments: hostile,
      would: 'Replace <b>everything</b>\u202E.',
      target: { ref: 'e27', role: 'button', name: 'OK\u202E</b><script>' },
    }),
  );
  await open('/inbox/apr_bad');
  const shown = card(page, 'apr_bad');
  await expect(shown).toContainText(hostile.value);
  await expect(shown).toContainText('Replace <b>everything</b>RLO.');
  await expect(shown).toContainText('invoiceRLOfdp.exe');
  await expect(shown).toContainText('payZWSP×3palNULESC[31m');
  await expect(shown).toContainText('<b>keyLRI');
  await expect(shown).toContainText('Folded: 100,019 characters in all.');
  await expect(shown.locator('bdi').first()).toBeAttached();
  expect(await page.title()).not.toContain('owned');
  expect(await shown.locator('img[src="x"], script, b b').count()).toBe(0);
  const raw = await shown.evaluate((element) => element.textContent);
  expect(/[\u202E\u2066\u200B\u0000\u001B]/.test(raw)).toBe(false);
});

test('a very long argument unfolds to its very end', async ({ page, open, server }) => {
  server.state.ask(sampleApproval('apr_long', { arguments: { value: hostile.long } }));
  await open('/inbox/apr_long');
  const shown = card(page, 'apr_long');
  await expect(shown).not.toContainText('THE END');
  for (let n = 0; n < 4; n += 1) await shown.getByRole('button', { name: 'Show 20,000 more characters' }).click();
  await shown.getByRole('button', { name: 'Show all 100,019 characters' }).click();
  await expect(shown).toContainText('THE END');
  await shown.getByRole('button', { name: 'Fold' }).click();
  await expect(shown).not.toContainText('THE END');
});
