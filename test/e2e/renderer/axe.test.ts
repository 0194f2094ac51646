import { AxeBuilder } from '@axe-core/playwright';
import { sampleLease } from '../../support/fakeConsoleSample.ts';
import { expect, test } from './fixtures.ts';

const screens = [
  '/inbox/apr_pay',
  '/inbox/lease/wrk_lost',
  '/inbox/decided/apr_done',
  '/surfaces',
  '/surfaces/sur_invoices',
  '/surfaces/sur_terminal',
  '/timeline/call_2999',
  '/receipts/rcp_1',
  '/agents',
  '/policies',
  '/settings',
  '/nowhere',
];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What opens on a screen by a key. */
const opened = [
  { path: '/inbox/apr_mail', key: 's' },
  { path: '/inbox/apr_mail', key: 'r' },
  { path: '/inbox/apr_mail', key: 'e' },
  { path: '/inbox/apr_mail', key: '?' },
  { path: '/inbox/apr_mail', key: 'ControlOrMeta+k' },
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const { path, key } of [...screens.map((each) => ({ path: each, key: null })), ...opened]) {
    test(`axe finds nothing: ${path} ${key ?? ''} ${colorScheme}`, async ({ page, open, server }) => {
      server.state.leases = [sampleLease()];
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await open(path);
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      if (key !== null) {
        await expect(page.locator('[data-card]')).toBeVisible();
        await page.keyboard.press(key);
      }
      const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
      expect(violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`))).toEqual(
        [],
      );
    });
  }
}
