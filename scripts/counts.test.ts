import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, honest, lastLine, sum } from './test.mjs';

const vitest = (over: object) =>
  JSON.stringify({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [],
    ...over,
  });

describe('counts of the runners', () => {
  it('reads vitest’s report, todo and pending as skipped', () => {
    expect(countVitest(vitest({}))).toEqual({ passed: 3, failed: 0, skipped: 2 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ];
    expect(countVitest(vitest({ numFailedTests: 1, testResults }))).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('reads Playwright’s report, flaky tests and faults outside tests as failures', () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 4 }, errors: [{ message: 'no server' }] };
    expect(countPlaywright(JSON.stringify(report))).toEqual({ passed: 5, failed: 4, skipped: 4 });
  });

  it.each([
    ['ran nothing', { passed: 0, failed: 0, skipped: 0 }, 0, 1],
    ['skipped everything', { passed: 0, failed: 0, skipped: 9 }, 0, 1],
    ['failed without naming a test', { passed: 9, failed: 0, skipped: 0 }, 1, 1],
    ['failed by its tests', { passed: 9, failed: 2, skipped: 0 }, 1, 2],
    ['passed', { passed: 9, failed: 0, skipped: 0 }, 0, 0],
  ])('a runner that %s has the right number of failures', (_what, counts, code, failed) => {
    expect(honest(counts, code).failed).toBe(failed);
  });

  it('adds up to the last line', () => {
    const total = sum([
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 20, skipped: 30 },
    ]);
    expect(lastLine(total)).toBe('11 passed, 22 failed, 33 skipped');
  });
});
