import { AgentPage, launchAgentBrowser } from '../support/pageAgentPage.ts';

/**
 * Prints what a look costs inside the page, in milliseconds (median of 9, except the first look):
 * `npx tsx test/bench/pageAgent.ts [controls …]`.
 */
const sizes = process.argv.slice(2).map(Number);

/** Rows of a link, two buttons, labelled fields; every tenth in a nested open shadow root; a few forms. */
function fill(controls: number): void {
  const rows: string[] = [];
  for (let i = 0; i < controls / 5; i++) {
    rows.push(
      `<div class="row"><a href="#${i}">Invoice ${i}</a><button>Pay ${i}</button><button aria-label="Delete invoice ${i}">x</button>` +
        `<label>Note ${i} <input></label><label for="a${i}">Amount ${i}</label><input id="a${i}" type="number"></div>`,
    );
  }
  document.body.innerHTML =
    '<h1>Invoices</h1><form aria-label="Shipping"><button>Submit</button></form>' +
    `<main id="rows">${rows.join('')}</main><form aria-label="Billing"><input placeholder="Street"><button>Submit</button></form>`;
  for (const row of document.querySelectorAll('.row:nth-child(10n)')) {
    const root = row.attachShadow({ mode: 'open' });
    root.innerHTML = '<section><button>In the shadow</button><slot></slot></section>';
  }
}

async function measure(
  agent: AgentPage,
  prepare: () => Promise<unknown>,
  look: Record<string, unknown>,
): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < 9; i++) {
    await prepare();
    times.push(await agent.time('perceive', { limit: 50, textLimit: 1_200, reader: 'bench', ...look }));
  }
  return times.sort((a, b) => a - b)[4]!.toFixed(1);
}

const browser = await launchAgentBrowser();
for (const size of sizes.length > 0 ? sizes : [1_000, 10_000, 50_000]) {
  const agent = await AgentPage.open(browser, '<body></body>');
  await agent.page.evaluate(fill, size);
  await agent.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const look = { limit: 50, textLimit: 1_200, reader: 'bench' };
  const first = await agent.time('perceive', look);
  const firstQuery = await agent.time('perceive', { ...look, query: 'the Submit button of the billing form' });
  const nothing = async () => {};
  const query = { query: 'the Submit button of the billing form' };
  const insert = () =>
    agent.page.evaluate(() => {
      const row = document.createElement('div');
      row.className = 'row';
      row.innerHTML = '<a href="#n">New</a><button>Pay new</button>';
      const rows = document.getElementById('rows')!;
      rows.insertBefore(row, rows.children[rows.children.length >> 1]!);
    });
  const rename = () =>
    agent.page.evaluate(() => {
      document.querySelector('.row button')!.textContent = `Pay ${Math.random()}`;
    });
  const line = {
    controls: size,
    first: first.toFixed(1),
    firstQuery: firstQuery.toFixed(1),
    again: await measure(agent, nothing, {}),
    query: await measure(agent, nothing, query),
    name: await measure(agent, nothing, { query: 'Pay 77' }),
    afterRow: await measure(agent, insert, {}),
    afterRowQuery: await measure(agent, insert, query),
    afterText: await measure(agent, rename, {}),
    begin: (await agent.time('begin', {})).toFixed(1),
    end: (await agent.time('end', { reader: 'bench' })).toFixed(1),
  };
  console.log(JSON.stringify(line));
  await agent.close();
}
await browser.close();
