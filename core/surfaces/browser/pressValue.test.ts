import { expect, test } from 'vitest';
import { parseChord } from './keys.ts';
import { parsePress } from './pressValue.ts';

const nothing = { double: false, right: false, at: null, chord: null, dragTo: null };

test.each([
  [undefined, nothing],
  ['', nothing],
  ['double', { ...nothing, double: true }],
  ['right at:3,4.5', { ...nothing, right: true, at: { x: 3, y: 4.5 } }],
  ['drag_to:ab12', { ...nothing, dragTo: 'ab12' }],
  ['drag_to:-5,10', { ...nothing, dragTo: { x: -5, y: 10 } }],
])('press value %s', (value, expected) => {
  expect(parsePress(value)).toEqual(expected);
});

test.each([
  'triple',
  'at:3',
  'at:x,y',
  'key:',
  'key:A+B',
  'key:Nope',
  'double key:a',
  'key:a at:1,1',
  'right drag_to:a1',
])('press value %s is refused with the grammar', (value) => {
  expect(() => parsePress(value)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});

test.each([
  ['a', { key: 'a', code: 'KeyA', keyCode: 65, text: 'a' }, 0],
  ['A', { key: 'A', code: 'KeyA', keyCode: 65, text: 'A' }, 0],
  ['Shift+a', { key: 'A', code: 'KeyA', keyCode: 65, text: 'A' }, 8],
  ['Control+A', { key: 'a', code: 'KeyA', keyCode: 65 }, 2],
  ['Control+Shift+z', { key: 'Z', code: 'KeyZ', keyCode: 90 }, 10],
  ['Shift+1', { key: '!', code: 'Digit1', keyCode: 49, text: '!' }, 8],
  ['Control++', { key: '=', code: 'Equal', keyCode: 187 }, 2],
  ['Enter', { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' }, 0],
  ['Control+Enter', { key: 'Enter', code: 'Enter', keyCode: 13 }, 2],
  ['Space', { key: ' ', code: 'Space', keyCode: 32, text: ' ' }, 0],
  ['é', { key: 'é', code: '', keyCode: 0, text: 'é' }, 0],
])('chord %s', (chord, key, bits) => {
  const parsed = parseChord(chord);
  expect(parsed.key).toEqual(key);
  expect(parsed.bits).toBe(bits);
});
