import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPage, launchAgentBrowser } from '../../../../test/support/pageAgentPage.ts';
import type { Changes, PageEffect } from '../pageProtocol.ts';

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

/** Presses what a query finds on a page with this markup. */
async function pressOn(html: string, query: string): Promise<Changes> {
  const agent = await AgentPage.open(browser, html);
  const changes = await agent.press((await agent.find(query)).ref);
  await agent.close();
  return changes;
}

const lines = (effects: readonly PageEffect[]) => effects.map(({ kind, detail }) => `${kind}: ${detail}`);

test('a changed text is told as label: old → new', async () => {
  const changes = await pressOn(
    `<p id=total>none</p><button onclick="total.textContent='Sent 1'">Send</button>`,
    'send',
  );
  expect(changes).toMatchObject({
    changed: true,
    effects: [{ kind: 'text_appeared', detail: 'total: none → Sent 1' }],
  });
});

test('nothing changed is said so: own focus, hover, active and ripple do not count', async () => {
  const changes = await pressOn(
    `<style>button:hover{color:red;padding:9px}button:focus{outline:3px solid}button:active{transform:scale(.9)}button{transition:all .2s}</style>
     <button onmousedown="this.classList.add('is-pressed');this.append(document.createElement('span'))" onfocus="this.className+=' focused'">Dead</button>`,
    'dead',
  );
  expect(changes).toMatchObject({ changed: false, effects: [] });
});

test('text that appears, disappears and is re-rendered as it was', () =>
  withPage(
    `<ul id=l><li>One</li><li>Two</li></ul><button onclick="l.innerHTML='<li>One</li><li>Two</li><li>Three</li>'">Add</button>
     <button onclick="l.innerHTML=l.innerHTML">Same</button><button onclick="l.firstChild.remove()">Drop</button>`,
    async (agent) => {
      expect(lines((await agent.press((await agent.find('add')).ref)).effects)).toEqual(['text_appeared: l: Three']);
      expect(await agent.press((await agent.find('same')).ref)).toMatchObject({ changed: false });
      expect(lines((await agent.press((await agent.find('drop')).ref)).effects)).toEqual(['text_gone: l: One']);
    },
  ));

test('at most five samples of text, the rest is counted', async () => {
  const changes = await pressOn(
    `<ul id=l></ul><button onclick="l.innerHTML=Array.from({length:40},(_,i)=>'<li>Row '+i+'</li>').join('')">Load</button>`,
    'load',
  );
  expect(changes.effects.filter((e) => e.kind === 'text_appeared')).toHaveLength(5);
  expect(changes.effects.at(-1)!.detail).toMatch(/^\d+ more changes$/);
  expect(JSON.stringify(changes).length).toBeLessThan(900);
});

test('what class, style, sibling selectors, details, dialogs and popovers show and hide', () =>
  withPage(
    `<style>.off{display:none} #t[aria-expanded=true] ~ #sib{display:block} #sib{display:none}</style>
     <button id=a onclick="p.classList.toggle('off')">Panel</button><div id=p class=off>Panel text</div>
     <button id=t aria-expanded=false onclick="this.ariaExpanded='true'">Sibling</button><div id=sib>Sibling text</div>
     <details><summary>More</summary>Inside</details>
     <button popovertarget=pop>Pop</button><div popover id=pop>Popped</div>
     <dialog id=d aria-label=Sure>Really?<button onclick="d.close()">No</button></dialog><button onclick="d.showModal()">Ask</button>`,
    async (agent) => {
      const press = async (query: string) => lines((await agent.press((await agent.find(query)).ref)).effects);
      expect(await press('panel')).toEqual(['text_appeared: Panel text']);
      expect(await press('panel')).toEqual(['text_gone: Panel text']);
      const sibling = await press('sibling');
      expect(sibling).toContain('text_appeared: Sibling text');
      expect(sibling[0]).toMatch(/^state_set: button "Sibling" \(e\d+\): expanded$/);
      expect(await press('more')).toContain('text_appeared: Inside');
      expect(await press('pop')).toContain('text_appeared: Popped');
      const asked = await press('ask');
      expect(asked.some((line) => /^dialog: dialog "Sure" \(e\d+\)$/.test(line))).toBe(true);
      expect(await press('no')).toContain('text_gone: Really?');
    },
  ));

