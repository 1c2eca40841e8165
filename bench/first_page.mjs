// node bench/first_page.mjs URL RUNS: opens the page in a fresh browser context so many times, and prints for each the
// seconds until its heading is there and can be used, and the bytes of bodies that came over the wire until then.
import { createRequire } from 'node:module';
const require = createRequire(new URL('../web/package.json', import.meta.url));
const { chromium } = require('playwright');

const [url, runs] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (let run = 0; run <= Number(runs); ++run) {
  const context = await browser.newContext(); // nothing is cached
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('button, a[href], input').first().isEnabled();
  const seconds = (performance.now() - began) / 1000;
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((entry) => !entry.name.includes('/api/'))
      .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
  );
  if (run > 0) console.log(JSON.stringify({ seconds, bytes })); // the first starts the browser's own processes
  await context.close();
}
await browser.close();
