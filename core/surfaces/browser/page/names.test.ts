import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentPage, launchAgentBrowser } from '../../../../test/support/pageAgentPage.ts';

const widgets = readFileSync(
  path.resolve(import.meta.dirname, '../../../../test/support/pageAgentWidgets.html'),
  'utf8',
);

/** Chromium's internal names for what the class calls otherwise. */
const roleInClass: Readonly<Record<string, string>> = {
  DisclosureTriangle: 'button',
  Date: 'textbox',
  DateTime: 'textbox',
  InputTime: 'textbox',
  ColorWell: 'textbox',
};
const controlRoles = new Set(
  `button link textbox searchbox combobox checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option
   treeitem slider spinbutton listbox gridcell ${Object.keys(roleInClass).join(' ')}`.split(/\s+/),
);
/** Targets that Chromium's tree has, but not as controls. */
const beyondChromium = new Set(['generic', 'canvas', 'video', 'scrollbar', 'separator']);

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly backendDOMNodeId?: number;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchAgentBrowser();
});
afterAll(() => browser.close());

/** Chromium's controls by node, without the inside of native widgets and the options of a select. */
async function chromiumControls(agent: AgentPage): Promise<Map<number, string>> {
  const { nodes } = (await agent.cdp.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  const controls = new Map<number, string>();
  for (const node of nodes) {
    const role = node.role?.value ?? '';
    if (node.ignored || !controlRoles.has(role) || node.backendDOMNodeId === undefined) continue;
    const { node: dom } = await agent.cdp.send('DOM.describeNode', { backendNodeId: node.backendDOMNodeId });
    if (dom.localName === 'option' || dom.pseudoType !== undefined) continue;
    const name = (node.name?.value ?? '').replace(/\s+/g, ' ').trim();
    controls.set(node.backendDOMNodeId, `${roleInClass[role] ?? role} "${name}"`);
  }
  return controls;
}

test('roles and names of all usual widgets are those of Chromium’s own tree', async () => {
  const agent = await AgentPage.open(browser, widgets);
  const { targets } = await agent.perceive({ limit: 500 });
  const ours = new Map<number, string>();
  for (const target of targets) {
    ours.set(await agent.backendNodeId(target.ref), `${target.role} "${target.name ?? ''}"`);
  }
  const insideWidgets =
    /^(spinbutton "(Month|Day|Year|Hours|Minutes|Week|AM\/PM) |button "(Show .* picker|show more media)|slider "video)/;
  const missedOrOther: string[] = [];
  const theirs = await chromiumControls(agent);
  for (const [id, said] of theirs) {
    if (ours.get(id) !== said && !insideWidgets.test(said)) missedOrOther.push(`${said} ≠ ${ours.get(id) ?? 'missed'}`);
  }
  expect(missedOrOther).toEqual([]);
  const extra = [...ours].filter(([id, said]) => !theirs.has(id) && !beyondChromium.has(said.split(' ')[0] ?? ''));
  // An editable element without a role: text can be entered, so it is a textbox to us.
  expect(extra.map(([, said]) => said)).toEqual(['textbox ""']);
  expect(theirs.size).toBeGreaterThan(100);
  await agent.close();
});

test('names follow the part of the page they come from, and nothing else is asked again', async () => {
  const agent = await AgentPage.open(
    browser,
    `<label for=a>Amount</label><input id=a><span id=s>Total</span><button aria-labelledby=s>x</button>
     <button id=b><span>Pay <em>now</em></span></button><button id=late aria-labelledby=later>y</button>`,
  );
  expect(await agent.list()).toEqual(['textbox "Amount"', 'button "Total"', 'button "Pay now"', 'button "y"']);
  await agent.page.evaluate(() => {
    document.querySelector('label')!.textContent = 'Price';
    document.querySelector('#s')!.firstChild!.nodeValue = 'Sum';
    document.querySelector('em')!.textContent = 'later';
    document.body.insertAdjacentHTML('beforeend', '<i id="later">Came later</i>');
  });
  expect(await agent.list()).toEqual(['textbox "Price"', 'button "Sum"', 'button "Pay later"', 'button "Came later"']);
  await agent.page.evaluate(() => {
    document.querySelector('label')!.remove();
    document.querySelector('#a')!.setAttribute('placeholder', 'EUR');
    document.querySelector('#b')!.setAttribute('aria-label', 'Buy');
  });
  expect(await agent.list()).toEqual(['textbox "EUR"', 'button "Sum"', 'button "Buy"', 'button "Came later"']);
  await agent.close();
});

test('passwords are never given, not even their length', async () => {
  const agent = await AgentPage.open(
    browser,
    '<label>Secret <input type=password value=hunter2></label><label>Empty <input type=password></label>',
  );
  const { targets } = await agent.perceive();
  expect(targets.map((target) => target.value)).toEqual(['••••', '']);
  expect(JSON.stringify(await agent.perceive({ query: 'hunter2' }))).not.toContain('hunter2');
  expect((await agent.perceive({ query: 'hunter2' })).targets).toEqual([]);
  await agent.close();
});

test('labels of ten thousand fields cost no more than a walk', async () => {
  const agent = await AgentPage.open(browser, '<body></body>');
  await agent.page.evaluate(() => {
    document.body.innerHTML = Array.from(
      { length: 10_000 },
      (_, i) => `<label for="f${i}">Field ${i}</label><input id="f${i}">`,
    ).join('');
  });
  // `Element.labels` takes 1.3 s here.
  const ms = await agent.time('perceive', { query: 'field 9876', limit: 50, textLimit: 0, reader: 'a' });
  expect(await agent.list({ query: 'field 9876' })).toEqual(['textbox "Field 9876"']);
  expect(ms).toBeLessThan(1_000);
  await agent.close();
});
