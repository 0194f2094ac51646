import { describe, expect, it } from 'vitest';
import { EventCursor } from './eventCursor.ts';

describe('EventCursor', () => {
  it('applies events in order, each once', () => {
    const cursor = new EventCursor();
    expect(cursor.connected(10)).toBe('fresh');
    expect([11, 12, 12, 11, 13].map((seq) => cursor.take(seq))).toEqual([
      'apply',
      'apply',
      'duplicate',
      'duplicate',
      'apply',
    ]);
    expect(cursor.position).toBe(13);
  });

  it('reports a hole once and goes on after it', () => {
    const cursor = new EventCursor();
    cursor.connected(4);
    expect(cursor.take(7)).toBe('gap');
    expect(cursor.take(8)).toBe('apply');
  });

  it('resumes when the server is ahead, and takes what was missed', () => {
    const cursor = new EventCursor();
    cursor.connected(4);
    expect(cursor.connected(6)).toBe('resumed');
    expect(cursor.position).toBe(4);
    expect([5, 6, 7].map((seq) => cursor.take(seq))).toEqual(['apply', 'apply', 'apply']);
  });

  it('starts afresh when the server knows fewer events than were seen', () => {
    const cursor = new EventCursor();
    cursor.connected(100);
    expect(cursor.connected(3)).toBe('fresh');
    expect(cursor.take(4)).toBe('apply');
  });
});
