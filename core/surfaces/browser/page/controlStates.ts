import type { Entry } from './entry.ts';
import { isPassword, statesOf, valueOf } from './values.ts';

/** Controls looked at before and after: properties change without a mutation. */
const MOST_CONTROLS = 1_500;

export interface ControlState {
  readonly value: string | null;
  /** Length and characters of a password count as a change; the text itself is never told. */
  readonly secret: string | null;
  readonly states: string;
}

export type ControlStates = ReadonlyMap<Entry, ControlState>;

/** Values and states of form controls; of many, those around the target. */
export function controlStates(entries: readonly Entry[], around: Entry | null): ControlStates {
  let controls = entries.filter(isStateful);
  if (controls.length > MOST_CONTROLS) {
    const middle = around ? controls.findIndex((entry) => entry.position >= around.position) : 0;
    const start = Math.max(0, Math.min(middle - MOST_CONTROLS / 2, controls.length - MOST_CONTROLS));
    controls = controls.slice(start, start + MOST_CONTROLS);
  }
  return new Map(controls.map((entry) => [entry, stateOf(entry)]));
}

function isStateful(entry: Entry): boolean {
  return entry.field !== null && !entry.hidden;
}

export function stateOf(entry: Entry): ControlState {
  const element = entry.element;
  return {
    value: valueOf(element, entry.role),
    secret: isPassword(element) ? (element as HTMLInputElement).value : null,
    states: statesOf(element, entry.role, null)
      .filter((state) => state !== 'invalid')
      .join(','),
  };
}
