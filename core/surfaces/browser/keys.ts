import { SignalboxError } from '../../contracts/errors.ts';

/** One key as `Input.dispatchKeyEvent` wants it: US layout. */
export interface Key {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  /** What it types, when it types. */
  readonly text?: string;
  readonly location?: number;
}

export interface Chord {
  readonly modifiers: readonly Key[];
  readonly key: Key;
  /** Bits of `Input.dispatchKeyEvent`. */
  readonly bits: number;
}

export const modifierBits = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;
type Modifier = keyof typeof modifierBits;

const modifierKeys: Record<Modifier, Key> = {
  Alt: { key: 'Alt', code: 'AltLeft', keyCode: 18, location: 1 },
  Control: { key: 'Control', code: 'ControlLeft', keyCode: 17, location: 1 },
  Meta: { key: 'Meta', code: 'MetaLeft', keyCode: 91, location: 1 },
  Shift: { key: 'Shift', code: 'ShiftLeft', keyCode: 16, location: 1 },
};

const named: readonly Key[] = [
  ...Object.values(modifierKeys),
  { key: 'Backspace', code: 'Backspace', keyCode: 8 },
  { key: 'Tab', code: 'Tab', keyCode: 9 },
  { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' },
  { key: 'Pause', code: 'Pause', keyCode: 19 },
  { key: 'CapsLock', code: 'CapsLock', keyCode: 20 },
  { key: 'Escape', code: 'Escape', keyCode: 27 },
  { key: 'PageUp', code: 'PageUp', keyCode: 33 },
  { key: 'PageDown', code: 'PageDown', keyCode: 34 },
  { key: 'End', code: 'End', keyCode: 35 },
  { key: 'Home', code: 'Home', keyCode: 36 },
  { key: 'ArrowLeft', code: 'ArrowLeft', keyCode: 37 },
  { key: 'ArrowUp', code: 'ArrowUp', keyCode: 38 },
  { key: 'ArrowRight', code: 'ArrowRight', keyCode: 39 },
  { key: 'ArrowDown', code: 'ArrowDown', keyCode: 40 },
  { key: 'Insert', code: 'Insert', keyCode: 45 },
  { key: 'Delete', code: 'Delete', keyCode: 46 },
  { key: 'ContextMenu', code: 'ContextMenu', keyCode: 93 },
  ...Array.from({ length: 12 }, (_, i): Key => ({ key: `F${i + 1}`, code: `F${i + 1}`, keyCode: 112 + i })),
];

/** Character, character with Shift, code, key code. */
const printable: readonly (readonly [string, string, string, number])[] = [
  [' ', ' ', 'Space', 32],
  ['`', '~', 'Backquote', 192],
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
  ...'0123456789'.split('').map((digit, i) => [digit, ')!@#$%^&*('.charAt(i), `Digit${digit}`, 48 + i] as const),
  ...'abcdefghijklmnopqrstuvwxyz'
    .split('')
    .map((letter, i) => [letter, letter.toUpperCase(), `Key${letter.toUpperCase()}`, 65 + i] as const),
];

const aliases: Record<string, string> = {
  space: ' ',
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  controlormeta: 'Control',
};

const byName = new Map<string, Key>(named.map((key) => [key.key.toLowerCase(), key]));
const byCharacter = new Map<string, Key>(
  printable.flatMap(([plain, shifted, code, keyCode]) => [
    [shifted, { key: shifted, code, keyCode, text: shifted }] as const,
    [plain, { key: plain, code, keyCode, text: plain }] as const,
  ]),
);
const byCode = new Map<string, Key>(
  printable.map(([plain, , code, keyCode]) => [code.toLowerCase(), { key: plain, code, keyCode, text: plain }]),
);

/** A key by its DOM name (`Enter`), its character (`a`, `?`) or its code (`KeyA`); null when unknown. */
export const findKey = (given: string): Key | null => {
  const name = aliases[given.toLowerCase()] ?? given;
  const known = byCharacter.get(name) ?? byName.get(name.toLowerCase()) ?? byCode.get(name.toLowerCase());
  if (known !== undefined) return known;
  return [...name].length === 1 ? { key: name, code: '', keyCode: 0, text: name } : null;
};

const isModifier = (key: string): key is Modifier => key in modifierBits;

/** `Control+Shift+A`, `Enter`, `Control++`. */
export const parseChord = (chord: string): Chord => {
  const parts = chord.endsWith('++')
    ? [...chord.slice(0, -2).split('+'), '+']
    : chord === '+'
      ? ['+']
      : chord.split('+');
  const keys = parts.map((part) => {
    const key = findKey(part);
    if (key === null) {
      throw new SignalboxError(
        'INVALID_REQUEST',
        `There is no key "${part}". Use DOM key names with +, such as key:Enter, key:Control+A or key:Shift+Tab.`,
      );
    }
    return key;
  });
  const last = keys[keys.length - 1];
  const held = keys.slice(0, -1);
  if (last === undefined || held.some(({ key }) => !isModifier(key))) {
    throw new SignalboxError('INVALID_REQUEST', `"${chord}" is not a key: modifiers come first, one key last.`);
  }
  const bits = held.reduce((sum, { key }) => sum | (isModifier(key) ? modifierBits[key] : 0), 0);
  return { modifiers: held, key: withShift(last, bits), bits };
};

const COMMANDS = modifierBits.Control | modifierBits.Alt | modifierBits.Meta;

/** `Shift+a` types A; with Control, Alt or Meta nothing is typed, and `Control+A` is the key a. */
const withShift = (key: Key, bits: number): Key => {
  const pair = key.text === undefined ? undefined : printable.find(([, , code]) => code === key.code);
  const command = (bits & COMMANDS) !== 0;
  if (pair === undefined) return command ? withoutText(key) : key;
  const [plain, shifted, code, keyCode] = pair;
  if ((bits & modifierBits.Shift) !== 0) return typing(shifted, code, keyCode, command);
  return command ? typing(plain, code, keyCode, true) : key;
};

const typing = (key: string, code: string, keyCode: number, command: boolean): Key =>
  command ? { key, code, keyCode } : { key, code, keyCode, text: key };

const withoutText = ({ text: _text, ...key }: Key): Key => key;
