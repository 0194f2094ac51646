import { SignalboxError } from '../../contracts/errors.ts';
import { parseChord } from './keys.ts';
import type { Chord } from './keys.ts';
import type { PagePoint } from './pageProtocol.ts';

/** What `value` of a press asks for. */
export interface PressHow {
  readonly double: boolean;
  readonly right: boolean;
  /** Pixels inside the target. */
  readonly at: PagePoint | null;
  readonly chord: Chord | null;
  /** A ref, or a point of the surface. */
  readonly dragTo: string | PagePoint | null;
}

const GRAMMAR = 'Use double or right, at:x,y, key:Control+A, or drag_to:<ref> or drag_to:x,y, apart by spaces.';

const invalid = (problem: string): SignalboxError => new SignalboxError('INVALID_REQUEST', `${problem} ${GRAMMAR}`);

const pointOf = (text: string): PagePoint | null => {
  const match = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(text);
  return match === null ? null : { x: Number(match[1]), y: Number(match[2]) };
};

/** Parses `value` of a press. Throws INVALID_REQUEST. */
export const parsePress = (value: string | undefined): PressHow => {
  let how: PressHow = { double: false, right: false, at: null, chord: null, dragTo: null };
  for (const word of (value ?? '').split(/\s+/)) {
    if (word === '' || word === 'left' || word === 'click') continue;
    const [, name = word, rest] = /^(at|key|drag_to):(.+)$/.exec(word) ?? [];
    switch (name) {
      case 'double':
        how = { ...how, double: true };
        break;
      case 'right':
        how = { ...how, right: true };
        break;
      case 'at': {
        const at = pointOf(rest ?? '');
        if (at === null) throw invalid(`"${word}" is not a point.`);
        how = { ...how, at };
        break;
      }
      case 'key':
        how = { ...how, chord: parseChord(rest ?? '') };
        break;
      case 'drag_to':
        how = { ...how, dragTo: pointOf(rest ?? '') ?? rest ?? null };
        break;
      default:
        throw invalid(`A press has no "${word}".`);
    }
  }
  const ways = [how.double || how.right, how.chord !== null, how.dragTo !== null].filter(Boolean).length;
  if (ways > 1) throw invalid('A press is one of: clicks, a key, or a drag.');
  if (how.chord !== null && how.at !== null) throw invalid('A key is not pressed at a point.');
  return how;
};
