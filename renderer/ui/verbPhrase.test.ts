import { describe, expect, it } from 'vitest';
import { verbPhrase } from './verbPhrase.ts';

describe('verbPhrase', () => {
  it('names action, role and name of the target', () => {
    expect(
      verbPhrase('operator.act', { action: 'press', target: 'e1' }, { ref: 'e1', role: 'button', name: 'Pay' }),
    ).toEqual({ does: 'press', kind: 'button', object: 'Pay' });
    expect(verbPhrase('operator.act', { action: 'enter_text', target: 'e2' }, { ref: 'e2', role: 'textbox' })).toEqual({
      does: 'enter text into',
      kind: 'textbox',
      object: 'e2',
    });
  });

  it('never guesses: unknown verbs and missing parts stay as given', () => {
    expect(verbPhrase('operator.navigate', { url: 5 }, null)).toEqual({ does: 'go to', kind: null, object: null });
    expect(verbPhrase('acme.launch', {}, null).does).toBe('acme.launch');
  });
});
