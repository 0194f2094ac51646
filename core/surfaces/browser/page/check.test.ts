import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPage, launchAgentBrowser } from '../../../../test/support/pageAgentPage.ts';
import type { CheckReady } from '../pageProtocol.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchAgentBrowser();
});
afterAll(() => browser.close());

async function withPage(html: string, run: (agent: AgentPage) => Promise<void>): Promise<void> {
  const agent = await AgentPage.open(browser, html);
  await run(agent);
  await agent.close();
}

async function blockedBy(agent: AgentPage, query: string, params = {}): Promise<string> {
  const started = Date.now();
  const result = await agent.check((await agent.find(query)).ref, params);
  expect(result.status).toBe('blocked');
  expect(Date.now() - started).toBeLessThan(900);
  return result.status === 'blocked' ? result.blockedBy : '';
}

async function ready(agent: AgentPage, query: string, params = {}): Promise<CheckReady> {
  const result = await agent.check((await agent.find(query)).ref, params);
  expect(result).toMatchObject({ status: 'ready' });
  return result as CheckReady;
}

test('what lies on top is named, with a ref', () =>
  withPage(
    `<button>Buy</button><div role=dialog aria-label="Cookie consent" style="position:fixed;inset:0"><p>We use cookies</p><button>OK</button></div>`,
    async (agent) => {
      const reason = await blockedBy(agent, 'buy');
      expect(reason).toMatch(/^dialog "Cookie consent" \(e\d+\)$/);
      const cover = /\((e\d+)\)/.exec(reason)![1]!;
      expect((await agent.call('read', { ref: cover, reader: 'a' })).status).toBe('here');
      expect((await ready(agent, 'ok')).reading).toMatchObject({ role: 'button', name: 'OK' });
    },
  ));

test('a cover without a name is told by its text or id; a partial cover is pressed beside', () =>
  withPage(
    `<button style="width:200px;height:40px">Half</button><br><button>Whole</button>
     <div id=sticky style="position:fixed;left:8px;top:8px;width:120px;height:40px">Bar</div>
     <div id=veil style="position:fixed;left:0;top:48px;width:300px;height:60px"></div>`,
    async (agent) => {
      const { point, box } = await ready(agent, 'half');
      expect(point.x).toBeGreaterThan(128);
      expect(point.x).toBeLessThan(box.x + box.width);
      expect(await blockedBy(agent, 'whole')).toMatch(/veil.*\(e\d+\)/);
    },
  ));

test('disabled, read-only, hidden, inert and not a field are said at once', () =>
  withPage(
    `<button disabled>Off</button><div aria-disabled=true><div role=button tabindex=0>Off too</div></div>
     <input aria-label=Fixed readonly value=1><button id=h>Goes</button><button style="pointer-events:none">Deaf</button>
     <a href=#m style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)">Skip to content</a>`,
    async (agent) => {
      expect(await blockedBy(agent, 'off button')).toContain('disabled');
      expect(await blockedBy(agent, 'off too')).toContain('disabled');
      expect(await blockedBy(agent, 'fixed', { action: 'enter_text' })).toContain('read-only');
      expect(await blockedBy(agent, 'goes', { action: 'enter_text' })).toContain('takes no text');
      expect(await blockedBy(agent, 'deaf')).toContain('takes no pointer input');
      expect(await blockedBy(agent, 'skip to content')).toContain('key:Enter');
      expect(await agent.check((await agent.find('skip')).ref, { keyboard: true })).toMatchObject({ status: 'ready' });
      const { ref } = await agent.find('goes');
      await agent.page.evaluate(() => (document.querySelector<HTMLElement>('#h')!.style.display = 'none'));
      expect(await agent.check(ref)).toMatchObject({ status: 'blocked', blockedBy: expect.stringContaining('hidden') });
    },
  ));

test('a target out of view is scrolled to; one inside a frame of scrollers too', () =>
  withPage(
    `<style>html{scroll-behavior:smooth}</style><div style="height:3000px"></div><div style="height:200px;overflow:auto"><div style="height:900px"></div><button>Deep</button></div>`,
    async (agent) => {
      const { point } = await ready(agent, 'deep');
      await agent.page.evaluate(() =>
        document.querySelector('button')!.addEventListener('click', () => (document.title = 'pressed')),
      );
      await agent.page.mouse.click(point.x, point.y);
      expect(await agent.page.title()).toBe('pressed');
    },
  ));

