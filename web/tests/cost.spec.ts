// What the map will cost is told before it is drawn, and there is something to see at once.
import { expect, expectAccessible, test } from './workbench';

/** Many people, about whom five columns are known. */
function many(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => [20 + ((i * 7919) % 61), 'MF'[i % 2], 10000 + ((i * 104729) % 997), (i * 31) % 13, ((i * 2654435761) >>> 9) % 17].join(','));
  return `age,sex,zip,visits,ward\n${lines.join('\n')}\n`;
}
const settings = 'qi=age,sex,zip,visits,ward&hierarchy=age=interval:5%5C,10%5C,20,sex=flat,zip=prefix,visits=interval:2%5C,4%5C,8,ward=flat';

test('the cost is told before, and a first point is drawn at once', async ({ page, server }) => {
  server.write('many.csv', many(25_000));
  // What was told of the first point, as it came.
  let first = '';
  await page.exposeFunction('told', (text: string) => (first ||= text));
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      new MutationObserver(() => {
        const rows = document.querySelectorAll('#map ~ * tbody tr, section tbody tr');
        if (rows.length === 1 && rows[0]!.textContent) (window as unknown as { told: (text: string) => void }).told(rows[0]!.textContent);
      }).observe(document.body, { childList: true, subtree: true });
    });
  });
  await server.open(page, `/protect?file=many.csv&${settings}&ks=5,25&methods=mondrian,optimal`);
  await expect(page.getByText(/^4 settings: 2 ways × 2 sizes, (about \d+ (second|minute)s?|less than a second); a search ends after 60 seconds/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^A quicker look/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByText('4 of 4 points')).toBeVisible();
  // Of the largest size, and as far as a moment allowed; the same point is there once, and done, at the end.
  expect(first).toContain('at first sight');
  await expect(page.getByText('at first sight')).toHaveCount(0);
  // A word is explained where it stands, by keyboard too.
  const meaning = page.getByText('No other setting is both safer and more useful than this one (Pareto).');
  await page.getByRole('button', { name: 'ring', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(meaning).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(meaning).toBeHidden();
});

test('nobody waits for long without being offered less', async ({ page, server }) => {
  // Sixteen columns are more than are searched to the end: the search takes all the time that it is given.
  const names = Array.from({ length: 16 }, (_, i) => `c${i}`);
  const lines = Array.from({ length: 3000 }, (_, i) => names.map((_, j) => ((i * 2654435761 * (j + 7)) >>> 11) % 2).join(','));
  server.write('long.csv', `${names.join(',')}\n${lines.join('\n')}\n`);
  await server.open(page, `/protect?file=long.csv&qi=${names.join(',')}&hierarchy=${names.map((name) => `${name}=flat`).join(',')}&ks=2,5,11,25&methods=optimal&time-limit=3600`);
  await expect(page.getByText(/4 settings: 1 way × 4 sizes, about 4 hours; a search ends after 60 minutes/)).toBeVisible();
  await expectAccessible(page, 'cost');
  await page.getByRole('button', { name: 'A quicker look: crowds of 5 and 11, 10 seconds for each search' }).click();
  await expect(page.getByText(/2 settings: 1 way × 2 sizes, about 2\d seconds; a search ends after 10 seconds/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^A quicker look/ })).toHaveCount(0);
});
