import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { trapSuite } from '../../support/traps.ts';

const suite = trapSuite();
const { trap } = suite;

trap('a password is in no answer, whoever entered it', 'fields', async (page) => {
  const answers: unknown[] = [await page.perceive(), await page.perceive({ query: 'hunter2-secret' })];
  const secret = await page.find('secret');
  expect(secret.value).toBe('••••');
  answers.push(secret, await page.enter(secret.ref, 'correct horse battery'), await page.perceive());
  answers.push(await page.press(secret.ref, 'key:End'), await page.press(secret.ref, 'key:z'), page.guard.sentInputs);
  expect(await page.truth('secret.value')).toBe('correct horse batteryz');
  expect(JSON.stringify(answers)).not.toMatch(/hunter2|horse|battery/);
  expect((await page.find('secret')).value).toHaveLength(4);
});

trap('files: two of the allowed folder, by name; none from outside', 'fields', async (page) => {
  await writeFile(path.join(suite.bench.folder, 'a.txt'), 'a');
  await writeFile(path.join(suite.bench.folder, 'b.txt'), 'b');
  const field = await page.ref('attachment');
  expect(await page.enter(field, 'a.txt\nb.txt')).toMatchObject({ changed: true, value_after: 'a.txt, b.txt' });
  expect(await page.did('files')).toEqual([['a.txt', 'b.txt']]);
  await expect(page.enter(field, '../../etc/passwd')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(page.enter(field, 'no-such.txt')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await page.did('files')).toHaveLength(1);
});

trap('a masked input: what it made of the text is said', 'fields', async (page) => {
  expect((await page.enter(await page.ref('phone'), '5551234567')).value_after).toBe('(555) 123-4567');
  expect((await page.enter(await page.ref('upper'), 'abc')).value_after).toBe('ABC');
  expect((await page.enter(await page.ref('short'), 'abcdefgh')).value_after).toBe('abcde');
  expect((await page.heard('input')).every((line) => !line.includes('untrusted'))).toBe(true);
});

trap('number, date, time, range and colour: set, told, and refused when they do not fit', 'fields', async (page) => {
  for (const [query, id, value] of [
    ['number', 'number', '7'],
    ['date', 'date', '2027-02-28'],
    ['time', 'time', '13:45'],
    ['when', 'moment', '2027-02-28T13:45'],
    ['month', 'month', '2027-02'],
    ['volume', 'range', '8'],
    ['colour', 'colour', '#33aa00'],
  ] as const) {
    const receipt = await page.enter(await page.ref(query), value);
    expect(receipt.value_after, id).toBe(value);
    expect(await page.truth(`document.getElementById('${id}').value`), id).toBe(value);
  }
  await page.press('page', 'key:Tab');
  for (const id of ['number', 'date', 'time', 'moment', 'month', 'range', 'colour'])
    expect(await page.did(id), id).toHaveLength(1);
  const sent = page.guard.sentInputs.length;
  for (const [query, value] of [
    ['date', 'tomorrow'],
    ['date', '2027-02-30'],
    ['time', '25:00'],
    ['colour', 'green'],
    ['volume', 'loud'],
  ] as const)
    await expect(page.enter(await page.ref(query), value), query).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(page.guard.sentInputs).toHaveLength(sent);
});

trap('a range of steps of two moves by keys and is told', 'fields', async (page) => {
  const volume = await page.find('volume');
  expect(volume).toMatchObject({ role: 'slider', note: expect.stringContaining('0 to 10') });
  const before = Number(volume.value);
  const receipt = await page.press(volume.ref, 'key:ArrowRight');
  expect(receipt.changed).toBe(true);
  expect(Number((await page.find('volume')).value)).toBe(before + 2);
});

for (const [what, text] of [
  ['emoji with joiners and flags', 'Hi 👩‍👩‍👧 🇳🇴 👍🏽'],
  ['right to left', 'שלום עולם مرحبا'],
  ['combining marks', 'e\u0301 n\u0303 ก็'],
  ['characters beyond the BMP', '𝒳 𐍈 漢字'],
  ['quotes and markup', `<b>"it's"</b> & \\n {{x}}`],
] as const) {
  trap(`text arrives as it was given: ${what}`, 'fields', async (page) => {
    for (const [query, id] of [
      ['line', 'line'],
      ['lines', 'lines'],
    ] as const) {
      expect((await page.enter(await page.ref(query), text)).value_after).toBe(text);
      expect(await page.truth(`document.getElementById('${id}').value`)).toBe(text);
    }
  });
}

trap('line breaks: kept by a text area, refused by a line', 'fields', async (page) => {
  expect((await page.enter(await page.ref('lines'), 'one\r\ntwo\n\nfour')).value_after).toBe('one\ntwo\n\nfour');
  expect(await page.truth('lines.value')).toBe('one\ntwo\n\nfour');
  await expect(page.enter(await page.ref('line'), 'a\nb')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect((await page.enter(await page.ref('lines'), '')).value_after).toBe('');
  expect(await page.truth('lines.value')).toBe('');
});

trap('a field whose setter is watched learns of the text by its events', 'fields', async (page) => {
  await page.enter(await page.ref('controlled'), 'typed');
  expect(await page.did('controlled')).toEqual(['typed']);
});

trap('a field that rewrites itself when left says so with the next answer', 'fields', async (page) => {
  await page.enter(await page.ref('amount'), '3.5');
  const left = await page.press('page', 'key:Tab');
  expect(JSON.stringify(left.effects)).toContain('3.50');
  expect(await page.did('amount')).toEqual(['3.50']);
});

trap('boxes for a code that pass the focus on', 'fields', async (page) => {
  for (const [i, digit] of ['7', '0', '4'].entries())
    expect((await page.enter(await page.ref(`digit ${i + 1}`), digit)).value_after).toBe(digit);
  expect(await page.did('code')).toContain('704');
});

trap('contenteditable: replaced as a whole, lines kept', 'editors', async (page) => {
  const note = await page.find('plain note');
  expect(note).toMatchObject({ role: 'textbox', value: 'old note' });
  const receipt = await page.enter(note.ref, 'Dear Ada\nhello');
  expect(receipt.value_after).toBe('Dear Ada\nhello');
  expect(await page.truth('plain.innerText.replace(/\\n+/g, "\\n").trim()')).toBe('Dear Ada\nhello');
  expect((await page.enter(note.ref, '')).value_after).toBe('');
});

trap('an editor that refuses every input and keeps a model of its own', 'editors', async (page) => {
  const receipt = await page.enter(await page.ref('rich editor'), 'Hello\nworld');
  expect(receipt.value_after?.split(/\n+/)).toEqual(['Hello', 'world']);
  await page.tell('model');
  expect(await page.did('model')).toEqual([['Hello', 'world']]);
  const kinds = (await page.did('beforeinput')) as string[];
  expect(new Set(kinds)).toEqual(new Set(['insertText', 'insertParagraph']));
});

trap('an editable with a part that is not', 'editors', async (page) => {
  expect(await page.enter(await page.ref('mixed note'), 'All new')).toMatchObject({ value_after: 'All new' });
  expect(await page.truth('mixed.innerText.trim()')).toBe('All new');
  expect(await page.enter(await page.ref('plaintext'), 'a\nb')).toMatchObject({ changed: true });
  expect(await page.truth('tags.innerText.replace(/\\n+/g, "\\n").trim()')).toBe('a\nb');
});
