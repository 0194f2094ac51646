import { defineConfig } from 'vitest/config';

const slow = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Two cores, and many tests run a Chromium: more workers only make each other late.
    maxWorkers: 2,
    passWithNoTests: false,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'core/**/*.test.ts',
            'electron/**/*.test.ts',
            'renderer/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'test/electron/**/*.test.ts',
          ],
          globalSetup: ['test/support/buildPageAgent.ts'],
          testTimeout: 45_000,
          hookTimeout: 45_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/{contract,integration,architecture}/**/*.test.ts'],
          globalSetup: ['test/support/buildAll.ts'],
          ...slow,
        },
      },
    ],
  },
});
