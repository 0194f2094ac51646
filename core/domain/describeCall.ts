import type { TargetReading } from '../contracts/console.ts';
import type { Effect, Receipt } from '../contracts/operatorClass.ts';
import type { Arguments } from './bindCall.ts';

const SUMMARY_LENGTH = 200;

const quoted = (text: string, length = 80): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > length ? `${line.slice(0, length - 1)}…` : line}"`;
};

const text = (args: Arguments, key: string): string => {
  const value = args[key];
  return typeof value === 'string' ? value : '';
};

/** `button "Submit" in Invoice 1042`, or the bare ref when nothing was read. */
const targetWords = (args: Arguments, reading: TargetReading | null): string => {
  if (reading === null) {
    const ref = text(args, 'target');
    return ref === 'page' ? 'the page' : ref;
  }
  const name = reading.name === undefined || reading.name === '' ? reading.ref : quoted(reading.name);
  return `${reading.role} ${name}${reading.row === undefined ? '' : ` in ${quoted(reading.row)}`}`;
};

const actWords = (args: Arguments, reading: TargetReading | null): string => {
  const target = targetWords(args, reading);
  const value = text(args, 'value');
  switch (args['action']) {
    case 'press':
      return value === '' ? `press ${target}` : `press ${target} (${value})`;
    case 'enter_text':
      return value === '' ? `clear ${target}` : `enter ${quoted(value)} into ${target}`;
    case 'scroll':
      return `scroll ${target} ${value}`.trim();
    case 'hover':
      return `point at ${target}`;
    default:
      return `act on ${target}`;
  }
};

/** What a call asks for, in a few words: `press button "Submit"`. */
export const callWords = (verb: string, args: Arguments, reading: TargetReading | null): string => {
  switch (verb) {
    case 'operator.act':
      return actWords(args, reading);
    case 'operator.navigate':
      return `go to ${text(args, 'url')}`;
    case 'operator.focus_app':
      return `bring ${quoted(text(args, 'application'))} to the front`;
    case 'operator.list_surfaces':
      return 'list surfaces';
    case 'operator.perceive':
      return text(args, 'query') === '' ? 'look' : `look for ${quoted(text(args, 'query'))}`;
    case 'operator.settle':
      return 'wait until settled';
    case 'operator.capture':
      return 'take a picture';
    case 'signalbox.open_surface':
      return `open a ${text(args, 'kind')} surface${text(args, 'url') === '' ? '' : ` at ${text(args, 'url')}`}`;
    case 'signalbox.close_surface':
      return `close surface ${text(args, 'surface_id')}`;
    case 'signalbox.await_work':
      return `wait for ${text(args, 'work_id')}`;
    case 'signalbox.get_receipt':
      return `read receipt ${text(args, 'receipt_id')}`;
    default:
      return verb;
  }
};

/** One plain sentence for the approval card: what would happen, and where. */
export const wouldSentence = (
  verb: string,
  args: Arguments,
  reading: TargetReading | null,
  place: { readonly label: string; readonly address: string | null } | null,
): string => {
  const words = callWords(verb, args, reading);
  const where = place === null ? '' : ` on ${place.label}${place.address === null ? '' : ` (${place.address})`}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${where}.`;
};

const effectWords = (effects: readonly Effect[]): string =>
  effects
    .filter((effect) => effect.kind !== 'background')
    .slice(0, 3)
    .map((effect) => effect.detail)
    .join('; ');

/** `press button "Submit" → changed: total: none → Sent 1`. */
export const receiptSummary = (words: string, receipt: Receipt): string => {
  if (receipt.blocked_by !== undefined) return clip(`${words} → blocked by ${receipt.blocked_by}`);
  const effects = effectWords(receipt.effects ?? []);
  const outcome = receipt.changed ? 'changed' : 'nothing changed';
  return clip(effects === '' ? `${words} → ${outcome}` : `${words} → ${outcome}: ${effects}`);
};

export const clip = (line: string): string =>
  line.length > SUMMARY_LENGTH ? `${line.slice(0, SUMMARY_LENGTH - 1)}…` : line;