test('values and states of controls, the target’s own too', () =>
  withPage(
    `<label>Name <input id=n></label><label>Secret <input type=password></label><label><input type=checkbox> Yes</label><button onclick="n.value='Set by script'">Fill</button>`,
    async (agent) => {
      const name = await agent.find('name');
      const typed = await agent.act(name.ref, async () => {
        await agent.call('selectContent', name.ref);
        await agent.page.keyboard.insertText('Ada');
      });
      expect(typed).toMatchObject({ changed: true, valueAfter: 'Ada' });
      expect(lines(typed.effects)).toEqual([`value_set: textbox "Name" (${name.ref}): "" → "Ada"`]);
      const replaced = await agent.act(name.ref, async () => {
        await agent.call('selectContent', name.ref);
        await agent.page.keyboard.insertText('Grace');
      });
      expect(replaced.valueAfter).toBe('Grace');
      const secret = await agent.find('secret');
      const hidden = await agent.act(secret.ref, async () => {
        await agent.call('selectContent', secret.ref);
        await agent.page.keyboard.insertText('hunter2');
      });
      expect(hidden.valueAfter).toBe('••••');
      expect(JSON.stringify(hidden)).not.toContain('hunter2');
      expect(hidden.changed).toBe(true);
      expect(lines((await agent.press((await agent.find('yes')).ref)).effects)[0]).toMatch(
        /^state_set: checkbox "Yes" .*: checked$/,
      );
      expect(lines((await agent.press((await agent.find('fill')).ref)).effects)).toEqual([
        `value_set: textbox "Name" (${name.ref}): "Grace" → "Set by script"`,
      ]);
    },
  ));

test('a press that renames its target counts as having shown the new name', () =>
  withPage(
    `<button onclick="this.textContent=this.textContent==='Follow'?'Unfollow':'Follow'">Follow</button>`,
    async (agent) => {
      const { ref } = await agent.find('follow');
      const changes = await agent.press(ref);
      expect(lines(changes.effects)).toEqual([`text_appeared: button (${ref}): Follow → Unfollow`]);
      expect(changes.reading).toMatchObject({ ref, name: 'Unfollow' });
      expect((await agent.check(ref)).status).toBe('ready');
      // Another agent saw only the old name.
      await agent.page.evaluate(() => (document.querySelector('button')!.textContent = 'Follow'));
      expect((await agent.check(ref)).status).toBe('changed');
    },
  ));

test('what ticks by itself is background, and keeps nobody waiting', () =>
  withPage(
    `<p id=clock>0</p><p id=out></p><button onclick="out.textContent='Done'">Go</button><button>Idle</button>
     <style>@keyframes spin{to{transform:rotate(1turn)}} i{display:inline-block;animation:spin 1s infinite}</style><i>*</i>
     <script>let n=0;setInterval(()=>clock.textContent=++n,100)</script>`,
    async (agent) => {
      await agent.perceive();
      await agent.page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
      const go = await agent.find('go');
      const started = Date.now();
      const changes = await agent.press(go.ref);
      expect(Date.now() - started).toBeLessThan(1_500);
      expect(changes.changed).toBe(true);
      expect(changes.effects[0]).toMatchObject({ kind: 'text_appeared', detail: 'out: Done' });
      const idle = await agent.press((await agent.find('idle')).ref);
      expect(idle.changed).toBe(false);
      expect(idle.effects.every((effect) => effect.kind === 'background')).toBe(true);
    },
  ));

test('what ticks inside the target’s own form is no background', () =>
  withPage(
    `<form onsubmit="return false"><output id=o>0</output><button onclick="o.textContent='sent'">Send</button></form><script>let n=0;window.t=setInterval(()=>o.textContent=++n,100)</script>`,
    async (agent) => {
      await agent.page.evaluate(() => new Promise((done) => setTimeout(done, 450)));
      await agent.page.evaluate(() => clearInterval((window as unknown as { t: number }).t));
      const changes = await agent.press((await agent.find('send')).ref);
      expect(changes.changed).toBe(true);
      expect(lines(changes.effects)[0]).toMatch(/^text_appeared: o: \d+ → sent$/);
    },
  ));

test('what a timer does later is a late effect of the next answer', () =>
  withPage(
    `<p id=s>idle</p><button onclick="setTimeout(()=>s.textContent='saved',300)">Save</button>`,
    async (agent) => {
      const changes = await agent.press((await agent.find('save')).ref);
      expect(changes).toMatchObject({ changed: false, effects: [] });
      expect(await agent.call('lateEffects')).toEqual([]);
      await agent.page.waitForFunction(() => document.querySelector('#s')!.textContent === 'saved');
      expect(lines(await agent.call('lateEffects'))).toEqual(['text_appeared: s: idle → saved']);
      expect(await agent.call('lateEffects')).toEqual([]);
    },
  ));

test('a change over several frames and an animation are waited for', async () => {
  const changes = await pressOn(
    `<style>@keyframes in{from{transform:translateX(-300px)}} .in{animation:in .3s}</style><p id=o></p>
     <button onclick="let i=0;const step=()=>{o.textContent=++i;if(i<6)requestAnimationFrame(step);else o.className='in'};step()">Run</button>`,
    'run',
  );
  expect(lines(changes.effects)).toContain('text_appeared: o: 6');
});

