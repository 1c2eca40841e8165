// make screenshots: the pictures of README.md and docs/, taken from the running workbench.
import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

export default defineConfig({
  ...tests,
  testDir: 'pictures',
  workers: 1,
  timeout: 600_000,
  projects: [{ name: 'pictures', use: { viewport: { width: 1280, height: 760 }, colorScheme: 'light', locale: 'en-GB', timezoneId: 'UTC' } }],
});
