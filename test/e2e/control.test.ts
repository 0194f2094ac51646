import { expect, test } from '@playwright/test';
import { appText } from '../../renderer/app/strings.ts';
import { surfacesText } from '../../renderer/features/surfaces/strings.ts';
import { Console } from '../support/console.ts';
import { Stage } from '../support/stage.ts';

/** Pause, takeover, auto-approve: what stops and what lets agents through. */
let stage: Stage;
test.describe('pause and takeover', () => {
  test.beforeAll(async () => {
    stage = await Stage.open();
  });
  test.afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  test('pause-all in the console stops every effect at once, reading goes on', async ({ page }) => {
    const { operator, session } = await stage.trustedAt('form');
    const submit = (await operator.find('submit')).ref;
    const console = await Console.open(page, stage.signalbox);
    await console.page.getByRole('button', { name: appText.pauseShort }).click();
    await expect(console.page.getByText(appText.pausedBanner)).toBeVisible();
    await expect.poll(async () => (await stage.person.rest.call('system')).paused?.by.id).toBe('local');
    expect(await operator.actRefused(submit, { action: 'press' })).toMatchObject({ code: 'PAUSED', retryable: true });
    expect((await operator.perceive()).text).toContain('total: none');
    expect(stage.site.inputs(session)).toEqual([]);
    await console.page.getByRole('button', { name: appText.resumeShort }).click();
    await expect.poll(async () => (await stage.person.rest.call('system')).paused).toBeNull();
    expect((await operator.press(submit)).changed).toBe(true);
  });

  test('a takeover voids what waits there, tells the agent at once, and hands back with a note', async () => {
    const { operator, session } = await stage.at('form');
    const submit = (await operator.find('submit')).ref;
    const acting = operator.actRefused(submit, { action: 'press' });
    const approval = await stage.person.asked({ surface: operator.surfaceId });
    const params = { surface_id: operator.surfaceId };
    const taken = await stage.person.rest.call('surfaces.control', { params, body: { action: 'take', private: true } });
    expect(taken).toMatchObject({ controller: 'human', holder: { principal: { id: 'local' }, private: true } });
    expect(await acting).toMatchObject({ code: 'CONTROLLED_BY_HUMAN', retryable: true });
    expect(await stage.person.ended(approval.approval_id)).toMatchObject({ status: 'void' });
    expect((await operator.actRefused(submit, { action: 'press' })).code).toBe('CONTROLLED_BY_HUMAN');
    const hidden = await operator.agent.refused('operator.perceive', params);
    expect(hidden.code).toBe('CONTROLLED_BY_HUMAN');

    const second = await stage.person.rest.call('tokens.create', {
      body: { principal: { type: 'user', id: 'second' }, roles: ['approver'] },
    });
    const response = await stage.person.rest.raw(`/x/surfaces/${operator.surfaceId}/control`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.token}` },
      body: '{"action":"take"}',
    });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('local');

    const note = 'I filled in the address.';
    await stage.person.rest.call('surfaces.control', { params, body: { action: 'release', note } });
    expect(JSON.stringify(await operator.agent.call('operator.perceive', params))).toContain(note);
    expect(stage.site.inputs(session)).toEqual([]);
  });

  test('the person in control works the page by the live view', async ({ page }) => {
    const { operator, session } = await stage.at('form');
    await operator.perceive();
    const console = await Console.open(page, stage.signalbox, `/surfaces/${operator.surfaceId}`);
    await console.page.getByRole('button', { name: surfacesText.take }).click();
    await expect
      .poll(
        async () =>
          (await stage.person.rest.call('surfaces.get', { params: { surface_id: operator.surfaceId } })).controller,
      )
      .toBe('human');
    const { targets } = await stage.person.rest.call('surfaces.targets', {
      params: { surface_id: operator.surfaceId },
      query: { query: 'email' },
    });
    const view = await stage.person.rest.call('surfaces.get', { params: { surface_id: operator.surfaceId } });
    const canvas = console.page.getByRole('main').locator('canvas').first();
    await expect(canvas).toBeVisible();
    const box = (await canvas.boundingBox())!;
    const scale = box.width / (view.size?.width ?? 1);
    const field = targets[0]!.bounds!;
    await console.page.mouse.click(
      box.x + (field.x + field.width / 2) * scale,
      box.y + (field.y + field.height / 2) * scale,
    );
    await stage.site.until(
      () => stage.site.inputs(session).some((entry) => entry.type === 'click' && entry.target === 'email'),
      'the click to reach the page',
    );
    await console.page.keyboard.type('by hand');
    await stage.site.until(
      () => stage.site.inputs(session).some((entry) => entry.type === 'input' && entry.value === 'by hand'),
      'the text to reach the page',
    );
    await console.page.keyboard.press('Escape');
    await console.page.keyboard.press('Escape');
    await expect
      .poll(
        async () =>
          (await stage.person.rest.call('surfaces.get', { params: { surface_id: operator.surfaceId } })).controller,
      )
      .not.toBe('human');
  });
});

test('--auto-approve runs without asking, is recorded as such, shows a banner and can be ended', async ({ page }) => {
  stage = await Stage.open({ args: ['--auto-approve'] });
  try {
    const { operator, session, agentId } = await stage.at('form');
    const console = await Console.open(page, stage.signalbox);
    await expect(console.page.getByText(appText.autoBanner)).toBeVisible();
    const system = await stage.person.rest.call('system');
    const left = Date.parse(system.auto_approve?.until ?? '') - Date.parse(system.now);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(3_600_000);

    const receipt = await operator.press((await operator.find('submit')).ref);
    expect(receipt.changed).toBe(true);
    const kept = await stage.person.rest.call('receipts.get', { params: { receipt_id: receipt.receipt_id ?? '' } });
    expect(kept).toMatchObject({
      approved_by: { type: 'service', id: 'auto-approve' },
      principal: { type: 'agent', id: agentId },
    });
    await console.page.getByRole('button', { name: appText.autoStop }).click();
    await expect(console.page.getByText(appText.autoBanner)).toBeHidden();
    expect((await stage.person.rest.call('system')).auto_approve).toBeNull();
    const acting = operator.press((await operator.find('submit')).ref);
    await stage.person.approve(await stage.person.asked({ surface: operator.surfaceId }));
    await acting;
    await expect.poll(() => stage.site.did(session, 'order')).toHaveLength(2);

    await stage.closeAgents();
    await stage.signalbox.stop({ keepData: true });
    await stage.restart();
    expect((await stage.person.rest.call('system')).auto_approve).toBeNull();
  } finally {
    await stage[Symbol.asyncDispose]();
  }
});
