import { describe, expect, it } from 'vitest';
import { count, countdown, duration, plural, relativeTime, shortAddress } from './format.ts';

describe('relativeTime', () => {
  it('says past and future in one unit', () => {
    const now = 1_000_000_000;
    expect(relativeTime(now - 2_000, now)).toBe('now');
    expect(relativeTime(now - 59_900, now)).toBe('59 s ago');
    expect(relativeTime(now - 3_600_000, now)).toBe('1 h ago');
    expect(relativeTime(now + 300_000, now)).toBe('in 5 min');
    expect(relativeTime(now - 86_400_000, now)).toBe('1 day ago');
  });
});

describe('countdown', () => {
  it('counts to zero and stops there', () => {
    expect(countdown(899_001)).toBe('15:00');
    expect(countdown(61_000)).toBe('1:01');
    expect(countdown(3_723_000)).toBe('1:02:03');
    expect(countdown(-5)).toBe('0:00');
  });
});

describe('other units', () => {
  it('formats durations, counts and addresses', () => {
    expect(duration(7.6)).toBe('8 ms');
    expect(duration(1_240)).toBe('1.2 s');
    expect(duration(200_000)).toBe('3 min 20 s');
    expect(count(100_000)).toBe('100,000');
    expect(plural(1, 'call', 'calls')).toBe('1 call');
    expect(plural(2, 'call', 'calls')).toBe('2 calls');
    expect(shortAddress('https://a.example/pay?x=1')).toBe('a.example/pay?x=1');
    expect(shortAddress('about:blank')).toBe('about:blank');
  });
});
