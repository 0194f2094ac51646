import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { appText } from '../../renderer/app/strings.ts';
import { inbox } from '../../renderer/features/inbox/strings.ts';
import { Console } from '../support/console.ts';
import { Stage } from '../support/stage.ts';

/** Must show 8: every screen, in both themes and two window sizes; axe finds nothing; nothing overflows. */
const folder = path.resolve('test-results/screens');
const pictures = process.env['UPDATE_PICTURES'] === '1' ? path.resolve('docs/pictures') : null;
const looks = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 1024, height: 700 },
  { theme: 'dark', width: 1024, height: 700 },
] as const;

const faults = async (page: Page): Promise<readonly string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${rule.help}`));
};

/** Pictures of one screen in every look. `axe` runs in both themes; a page wider than its window is a fault. */
const shoot = async (page: Page, name: string): Promise<void> => {
  for (const { theme, width, height } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}x${height}.png`) });
    if (width === 1440) expect.soft(await faults(page), `axe, ${name}, ${theme}`).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wider, `${name} is wider than ${width}`).toBeLessThanOrEqual(0);
    if (pictures !== null && width === 1440)
      await page.screenshot({ path: path.join(pictures, `${name}-${theme}.png`) });
  }
};

let stage: Stage;
/** Addresses of the objects that the screens show. */
const at = { approval: '', decided: '', lease: '', receipt: '', surface: '', call: '', terminal: '' };

test.beforeAll(async () => {
  for (const each of [folder, ...(pictures === null ? [] : [pictures])]) mkdirSync(each, { recursive: true });
  stage = await Stage.open();
});
test.afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test('the first run, and what a stranger sees', async ({ page }) => {
  const stranger = await page.context().newPage();
  await stranger.goto(stage.signalbox.url);
  await expect(stranger.getByRole('main')).toBeVisible();
  await shoot(stranger, 'signed-out');
  await stranger.close();
  await Console.open(page, stage.signalbox, '/inbox');
  await expect(page.getByText(inbox.firstRun.title)).toBeVisible();
  await shoot(page, 'first-run');
});

const dayOfWork = async (): Promise<void> => {
  const slow = await stage.at('slow', { agent: 'orders' });
  const hanging = slow.operator.press((await slow.operator.find('order without an answer')).ref).catch(() => null);
  await stage.person.approve(await stage.person.asked({ surface: slow.operator.surfaceId }));
  await stage.site.until(() => stage.site.hitsOf('/hang').length === 1, 'the order to reach the site');
  await stage.signalbox.kill9();
  await stage.closeAgents();
  await hanging;
  stage.site.release();
  await stage.restart();
  at.lease = (await stage.person.lease('expired')).work_id;

  const done = await stage.at('form', { agent: 'billing' });
  const entering = done.operator.enter((await done.operator.find('email')).ref, 'alice@example.com');
  const steered = await stage.person.asked({ surface: done.operator.surfaceId });
  await stage.person.steer(steered, { value: 'bob@example.com' }, 'Orders go to Bob.');
  at.receipt = (await entering).receipt_id ?? '';
  at.decided = steered.approval_id;
  at.surface = done.operator.surfaceId;
  const refused = done.operator.actRefused((await done.operator.find('submit')).ref, { action: 'press' });
  await stage.person.reject(await stage.person.asked({ surface: at.surface }), 'Not before noon.');
  await refused;
  const covered = await stage.at('covered', { agent: 'shopping' });
  await covered.operator.press((await covered.operator.find('buy now')).ref);

  const waiting = await stage.at('changing', { agent: 'transfers' });
  void waiting.operator.press((await waiting.operator.find('send 10 EUR')).ref).catch(() => null);
  await stage.person.asked({ surface: waiting.operator.surfaceId });
  void done.operator.press((await done.operator.find('submit')).ref).catch(() => null);
  at.approval = (await stage.person.asked({ surface: at.surface })).approval_id;
  await stage.person.rest.call('policies.create', {
    body: { title: 'Nobody deletes invoices', condition: 'target.name.contains("Delete")', effect: 'deny' },
  });
  const { calls } = await stage.person.rest.call('calls.list', { query: { verb: 'operator.act' } });
  at.call = calls.find((call) => call.receipt_id === at.receipt)?.call_id ?? '';
  const { surfaces } = await stage.person.rest.call('surfaces.list');
  at.terminal = surfaces.find((surface) => surface.kind === 'terminal')?.id ?? '';
  expect(Object.values(at)).not.toContain('');
};

