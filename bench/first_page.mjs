// node bench/first_page.mjs URL RUNS: opens the page in a fresh browser context so many times, and prints for each the
// seconds from asking for it until its heading is drawn, by the page's own clock, and the bytes of all bodies that came
// over the wire for it.
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
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('h1')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (globalThis.drawn = performance.now())));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => globalThis.drawn);
  const measured = await page.evaluate(() => ({
    seconds: globalThis.drawn / 1000,
    bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
      (sum, entry) => sum + entry.encodedBodySize,
      0,
    ),
  }));
  if (run > 0) console.log(JSON.stringify(measured)); // the first starts the browser's own processes
  await context.close();
}
await browser.close();
