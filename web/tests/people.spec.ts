// A hospital's file as it comes: several rows per person, semicolons, decimal commas, postcodes that look like numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, expectNoSideways, shot, test } from './workbench';

/** 120 patients of one to three stays each (240 rows), seen by four doctors. */
function stays(): string {
  const rows = Array.from({ length: 120 }, (_, p) =>
    Array.from({ length: 1 + (p % 3) }, (_, stay) =>
      [`${70000 + p}`, `Dr. ${['Meier', 'Huber', 'Weber', 'Koch'][(p + stay) % 4]}`, `${10115 + 100 * (p % 6)}`, `${30 + (p % 5) * 10}`, p % 2 ? 'w' : 'm', `${60 + ((p * 7) % 50)},${stay}`, `${4 + ((p * 3) % 8)},${p % 10}`, ['E11', 'I10', 'J45'][(p * p) % 3]].join(';'),
    ),
  ).flat();
  return `patient_nr;attending;PLZ;alter;geschlecht;gewicht;hba1c;diagnose\n${rows.join('\n')}\n`;
}

test('people are counted, not rows, and what is red stays so from the map to the release', async ({ page, server }) => {
  server.write('stays.csv', stays());
  await server.open(page, '/columns?file=stays.csv');
  await expect(page.getByText('240 rows, 8 columns.')).toBeVisible();
  // Doctors repeat as well: nobody is asked whether rows are theirs.
  await expect(page.getByLabel(/^Rows with the same patient nr are one person’s/)).toBeChecked();
  await expect(page.getByLabel(/^Rows with the same attending/)).toHaveCount(0);
  // A postcode is one, though it is written as a number.
  await expect(page.locator('.columns-list > li', { hasText: 'PLZ' }).getByLabel('Made coarser by')).toHaveValue('prefix');

  const settings = 'person=patient_nr&id=patient_nr,attending&qi=PLZ,alter,geschlecht,hba1c&sensitive=diagnose&insensitive=gewicht&allow=gewicht&hierarchy=PLZ%3Dprefix,alter%3Dinterval:10%5C,20,geschlecht%3Dflat,hba1c%3Dinterval:2%5C,4&ks=2,5&methods=mondrian&suppression=0.1';
  await page.goto(`${server.origin}/protect?file=stays.csv&${settings}`);
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByText('2 of 2 points')).toBeVisible();
  const red = page.locator('.reds');
  await expect(red).toContainText(/\d+ of 120 people are alone by gewicht/);
  // A warning of the whole map has no figure of its own beside those of the points.
  await expect(page.getByText('no model holds it: 120 of the records stand alone by what no model holds. Add at least 2 different values of diagnose')).toBeVisible();
  await expectAccessible(page, 'map-people');
  await page.getByRole('link', { name: 'Compare Cut into groups, k 2' }).click();
  await expect(red).toContainText(/\d+ of 120 people are alone by gewicht/);
  await expect(page.getByText('120 people of 120, with 240 records of 240')).toBeVisible();
  // Every second guess may be right: that is as asked for, and nothing to be at ease about.
  const guess = page.getByRole('row', { name: /highest chance of a correct guess/ }).getByRole('cell').last().locator('strong');
  await expect(guess).toBeVisible();
  await expect(guess).not.toHaveClass(/good/);
  // Numbers with commas are numbers on both sides.
  const lab = page.getByRole('region', { name: 'Column hba1c' });
  await expect(lab).not.toContainText('4,1');
  await expect(lab).not.toContainText('hierarchy labels are not drawn');
  const shares = await lab.locator('table tbody tr').evaluateAll((rows) => rows.map((row) => Number.parseFloat(row.lastElementChild?.textContent ?? '')));
  expect(shares.reduce((sum, share) => sum + (Number.isNaN(share) ? 0 : share), 0)).toBeGreaterThan(90);
  // Both sides of the three adversaries are about people.
  await expect(page.getByRole('heading', { name: 'Three adversaries' })).toBeVisible();
  await shot(page, 'compare-people');
  await expectNoSideways(page);
  // The manifest of a table with several rows per person does not tell whose secret is certain; the steward is told all the same.
  const certain = /The secret of \d+ of 120 people is (nearly )?certain/;
  await expect(red).toContainText(certain);
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await expect(red).toContainText(/\d+ of 120 people are alone by gewicht/);
  await expect(red).toContainText(certain);
});

test('a warning speaks of the page, and a map without names that collide', async ({ page, server }) => {
  const rows = Array.from({ length: 120 }, (_, i) => `N${i},${20 + Math.floor(i / 4)},${i % 2 ? 'F' : 'M'},${10000 + (i % 9)},${['flu', 'gout', 'angina'][Math.floor(i / 40)]}`);
  server.write('warned.csv', `name,age,sex,zip,diagnosis\n${rows.join('\n')}\n`);
  const settings = 'id=name&qi=age,sex,zip&sensitive=diagnosis&hierarchy=age%3Dinterval:5%5C,10,sex%3Dflat,zip%3Dprefix&suppression=0.05';
  await server.open(page, `/protect?file=warned.csv&${settings}&ks=2,3,4,5,6&methods=mondrian,optimal,local`);
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByText('15 of 15 points')).toBeVisible();
  await expect(page.locator('.reds')).toContainText('the secret of some is certain, or nearly so');
  await expect(page.getByText('Red marks with a cross give somebody’s secret away.')).toBeVisible();
  await shot(page, 'map-red');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot(page, 'map-red');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${server.origin}/compare?file=warned.csv&method=mondrian&k=2&${settings}`);
  await expect(page.getByText('Add at least 2 different values of diagnosis in each crowd, or leave it out (mark it as an identifier)')).toBeVisible();
  await expect(page.locator('main').locator('.note')).not.toContainText(['--l', '@diagnosis']);
});

test('a file without names of columns gets them, and a code stays a text', async ({ page, server }) => {
  server.write('bare.csv', '1067;Ann;3\n8001;Bob;4\n3011;Cid;5\n');
  await server.open(page, '/import?file=bare.csv');
  await page.getByLabel('The first line has the names of the columns').uncheck();
  await page.getByLabel('Name of column 1').fill('ort');
  await page.getByLabel('Name of column 2').fill('ort');
  await expect(page.getByText('Two columns are called ort. Give one of them another name.')).toBeVisible();
  await page.getByLabel('Name of column 2').fill('name');
  await page.getByLabel('What ort is').selectOption('text');
  // What is left out is still there to be taken back.
  await page.getByLabel('What column_3 is').selectOption('drop');
  await expect(page.getByRole('heading', { name: '2 columns, as they will be' })).toBeVisible();
  await page.getByLabel('What column_3 is').selectOption('');
  await shot(page, 'import-bare');
  await page.getByRole('button', { name: 'Write bare-read.csv and go on with it' }).click();
  await expect(page.getByRole('heading', { name: 'What is in bare-read.csv?' })).toBeVisible();
  expect(readFileSync(join(server.data, 'bare-read.csv'), 'utf8')).toBe('ort,name,column_3\n1067,Ann,3\n8001,Bob,4\n3011,Cid,5\n');
  const place = page.locator('.columns-list > li', { hasText: 'ort' }).first();
  await place.getByText('Others may know it').click();
  await expect(place.getByLabel('Made coarser by')).toHaveValue('prefix');
});