const screens: readonly { readonly name: string; readonly path: () => string; readonly shows: RegExp }[] = [
  { name: 'inbox-approval', path: () => `/inbox/${at.approval}`, shows: /Submit order/ },
  { name: 'inbox-unknown-outcome', path: () => `/inbox/lease/${at.lease}`, shows: new RegExp(inbox.lease.title) },
  { name: 'inbox-decided', path: () => `/inbox/decided/${at.decided}`, shows: /Orders go to Bob/ },
  { name: 'surfaces', path: () => '/surfaces', shows: /form/ },
  { name: 'surface', path: () => `/surfaces/${at.surface}`, shows: /Submit order/ },
  { name: 'surface-terminal', path: () => `/surfaces/${at.terminal}`, shows: /not available/ },
  { name: 'timeline', path: () => '/timeline', shows: /billing/ },
  { name: 'timeline-call', path: () => `/timeline/${at.call}`, shows: /bob@example\.com/ },
  { name: 'receipt', path: () => `/receipts/${at.receipt}`, shows: /alice@example\.com/ },
  { name: 'agents', path: () => '/agents', shows: /agent:default|default/ },
  { name: 'policies', path: () => '/policies', shows: /Nobody deletes invoices/ },
  { name: 'settings', path: () => '/settings', shows: /./ },
];

const overlays = async (page: Page): Promise<void> => {
  await page.goto(new URL(`/inbox/${at.approval}`, stage.signalbox.url).href);
  await expect(page.locator(`[data-card="${at.approval}"]`)).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByLabel(inbox.rationale)).toBeVisible();
  await shoot(page, 'inbox-steer');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel(inbox.rationale)).toBeHidden();
  await page.keyboard.press('r');
  await expect(page.getByLabel(inbox.rejectReason)).toBeVisible();
  await shoot(page, 'inbox-reject');
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await shoot(page, 'inbox-explain');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox')).toBeVisible();
  await shoot(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await shoot(page, 'keys');
  await page.keyboard.press('Escape');
  await stage.person.rest.call('pause', { body: { paused: true } });
  await expect(page.getByText(appText.pausedBanner)).toBeVisible();
  await shoot(page, 'paused');
  await stage.person.rest.call('pause', { body: { paused: false } });
};

/** Said after two seconds; when the console is back the old token is none, and the page says what to do. */
const offline = async (page: Page): Promise<void> => {
  await page.goto(new URL('/inbox', stage.signalbox.url).href);
  await expect(page.locator(`[data-item="${at.approval}"]`)).toBeVisible();
  const port = Number(new URL(stage.signalbox.url).port);
  await stage.closeAgents();
  await stage.signalbox.stop({ keepData: true });
  await expect(page.getByText(appText.offline)).toBeVisible();
  await shoot(page, 'offline');
  stage.signalbox = await stage.signalbox.restart({ port });
  await expect(page.getByText(appText.signIn.reasons.refused)).toBeVisible({ timeout: 15_000 });
};

// One test: a failed one would end the worker, and with it the day of work that the screens show.
test('every screen', async ({ page }) => {
  test.setTimeout(480_000);
  await dayOfWork();
  await Console.open(page, stage.signalbox);
  for (const { name, path: address, shows } of screens)
    await test.step(name, async () => {
      await page.goto(new URL(address(), stage.signalbox.url).href);
      await expect.soft(page.getByRole('main'), name).toContainText(shows);
      await shoot(page, name);
    });
  await test.step('decisions, palette, keys, pause', () => overlays(page));
  await test.step('offline', () => offline(page));
});
