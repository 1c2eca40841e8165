import { defineConfig } from '@playwright/test';
import { cpus } from 'node:os';

const chromium = { browserName: 'chromium' as const, launchOptions: { executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] } };

export default defineConfig({
  // A machine that tests everything at once may be slow for a moment; what needed a second try is told as flaky.
  retries: process.env['CI'] ? 1 : 0,
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: false,
  // They mostly wait for the program: a third keeps two cores busy.
  workers: Math.max(3, cpus().length),
  timeout: 120_000,
  // A busy machine is slow, not wrong.
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: { ...chromium, actionTimeout: 30_000, screenshot: 'only-on-failure', trace: 'off', permissions: ['clipboard-read', 'clipboard-write'], contextOptions: { reducedMotion: 'reduce' } },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true }, testMatch: ['flow.spec.ts', 'pages.spec.ts'] },
  ],
});
