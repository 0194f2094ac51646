import { surfacesText as t } from '../../../renderer/features/surfaces/strings.ts';
import { expect, test } from './fixtures.ts';
import type { FakeConsoleServer } from '../../support/fakeConsoleServer.ts';

const inputs = (server: FakeConsoleServer) =>
  server.received.flatMap((message) => (message.type === 'input' ? [message.input] : []));

test('frames are drawn, then acknowledged; a page left is no longer watched', async ({ page, open, server }) => {
  await open('/surfaces/sur_invoices');
  await expect(page.locator('[data-live="true"]')).toBeVisible();
  const acks = () => server.received.filter((message) => message.type === 'frame_ack').length;
  await expect.poll(acks).toBe(1);
  server.sendFrame('sur_invoices');
  await expect.poll(acks).toBe(2);
  await page.getByRole('link', { name: 'Agents' }).click();
  await expect.poll(() => server.received.at(-1)).toEqual({ type: 'unwatch', surface_id: 'sur_invoices' });
});

test('watching sends nothing, whatever one does with the picture', async ({ page, open, server }) => {
  await open('/surfaces/sur_invoices');
  const view = page.locator('[data-layer="watch"]');
  await view.click({ position: { x: 100, y: 100 } });
  await page.keyboard.type('hello');
  await page.mouse.wheel(0, 200);
  await expect(page.getByText(t.viewOnly)).toBeVisible();
  expect(inputs(server)).toEqual([]);
  expect(server.changes).toEqual([]);
});

test('list and picture are tied both ways', async ({ page, open }) => {
  await open('/surfaces/sur_invoices');
  await page.locator('[data-target="e28"]').hover();
  await expect(page.locator('[data-outline="hover"]')).toContainText('link Save draft');
  const view = page.locator('[data-layer="watch"]');
  const box = await view.boundingBox();
  if (box === null) throw new Error('The view is on screen');
  await page.mouse.move(box.x + (1_105 / 1_280) * box.width, box.y + (626 / 800) * box.height);
  await expect(page.locator('[data-outline="hover"]')).toContainText('button Pay now');
  await page.getByLabel(t.targetsSearch).fill('pay');
  await expect(page.locator('[data-target]')).toHaveCount(1);
  await expect(page.locator('[data-target="e27"]')).toBeVisible();
});

test('in control: mouse, wheel, keys, text and paste reach the surface; Escape twice hands back with the note', async ({
  page,
  open,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('/surfaces/sur_invoices');
  await page.getByRole('button', { name: t.take }).click();
  const layer = page.locator('[data-layer="control"]');
  await expect(layer).toBeFocused();
  const box = await layer.boundingBox();
  if (box === null) throw new Error('The view is on screen');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.wheel(0, 120);
  await page.keyboard.press('Shift+A');
  await page.keyboard.insertText('漢');
  await page.evaluate(() => navigator.clipboard.writeText('from here'));
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(() => inputs(server).some((each) => each.type === 'text')).toBe(true);
  expect(inputs(server)).toContainEqual({
    type: 'mouse',
    action: 'down',
    x: 640,
    y: 400,
    button: 'left',
    clicks: 1,
    modifiers: 0,
  });
  expect(inputs(server)).toContainEqual({ type: 'wheel', x: 640, y: 400, delta_x: 0, delta_y: 120 });
  expect(inputs(server)).toContainEqual({ type: 'key', action: 'down', key: 'A', code: 'KeyA', modifiers: 8 });
  expect(inputs(server)).toContainEqual({ type: 'text', text: 'from here' });

  await page.getByLabel(t.note).fill('The form is filled in.');
  await layer.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: t.take })).toBeVisible();
  expect(server.changes.at(-1)).toMatchObject({
    route: 'surfaces.control',
    body: { action: 'release', note: 'The form is filled in.' },
  });
  const escapes = inputs(server).filter((each) => each.type === 'key' && each.key === 'Escape');
  expect(escapes.filter((each) => each.type === 'key' && each.action === 'down')).toHaveLength(1);
});

test('private mode is a switch while in control', async ({ page, open, server }) => {
  await open('/surfaces/sur_invoices');
  await page.getByRole('button', { name: t.take }).click();
  // The page takes the keys as soon as control has been taken.
  await expect(page.locator('[data-layer="control"]')).toBeFocused();
  const isPrivate = page.getByRole('switch', { name: t.private });
  await expect(isPrivate).toBeEnabled();
  await isPrivate.focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(t.heldPrivate)).toBeVisible();
  expect(server.changes.at(-1)).toMatchObject({ body: { action: 'take', private: true } });
});

test('somebody else in control is named, and cannot be pushed aside', async ({ page, open }) => {
  await open('/surfaces/sur_catalogue');
  await expect(page.getByText('user:mira is in control.')).toBeVisible();
  await expect(page.getByRole('button', { name: t.take })).toHaveCount(0);
});

test('the terminal says what it cannot do', async ({ page, open }) => {
  await open('/surfaces/sur_terminal');
  await expect(page.getByText(t.terminalTitle)).toBeVisible();
  await expect(page.getByRole('button', { name: t.take })).toHaveCount(0);
});

test('opening and closing a browser surface', async ({ page, open, server }) => {
  await open('/surfaces');
  await page.getByRole('button', { name: t.open }).click();
  await page.getByRole('button', { name: t.openGo, exact: true }).click();
  await expect(page.getByText(t.openUrlMissing)).toBeVisible();
  await page.getByLabel(t.openUrl, { exact: true }).fill('https://example.test/');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/surfaces\/sur_4$/);
  expect(server.changes.at(-1)).toMatchObject({ body: { kind: 'browser', url: 'https://example.test/' } });
  await page.getByRole('button', { name: t.close }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: t.closeYes }).click();
  await expect(page).toHaveURL(/\/surfaces$/);
  expect(server.changes.at(-1)).toMatchObject({ route: 'surfaces.close', params: { surface_id: 'sur_4' } });
});
