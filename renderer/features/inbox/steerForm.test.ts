import { describe, expect, it } from 'vitest';
import { formFields, inputSchema, parseJsonObject, setField } from './steerForm.ts';

describe('formFields', () => {
  it('is made from the schema of the verb', () => {
    const schema = inputSchema('operator.act') ?? {};
    const fields = formFields(schema, { surface_id: 's', target: 'e1', action: 'press' });
    expect(fields.map((field) => [field.name, field.control, field.required])).toEqual([
      ['target', 'text', true],
      ['action', 'choice', true],
      ['value', 'text', false],
    ]);
    expect(fields.find((field) => field.name === 'action')?.options).toEqual([
      'press',
      'enter_text',
      'scroll',
      'hover',
    ]);
  });

  it('keeps what the agent gave beyond the schema', () => {
    const fields = formFields(inputSchema('operator.navigate') ?? {}, { url: 'x', weird: { a: 1 } });
    expect(fields.at(-1)).toMatchObject({ name: 'weird', control: 'json' });
  });

  it('does not know every verb', () => {
    expect(inputSchema('acme.launch')).toBeNull();
    expect(inputSchema('signalbox.open_surface')).not.toBeNull();
  });
});

describe('setField', () => {
  it('leaves out again what was never given, and keeps an emptied argument as empty', () => {
    const proposed = { target: 'e1', value: 'x' };
    expect(setField(proposed, proposed, 'value', '')).toEqual({ target: 'e1', value: '' });
    expect(setField({ ...proposed, note: 'n' }, proposed, 'note', '')).toEqual(proposed);
    expect(setField(proposed, proposed, 'value', 'y')).toEqual({ target: 'e1', value: 'y' });
  });
});

describe('parseJsonObject', () => {
  it('takes objects only', () => {
    expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
    expect(parseJsonObject('[1]')).toBeNull();
    expect(parseJsonObject('{')).toBeNull();
  });
});
