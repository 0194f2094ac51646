import { describe, expect, it } from 'vitest';
import { newNeeds } from './needsYou.ts';

const need = (id: string) => ({ id, href: '', words: id });

describe('newNeeds', () => {
  it('tells each need once, and nothing of what was there at the start', () => {
    const first = newNeeds([need('a')], null);
    expect(first.fresh).toEqual([]);
    const second = newNeeds([need('a'), need('b')], first.told);
    expect(second.fresh.map((each) => each.id)).toEqual(['b']);
    const gone = newNeeds([need('a')], second.told);
    const back = newNeeds([need('a'), need('b')], gone.told);
    expect(back.fresh).toEqual([]);
  });
});
