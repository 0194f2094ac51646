import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { chromiumControls, elementsOf, listedControls } from '../../support/chromiumTree.ts';
import type { Control } from '../../support/chromiumTree.ts';
import { trapSuite } from '../../support/traps.ts';
import type { TrapPage } from '../../support/traps.ts';

/**
 * Role and name of every control, ours against Chromium's own tree, on every page of the suite and
 * on pages in the shapes of the ARIA Authoring Practices.
 */
const suite = trapSuite();

const pagesDir = new URL('../../support/site/pages/traps/', import.meta.url);
/** A page under other conditions, and what it needs to be there at all. */
const variants: Readonly<Record<string, readonly Record<string, string | number>[]>> = {
  huge: [{ n: 100 }],
  '../controls': [{ n: 500, frames: 2 }],
  rerender: [{ how: 'keyed' }],
  overlay: [{ kind: 'dialog' }, { kind: 'partial' }],
  consent: ['open', 'closed', 'foreign'].map((where) => ({ where })),
  frames: ['same', 'foreign', 'srcdoc', 'nested', 'shadow'].map((kind) => ({ kind })),
  timing: ['slide', 'late', 'ticker'].map((kind) => ({ kind })),
};
/** Nothing to compare: an open dialog, a page on its way elsewhere, a tree too deep for the protocol. */
const left = new Set(['alert-at-once', 'meta', 'late-control', 'long']);

/** Pages that are whole only when their frames have come. */
const hasFrames = new Set(['consent', 'frames', 'dialogs', 'nest', 'nest-two', '../controls']);

/** Roles that are targets to us and no controls to Chromium's tree. */
const beyond = new Set(
  `generic canvas video scrollbar separator group region log article row listitem gridcell columnheader rowheader tabpanel list
   radiogroup tablist menu menubar tree grid treegrid img image none paragraph code`.split(/\s+/),
);

/** Presses after which the whole page is compared again. */
const pressed: Readonly<Record<string, readonly string[]>> = {
  toggles: ['news', 'wifi', 'fast', 'half', 'aria box', 'aria switch', 'bold'],
  choices: ['choose a colour', 'green', 'actions button', 'duplicate', 'select size'],
  pointer: ['delivery details', 'delivery details'],
  modal: ['open', 'keep'],
  follow: ['follow', 'unfollow'],
  reading: ['show popover', 'show top'],
};

/** Every difference there is, and why. A new one fails. */
const explained: Readonly<Record<string, string>> = {
  'apg-rest: link "Caption" ≠ link ""':
    'Chromium leaves the caption of a figure out of a link; it is what a person reads there.',
  'apg-rest: button "Zero width" ≠ button "\u200bZero\u200bwidth"':
    'Characters without width are white space to us: they hide words.',
  'apg-rest: link "y math" ≠ link "math"': 'Chromium leaves formulas out of names; a person reads them.',
  'apg-rest: link "obj object" ≠ link "object"': 'The fallback that an object shows is part of what is read.',
  'apg-rest: link "video fallback video" ≠ link "Unable to play media. video"':
    'Words of the page, not of the browser.',
  'apg-rest: object "" ≠ nothing': 'Plugins are told of, to be worked by a picture; Chromium lists no control.',
  'editors: textbox "Plaintext" ≠ nothing': 'An editable element without a role takes text, so it is a textbox to us.',
  'toggles: checkbox "Invisible box" ≠ nothing': 'Not rendered, yet worked by its styled label, as a person does it.',
};

const counted = { theirs: 0, agreed: 0, ours: 0, right: 0 };
const differences = new Set<string>();

const say = (control: Control | undefined): string =>
  control === undefined ? 'nothing' : `${control.role} "${control.name}"`;

const same = (ours: Control | undefined, theirs: Control | undefined): boolean => {
  if (ours === undefined || theirs === undefined || ours.role !== theirs.role) return false;
  // Names are cut where an answer would grow beyond measure.
  return ours.name === theirs.name || (ours.name.endsWith('…') && theirs.name.startsWith(ours.name.slice(0, -1)));
};

const others = ['../form', '../rows', '../disabled', '../controls', '../covered', '../text'];
const cases = [...readdirSync(pagesDir).map((file) => file.replace(/\.html$/, '')), ...others]
  .filter((page) => !left.has(page))
  .flatMap((page) => (variants[page] ?? [{}]).map((query) => ({ page, query })));

/** Compares everything on a page as it is now; gives the differences nobody has explained. */
const compare = async (name: string, page: TrapPage, tally: typeof counted): Promise<string[]> => {
  const { side } = suite.bench;
  const listed = await listedControls(page);
  const keys = await elementsOf(side, page, [...listed.keys()]);
  const theirs = await chromiumControls(side, page);
  const ours = new Map([...listed].map(([ref, control]) => [keys.get(ref) ?? ref, control]));
  const here = new Set<string>();
  for (const [key, control] of theirs) {
    const own = ours.get(key);
    tally.theirs++;
    if (same(own, control)) tally.agreed++;
    else here.add(`${name}: ${say(own)} ≠ ${say(control)}`);
    if (own !== undefined && own.states.join() !== control.states.join())
      here.add(`${name}: ${say(own)} is ${own.states.join(', ')} ≠ ${control.states.join(', ')}`);
  }
  for (const [key, control] of ours) {
    if (beyond.has(control.role) && !theirs.has(key)) continue;
    tally.ours++;
    if (same(control, theirs.get(key))) tally.right++;
    else here.add(`${name}: ${say(control)} ≠ ${say(theirs.get(key))}`);
  }
  for (const difference of here) differences.add(difference);
  return [...here].filter((difference) => explained[difference] === undefined);
};

describe('role, name and states agree with Chromium', () => {
  for (const { page: name, query } of cases) {
    const title = [name, ...Object.values(query)].join(' ');
    suite.visit(title, name, query, async (page) => {
      await page.perceive();
      if (hasFrames.has(name)) await page.settle(3_000);
      expect(await compare(name, page, counted)).toEqual([]);
    });
  }
});

describe('what a press changed agrees with Chromium', () => {
  for (const [name, presses] of Object.entries(pressed)) {
    suite.visit(name, name, {}, async (page) => {
      for (const query of presses) {
        expect((await page.press(await page.ref(query))).changed, query).toBe(true);
        expect(await compare(name, page, { ...counted }), query).toEqual([]);
      }
    });
  }
});

test('agreement at least 99.5 %, precision at least 99 %, every explanation still needed', () => {
  expect(counted.theirs).toBeGreaterThan(1_000);
  expect(counted.agreed / counted.theirs).toBeGreaterThanOrEqual(0.995);
  expect(counted.right / counted.ours).toBeGreaterThanOrEqual(0.99);
  expect([...differences].sort()).toEqual(Object.keys(explained).sort());
});

afterAll(() => {
  process.stdout.write(
    `controls: ${counted.theirs} of Chromium, ${counted.agreed} agree; ${counted.ours} of ours, ${counted.right} right\n`,
  );
});
