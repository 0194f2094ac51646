import { test as base, expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { fillSample, samplePage } from '../../support/fakeConsoleSample.ts';
import { FAKE_TOKEN, FakeConsoleServer } from '../../support/fakeConsoleServer.ts';

/** The console over the stand-in server, filled with a working day. `open` signs in and goes to a path. */
export interface RendererFixtures {
  readonly server: FakeConsoleServer;
  readonly open: (path: string) => Promise<void>;
}

export const test = base.extend<RendererFixtures, { readonly picture: Buffer }>({
  picture: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
      await page.setContent(samplePage);
      const picture = await page.screenshot({ type: 'jpeg', quality: 80 });
      await page.close();
      await use(picture);
    },
    { scope: 'worker' },
  ],
  server: async ({ picture }, use) => {
    await using server = await FakeConsoleServer.start();
    fillSample(server.state);
    server.state.picture = picture;
    await use(server);
  },
  open: async ({ page, server }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (4|5)\d\d|WebSocket|ERR_/.test(message.text())) {
        faults.push(message.text());
      }
    });
    await page.addInitScript((token) => sessionStorage.setItem('signalbox.token', token), FAKE_TOKEN);
    await use(async (path) => {
      await page.goto(server.url + path);
      await expect(page.locator('[data-connection="live"]')).toBeVisible();
    });
    expect(faults, 'nothing fails and the content security policy is never met').toEqual([]);
  },
});

export { expect };

export const card = (page: Page, id: string): Locator => page.locator(`[data-card="${id}"]`);

/** The card with all its evidence, half a second later: from then on A arms. */
export const settledCard = async (page: Page, id: string): Promise<Locator> => {
  const found = card(page, id);
  await expect(found).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await expect(page.locator('[data-approve="armed"]')).toBeVisible({ timeout: 100 });
  }).toPass({ timeout: 5_000 });
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-approve="idle"]')).toBeVisible();
  return found;
};

export const decisions = (server: FakeConsoleServer): readonly Record<string, unknown>[] =>
  server.changes
    .filter((change) => change.route === 'approvals.decide')
    .map((change) => ({ id: change.params['approval_id'], ...(change.body as Record<string, unknown>) }));
