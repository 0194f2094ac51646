import { fold } from './fold.ts';

const stopWords = new Set(
  'the a an of to in on for and with at by from into this that my your its please click press tap hit find go enter type choose pick open'.split(
    ' ',
  ),
);
/** Verbs an agent may put before a name; they are also names, so they only fall away when all else fails. */

const field = ['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'listbox'];
/** What people call roles. */
const roleWords: Readonly<Record<string, readonly string[]>> = {
  button: ['button'],
  btn: ['button'],
  link: ['link'],
  field,
  input: field,
  textbox: ['textbox', 'searchbox', 'combobox'],
  textarea: ['textbox'],
  box: ['textbox', 'searchbox', 'combobox', 'checkbox', 'spinbutton'],
  searchbox: ['searchbox'],
  checkbox: ['checkbox', 'switch', 'menuitemcheckbox'],
  tick: ['checkbox'],
  radio: ['radio', 'menuitemradio'],
  option: ['option', 'radio', 'menuitemradio'],
  switch: ['switch', 'checkbox'],
  toggle: ['switch', 'checkbox', 'button'],
  dropdown: ['combobox', 'listbox', 'button'],
  select: ['combobox', 'listbox'],
  combobox: ['combobox'],
  listbox: ['listbox'],
  slider: ['slider'],
  spinner: ['spinbutton'],
  spinbutton: ['spinbutton'],
  tab: ['tab'],
  menuitem: ['menuitem', 'menuitemcheckbox', 'menuitemradio'],
  treeitem: ['treeitem'],
  cell: ['gridcell', 'cell'],
  control: ['button', 'link', 'checkbox', 'radio', 'switch', ...field],
  image: ['img', 'canvas'],
  canvas: ['canvas'],
  video: ['video'],
  frame: ['iframe'],
};

export interface QueryWord {
  /** To look for in folded text that has a space before every word. */
  readonly needle: string;
  readonly roles: ReadonlySet<string> | null;
  readonly bit: number;
}

export interface Query {
  readonly raw: string;
  /** Whole names that match exactly, each with the roles it asks for. */
  readonly names: readonly { readonly text: string; readonly roles: readonly ReadonlySet<string>[] }[];
  readonly words: readonly QueryWord[];
  readonly all: number;
}

const MOST_WORDS = 30;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

export function parseQuery(raw: string): Query {
  const folded = fold(raw);
  const all = folded === '' ? [] : folded.split(' ');
  const content = all.filter((word) => !stopWords.has(word));
  const used = (content.length > 0 ? content : all).slice(0, MOST_WORDS);
  const words = used.map((text, i) => ({ needle: needleOf(text), roles: rolesOf(text), bit: 1 << i }));
  return { raw: raw.trim(), names: namesOf(all, content), words, all: (1 << words.length) - 1 };
}

/** Scripts without spaces match anywhere; a plural matches its singular. */
function needleOf(word: string): string {
  if (unspaced.test(word)) return word;
  const singular = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return ` ${singular}`;
}

function rolesOf(word: string): ReadonlySet<string> | null {
  const roles = roleWords[word] ?? roleWords[word.replace(/s$/, '')];
  return roles ? new Set(roles) : null;
}

function namesOf(all: readonly string[], content: readonly string[]): Query['names'] {
  const names: { text: string; roles: ReadonlySet<string>[] }[] = [];
  const add = (words: readonly string[]) => {
    const text = words.join(' ');
    if (text !== '' && !names.some((name) => name.text === text)) names.push({ text, roles: [] });
  };
  add(all);
  add(content);
  for (const words of [all, content]) {
    const core = words.filter((word) => rolesOf(word) === null);
    const roles = words.map(rolesOf).filter((set) => set !== null);
    const text = core.join(' ');
    if (text === '' || roles.length === 0 || names.some((name) => name.text === text)) continue;
    names.push({ text, roles });
  }
  return names;
}
