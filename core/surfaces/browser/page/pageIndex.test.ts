import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPage, launchAgentBrowser } from '../../../../test/support/pageAgentPage.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchAgentBrowser();
});
afterAll(() => browser.close());

/** Changes the page in one of the ways pages change, from a seeded stream of numbers. */
function mutate(seed: number): string {
  let state = seed * 2_654_435_761;
  const random = (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const holders = [...document.querySelectorAll('div,ul,li,section,form')];
  const pick = (list: readonly Element[]) => list[random(list.length)] ?? document.body;
  const bits = [
    () => `<button>B${random(99)}</button>`,
    () => `<a href="#">L${random(99)} <b>bold</b></a>`,
    () => `<label>F${random(99)} <input></label>`,
    () => `<label for="i${random(9)}">For ${random(9)}</label>`,
    () => `<input id="i${random(9)}" placeholder="P${random(9)}">`,
    () => `<ul><li>One <button>X</button></li><li>Two <button aria-labelledby="n${random(5)}">Y</button></li></ul>`,
    () => `<span id="n${random(5)}">Named ${random(99)}</span>`,
    () => `<section class="off"><h2>H</h2><button>In section</button></section>`,
    () => `<div style="cursor:pointer">Card ${random(99)}</div>`,
    () => `<details><summary>S${random(9)}</summary><button>Folded</button></details>`,
    () => `<div class="host" id="h${random(99)}"><button>Light</button></div>`,
  ];
  const ops: Record<string, () => void> = {
    append: () => pick(holders).insertAdjacentHTML('beforeend', bits[random(bits.length)]!()),
    prepend: () => pick(holders).insertAdjacentHTML('afterbegin', bits[random(bits.length)]!()),
    after: () => pick(holders).insertAdjacentHTML('afterend', bits[random(bits.length)]!()),
    remove: () => pick([...document.querySelectorAll('button,a,label,li,span')]).remove(),
    move: () => {
      const moved = pick([...document.querySelectorAll('button,ul,li,section,div')]);
      const to = pick(holders);
      if (!moved.contains(to) && moved !== document.body) to.prepend(moved);
    },
    toggle: () => pick([...document.querySelectorAll('section,div,details,ul')]).classList.toggle('off'),
    hide: () => pick([...document.querySelectorAll('li,div,ul,button')]).toggleAttribute('hidden'),
    open: () => pick([...document.querySelectorAll('details')]).toggleAttribute('open'),
    inert: () => pick([...document.querySelectorAll('ul,section,li')]).toggleAttribute('inert'),
    role: () => pick([...document.querySelectorAll('a,button,span')]).setAttribute('role', random(2) ? 'tab' : 'link'),
    unrole: () => pick([...document.querySelectorAll('[role]')]).removeAttribute('role'),
    text: () => (pick([...document.querySelectorAll('button,b,span,h2,summary')]).textContent = `T${random(999)}`),
    data: () => {
      const text = document.createTreeWalker(pick(holders), NodeFilter.SHOW_TEXT).nextNode();
      if (text) text.nodeValue = `D${random(99)}`;
    },
    label: () => pick([...document.querySelectorAll('button,input,a')]).setAttribute('aria-label', `A${random(99)}`),
    shadow: () => {
      const host = document.querySelector('.host');
      if (!host || host.shadowRoot) return;
      host.classList.remove('host');
      host.attachShadow({ mode: 'open' }).innerHTML = '<button>Shadow</button><slot></slot><a href="#">End</a>';
    },
    inShadow: () => {
      const root = [...document.querySelectorAll('*')].find((element) => element.shadowRoot)?.shadowRoot;
      root?.firstElementChild?.insertAdjacentHTML('afterend', `<button>In ${random(99)}</button>`);
    },
    id: () =>
      pick([...document.querySelectorAll('span,input,label')]).setAttribute(
        'id',
        `${random(2) ? 'n' : 'i'}${random(5)}`,
      ),
    html: () => (pick([...document.querySelectorAll('li,ul')]).innerHTML = bits[random(bits.length)]!()),
  };
  const names = [...Object.keys(ops), 'append', 'append', 'after', 'append'];
  const name = names[random(names.length)]!;
  ops[name]!();
  return name;
}

test('after any changes the kept index reads as a fresh one does', { timeout: 120_000 }, async () => {
  const agent = await AgentPage.open(
    browser,
    `<style>.off{display:none}</style><div id=root><ul><li>A <button>First</button></li></ul><div></div><section><h2>S</h2></section></div>`,
  );
  await agent.perceive();
  const done: string[] = [];
  for (let round = 1; round <= 100; round++) {
    for (let step = 0; step < 3; step++) done.push(await agent.page.evaluate(mutate, round * 10 + step));
    const kept = await agent.list({ limit: 2_000, textLimit: 0 });
    const fresh = await agent.inFreshWorld(() => agent.list({ limit: 2_000, textLimit: 0 }));
    expect({ round, last: done.slice(-3), list: kept }).toEqual({ round, last: done.slice(-3), list: fresh });
  }
  await agent.close();
});

test('a page that is replaced, written anew or emptied is read as it is', async () => {
  const agent = await AgentPage.open(browser, '<button>Old</button>');
  expect(await agent.list()).toEqual(['button "Old"']);
  await agent.page.evaluate(() => {
    document.body.replaceWith(
      Object.assign(document.createElement('body'), { innerHTML: '<button>New body</button>' }),
    );
  });
  expect(await agent.list()).toEqual(['button "New body"']);
  await agent.page.evaluate(() => document.documentElement.remove());
  expect(await agent.list()).toEqual([]);
  await agent.page.evaluate(() => {
    const root = document.createElement('html');
    root.innerHTML = '<body><button>New root</button></body>';
    document.append(root);
  });
  expect(await agent.list()).toEqual(['button "New root"']);
  await agent.close();
});
