import { defineConfig } from '@playwright/test';
import { chromiumRootFlags, findChromium } from './scripts/chromium.mjs';

const executablePath = findChromium();
if (executablePath === null)
  throw new Error('No Chromium found: run `node scripts/systemPackages.mjs`, or name one in SIGNALBOX_CHROMIUM.');

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results/e2e',
  globalSetup: './test/support/buildAll.ts',
  // Each test runs a console, its own Chromium and a watched one; two cores carry one of these well.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  retries: 0,
  forbidOnly: true,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: chromiumRootFlags() },
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
