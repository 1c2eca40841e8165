// The table view over a file that no browser could hold: longer than a page can scroll.
import { expect, shot, test } from './workbench';

test('pages through 300,000 rows without loading them', async ({ page, server }) => {
  const rows = 300_000;
  server.write('long.csv', 'number,square\n' + Array.from({ length: rows }, (_, i) => `${i + 1},${(i + 1) ** 2}\n`).join(''));
  let fetched = 0;
  page.on('response', (response) => {
    if (response.url().includes('/rows/')) ++fetched;
  });
  await server.open(page, '/rows?file=long.csv');
  await expect(page.getByText('300,000 rows')).toBeVisible();
  await expect(page.getByRole('cell', { name: '289', exact: true })).toBeVisible(); // 17 squared

  // To a row by its number.
  await page.getByLabel('Go to row').fill('200000');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByRole('cell', { name: String(200_000 ** 2), exact: true })).toBeVisible();
  await shot(page, 'rows');

  // By keys, and to the end.
  const region = page.getByRole('region', { name: 'Rows of long.csv' });
  await region.focus();
  await page.keyboard.press('PageDown');
  await expect(page.getByRole('cell', { name: String(200_020 ** 2), exact: true })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('cell', { name: String(rows ** 2), exact: true })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await expect(page.getByRole('cell', { name: '1', exact: true }).first()).toBeVisible();

  // By wheel, row by row even though the page is scaled.
  await region.hover();
  await page.mouse.wheel(0, 32 * 50);
  await expect(page.getByRole('rowheader', { name: '51', exact: true })).toBeVisible();
  expect(fetched).toBeLessThan(30);
});
