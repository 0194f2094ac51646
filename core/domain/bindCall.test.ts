import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindingDifferences, bindingOf, bindingText } from './bindCall.ts';
import { canonicalJson } from './canonicalJson.ts';
import { callWords, receiptSummary, wouldSentence } from './describeCall.ts';
import { mergePatch } from './mergePatch.ts';

const facts = {
  verb: 'operator.act',
  arguments: { surface_id: 's1', target: 'e1', action: 'press' },
  policies: [{ policy_id: 'p', version: '1' }],
  surface: { id: 's1', generation: 1, epoch: 0 },
  address: 'http://site.test/a?b=1',
  reading: { ref: 'e1', role: 'button', name: 'Pay', row: 'Invoice 1' },
};

describe('a binding', () => {
  const changes: [Partial<typeof facts>, RegExp][] = [
    [{ arguments: { ...facts.arguments, target: 'e2' } }, /arguments/],
    [{ policies: [{ policy_id: 'p', version: '2' }] }, /policies/],
    [{ surface: { id: 's1', generation: 2, epoch: 0 } }, /reloaded/],
    [{ surface: { id: 's1', generation: 1, epoch: 1 } }, /control/],
    [{ address: 'http://site.test/a?b=2' }, /b=1.*b=2/],
    [{ reading: { ...facts.reading, name: 'Refund' } }, /"Pay", now "Refund"/],
    [{ reading: { ...facts.reading, row: 'Invoice 2' } }, /row/],
  ];
  it.each(changes)('%o changes its text and is named', (change, words) => {
    const asked = bindingOf(facts);
    const now = bindingOf({ ...facts, ...change });
    expect(bindingText(now)).not.toBe(bindingText(asked));
    const differences = bindingDifferences(asked, now);
    expect(differences).toHaveLength(1);
    expect(differences[0]).toMatch(words);
  });
  it('does not depend on where the target is, nor on the order of keys', () => {
    const moved = bindingOf({
      ...facts,
      reading: {
        row: 'Invoice 1',
        name: 'Pay',
        role: 'button',
        ref: 'e1',
        bounds: { x: 1, y: 2, width: 3, height: 4 },
      },
    });
    expect(bindingText(moved)).toBe(bindingText(bindingOf(facts)));
    expect(bindingDifferences(bindingOf(facts), moved)).toEqual([]);
  });
});

describe('canonical JSON (RFC 8785)', () => {
  it('sorts keys by UTF-16 units, writes numbers the short way, leaves undefined out', () => {
    expect(canonicalJson({ b: 1e21, a: [1.0, -0, 'é\u20ac'], '\u20ac': null, z: undefined })).toBe(
      '{"a":[1,0,"é€"],"b":1e+21,"€":null}',
    );
  });
  it('is the same whatever the order of keys, and parses back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('merge patch (RFC 7396, appendix A)', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });
  it('cannot reach a prototype', () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}') as object;
    mergePatch({}, patch);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('words for a call', () => {
  const reading = { ref: 'e1', role: 'button', name: 'Submit', row: 'Invoice 12' };
  it('say what, on what and where', () => {
    const args = { action: 'press', target: 'e1' };
    expect(wouldSentence('operator.act', args, reading, { label: 'Browser', address: 'http://a.test/' })).toBe(
      'Press button "Submit" in "Invoice 12" on Browser (http://a.test/).',
    );
    expect(
      callWords(
        'operator.act',
        { action: 'enter_text', target: 'e2', value: 'hi\nthere' },
        { ref: 'e2', role: 'textbox', name: 'Note' },
      ),
    ).toBe('enter "hi there" into textbox "Note"');
    expect(callWords('operator.act', { action: 'press', target: 'page', value: 'key:F5' }, null)).toBe(
      'press the page (key:F5)',
    );
    expect(callWords('operator.navigate', { url: 'http://b.test' }, null)).toBe('go to http://b.test');
  });
  it('and what became of it, on one line', () => {
    const receipt = {
      changed: true,
      readiness: 'settled' as const,
      effects: [
        { kind: 'background' as const, detail: 'clock' },
        { kind: 'text_appeared' as const, detail: 'total: none → Sent 1' },
      ],
    };
    expect(receiptSummary('press button "Submit"', receipt)).toBe(
      'press button "Submit" → changed: total: none → Sent 1',
    );
    expect(receiptSummary('press x', { changed: false, readiness: 'settled', blocked_by: 'dialog "Cookies"' })).toBe(
      'press x → blocked by dialog "Cookies"',
    );
    expect(receiptSummary('x'.repeat(500), receipt)).toHaveLength(200);
  });
});