test('a moving target is waited for, and given up after a second', () =>
  withPage(
    `<style>@keyframes go{to{transform:translateX(300px)}} #a{animation:go .3s linear forwards} #b{animation:go 2s linear infinite alternate;margin-top:50px}</style>
     <button id=a>Arrives</button><br><button id=b>Runs</button>`,
    async (agent) => {
      const { point } = await ready(agent, 'arrives');
      expect(point.x).toBeGreaterThan(300);
      const started = Date.now();
      const result = await agent.check((await agent.find('runs')).ref);
      expect(result).toMatchObject({ status: 'blocked', blockedBy: expect.stringContaining('still moving after 1 s') });
      expect(Date.now() - started).toBeLessThan(1_800);
    },
  ));

test('a target that has stood still since it was shown needs no waiting', () =>
  withPage('<button>Still</button>', async (agent) => {
    const { ref } = await agent.find('still');
    await agent.page.evaluate(() => new Promise((done) => setTimeout(done, 60)));
    expect(await agent.time('check', { ref, reader: 'a', action: 'press' })).toBeLessThan(30);
    expect(await agent.check(ref)).toMatchObject({ status: 'ready', shown: true });
  }));

test('a control behind its own styled label is pressed on the label', () =>
  withPage(
    `<style>.sr{position:absolute;opacity:0;width:0;height:0} label{display:inline-block;padding:10px;border:1px solid}</style>
     <input type=checkbox class=sr id=c><label for=c>Accept</label><label><input type=radio style="display:none">Choice</label>`,
    async (agent) => {
      const { ref, bounds } = await agent.find('accept');
      expect(bounds!.width).toBeGreaterThan(40);
      const changes = await agent.press(ref);
      expect(await agent.page.evaluate(() => document.querySelector<HTMLInputElement>('#c')!.checked)).toBe(true);
      expect(changes.changed).toBe(true);
      expect(changes.effects.map((e) => e.detail)).toContain(`checkbox "Accept" (${ref}): checked`);
    },
  ));

test('a recycled row is refused with both readings, a rename is too, times and counters are not', () =>
  withPage(
    `<ul>${['Alice', 'Bob', 'Carol', 'Dave'].map((n) => `<li><span>${n}</span> <i>12:01</i> <button>Delete</button></li>`).join('')}</ul>
     <button id=f>Follow</button><button id=n>Inbox (3)</button>`,
    async (agent) => {
      const target = await agent.find('delete carol');
      const follow = await agent.find('follow');
      const inbox = await agent.find('inbox');
      await agent.page.evaluate(() => {
        document.querySelectorAll('span')[2]!.textContent = 'Mallory';
        document.querySelector('#f')!.textContent = 'Unfollow';
        document.querySelector('#n')!.textContent = 'Inbox (4)';
        for (const time of document.querySelectorAll('i')) time.textContent = '12:02';
      });
      expect(await agent.check(target.ref)).toEqual({
        status: 'changed',
        shown: { ref: target.ref, role: 'button', name: 'Delete', row: 'Carol' },
        now: { ref: target.ref, role: 'button', name: 'Delete', row: 'Mallory' },
      });
      expect((await agent.check(follow.ref)).status).toBe('changed');
      expect((await agent.check(inbox.ref)).status).toBe('ready');
      // Both readings have been given: from now on the new one is what was shown.
      expect((await agent.check(follow.ref)).status).toBe('ready');
      // Somebody else was never shown anything.
      expect(await agent.check(target.ref, { reader: 'other' })).toMatchObject({ status: 'ready', shown: false });
    },
  ));

test('rows made of plain divs are told apart as well', () =>
  withPage(
    `<div id=l>${[17, 18, 19, 20].map((n) => `<div class=row><span>Item ${n}</span><button>Remove</button></div>`).join('')}</div>`,
    async (agent) => {
      const { ref, row } = await agent.find('remove item 18');
      expect(row).toBe('Item 18');
      await agent.page.evaluate(() => (document.querySelectorAll('span')[1]!.textContent = 'Item 42'));
      expect(await agent.check(ref)).toMatchObject({ status: 'changed', now: { row: 'Item 42' } });
    },
  ));