test('focus that moves elsewhere and scrolling by the page are told; our own scrolling is not', () =>
  withPage(
    `<input aria-label=There id=there><div style="height:2000px"></div><button onclick="there.focus({preventScroll:true})">Jump</button>
     <button onclick="window.scrollTo(0,100)">Up</button><button>Nothing</button>`,
    async (agent) => {
      const { ref } = await agent.find('there');
      const focused = await agent.press((await agent.find('jump')).ref);
      expect(focused.effects).toEqual([{ kind: 'focus_moved', detail: `textbox "There" (${ref})`, ref }]);
      await agent.page.evaluate(() => scrollTo(0, 0));
      expect(await agent.press((await agent.find('nothing')).ref)).toMatchObject({ changed: false, effects: [] });
      expect(lines((await agent.press((await agent.find('up')).ref)).effects)[0]).toMatch(
        /^scrolled: page to 100 of \d+$/,
      );
    },
  ));

test('controls that appear without text, attributes that say something, lasting classes', () =>
  withPage(
    `<div id=d></div><button onclick="d.innerHTML='<input aria-label=Street>'">More</button><button onclick="x.disabled=false">Enable</button><button id=x disabled>Next</button>
     <li id=todo>Milk</li><button onclick="todo.classList.add('done')">Tick</button>`,
    async (agent) => {
      const press = async (query: string) => lines((await agent.press((await agent.find(query)).ref)).effects);
      expect((await press('more'))[0]).toMatch(/^structure: appeared: textbox "Street" \(e\d+\)$/);
      expect((await press('enable'))[0]).toMatch(/^state_set: button "Next" \(e\d+\): enabled$/);
      expect(await press('tick')).toEqual(['state_set: todo: class +done']);
    },
  ));

test('selects, dates and ranges are set by value, what does not fit is refused and left alone', () =>
  withPage(
    `<select aria-label=Country onchange="log.textContent+=this.value"><option value=it>Italia<option value=es>España<option disabled>None</select>
     <input type=date aria-label=Day><input type=range min=0 max=10 aria-label=Level><p id=log></p>`,
    async (agent) => {
      const [country, day, level] = (await agent.perceive()).targets.map((target) => target.ref) as [
        string,
        string,
        string,
      ];
      expect(await agent.check(country, { action: 'enter_text' })).toMatchObject({
        entry: { kind: 'set', options: ['Italia', 'España', 'None (disabled)'] },
      });
      expect(await agent.call('setValue', { ref: country, value: 'espana' })).toEqual({
        status: 'set',
        valueAfter: 'España',
      });
      expect(await agent.page.textContent('#log')).toBe('es');
      expect(await agent.call('setValue', { ref: country, value: 'France' })).toMatchObject({
        status: 'refused',
        reason: expect.stringContaining('Italia, España'),
      });
      expect(await agent.call('setValue', { ref: country, value: 'None' })).toMatchObject({ status: 'refused' });
      expect(await agent.call('valueOf', country)).toBe('España');
      expect(await agent.call('setValue', { ref: day, value: '2026-12-01' })).toEqual({
        status: 'set',
        valueAfter: '2026-12-01',
      });
      expect(await agent.call('setValue', { ref: day, value: 'tomorrow' })).toMatchObject({
        status: 'refused',
        reason: expect.stringContaining('yyyy-mm-dd'),
      });
      expect(await agent.call('valueOf', day)).toBe('2026-12-01');
      expect(await agent.call('setValue', { ref: level, value: '7' })).toEqual({ status: 'set', valueAfter: '7' });
      expect(await agent.call('setValue', { ref: level, value: '70' })).toMatchObject({ status: 'refused' });
    },
  ));

test('scrolling finds the scroller around the target and says where it is', () =>
  withPage(
    `<div id=box role=list aria-label=Log style="height:100px;overflow:auto"><div style="height:1000px"></div><button>End</button></div><div style="height:3000px"></div>`,
    async (agent) => {
      const { ref } = await agent.find('end');
      const down = await agent.call('scroll', { ref, to: 'down' });
      expect(down).toMatchObject({ moved: true, y: 80 });
      expect(down!.scroller).toMatch(/^e\d+$/);
      expect(await agent.call('scroll', { ref, to: 'bottom' })).toMatchObject({ moved: true });
      expect(await agent.call('scroll', { ref, to: 'bottom' })).toMatchObject({ moved: false });
      expect(await agent.call('scroll', { ref: 'page', to: 150 })).toMatchObject({
        moved: true,
        scroller: 'page',
        y: 150,
      });
      expect(await agent.call('scroll', { ref: 'e999', to: 'down' })).toBeNull();
    },
  ));