test('what is gone comes with look-alikes; what comes back is itself', () =>
  withPage(
    '<div id=d><button>Send message</button></div><button>Send file</button><a href=#>Other</a>',
    async (agent) => {
      const { ref } = await agent.find('send message');
      await agent.page.evaluate(() => {
        const holder = document.querySelector('#d')!;
        (window as unknown as { kept: Node }).kept = holder.firstChild!;
        holder.replaceChildren();
        holder.insertAdjacentHTML('beforeend', '<button>Send message</button>');
      });
      const gone = await agent.check(ref);
      expect(gone).toMatchObject({ status: 'gone', was: { ref, role: 'button', name: 'Send message' } });
      expect(gone.status === 'gone' && gone.candidates.map((c) => c.name)).toEqual(['Send message', 'Send file']);
      expect(gone.status === 'gone' && gone.candidates[0]!.ref).not.toBe(ref);
      await agent.page.evaluate(() => document.body.append((window as unknown as { kept: Node }).kept));
      expect((await agent.check(ref)).status).toBe('ready');
      expect(await agent.check('e999')).toEqual({ status: 'gone', candidates: [] });
    },
  ));

test('a point inside a canvas is hit-tested by itself; the page is always there', () =>
  withPage(
    `<canvas width=300 height=200></canvas><div id=lid style="position:absolute;left:8px;top:8px;width:50px;height:50px"></div>`,
    async (agent) => {
      const { ref } = (await agent.perceive()).targets[0]!;
      expect(await agent.check(ref, { at: { x: 100, y: 90 } })).toMatchObject({
        status: 'ready',
        point: { x: 108, y: 98 },
        pixels: true,
      });
      expect((await agent.check(ref, { at: { x: 10, y: 10 } })).status).toBe('blocked');
      expect(await agent.check('page')).toMatchObject({ status: 'ready', point: { x: 640, y: 400 } });
    },
  ));

test('hit tests go through shadow roots and wrapped links, and past nested controls', () =>
  withPage(
    `<div id=h></div><p style="width:90px">go to <a href="#x">a link that wraps over lines</a></p>
     <div onclick="1" style="padding:30px" aria-label=Card role=button tabindex=0><button>Inner</button></div>`,
    async (agent) => {
      await agent.page.evaluate(() => {
        document.querySelector('#h')!.attachShadow({ mode: 'open' }).innerHTML = '<x-in></x-in>';
        document.querySelector('#h')!.shadowRoot!.firstElementChild!.attachShadow({ mode: 'open' }).innerHTML =
          '<button><b>Deep</b></button>';
      });
      await ready(agent, 'deep');
      const link = await ready(agent, 'link that wraps');
      expect(await agent.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.localName, link.point)).toBe('a');
      const card = await ready(agent, 'card');
      expect(await agent.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.localName, card.point)).toBe(
        'div',
      );
    },
  ));

test('an ancestor frame answers for its own layers', () =>
  withPage(
    `<div style="height:2000px"></div><iframe style="border:4px solid" width=300 height=200 srcdoc="<button>In</button>"></iframe><div id=over style="position:fixed;inset:0;display:none">Over</div>`,
    async (agent) => {
      const { frames } = await agent.perceive();
      const ask = { slot: frames[0]!.slot, point: { x: 20, y: 10 }, box: { x: 8, y: 8, width: 30, height: 20 } };
      const hit = await agent.call('checkFrame', ask);
      expect(hit.status).toBe('ready');
      const at = hit.status === 'ready' ? hit.point : { x: 0, y: 0 };
      expect(await agent.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.localName, at)).toBe('iframe');
      await agent.page.evaluate(() => (document.querySelector<HTMLElement>('#over')!.style.display = 'block'));
      expect(await agent.call('checkFrame', ask)).toMatchObject({
        status: 'blocked',
        blockedBy: expect.stringMatching(/^element "Over" \(e\d+\)$/),
      });
    },
  ));

test('closed shadow roots are read and worked once the host hands them over', () =>
  withPage('<closed-box></closed-box>', async (agent) => {
    await agent.page.evaluate(() => {
      const root = document.querySelector('closed-box')!.attachShadow({ mode: 'closed' });
      root.innerHTML = '<button>Secret door</button>';
      customElements.define('closed-box', class extends HTMLElement {});
    });
    expect(await agent.list()).toEqual([]);
    await agent.adoptClosedRoots();
    expect(await agent.list()).toEqual(['button "Secret door"']);
    await ready(agent, 'secret door');
  }));
