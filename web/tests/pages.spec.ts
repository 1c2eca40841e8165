// Every page with the sample world: looks, works and is accessible, in light and dark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, expectAccessible, expectNoSideways, test } from './workbench';
import type { Page } from '@playwright/test';

test.describe.configure({ mode: 'serial' });
const file = 'sample-world/patients.csv';

async function check(page: Page, name: string): Promise<void> {
  await expectNoSideways(page);
  await expectAccessible(page, name);
}

test('the sample world, and its columns', async ({ page, server }) => {
  await server.open(page);
  await expect(page.getByRole('heading', { name: 'The sample world' })).toBeVisible();
  await page.getByRole('button', { name: 'Make the sample world' }).click();
  await expect(page.getByRole('heading', { name: 'What is in patients.csv?' })).toBeVisible();
  await expect(page.getByText('5,000 rows, 13 columns.')).toBeVisible();
  // What is to be protected: not every column that might stick out.
  for (const column of ['hospital', 'hospital visits', 'length of stay'])
    await page.getByRole('group', { name: `What is ${column}?`, exact: true }).getByText('Harmless').click();
  // Two sexes are neither postcodes nor diagnoses.
  const coarser = (column: string) => page.locator('li', { has: page.getByRole('heading', { name: column, exact: true }) }).getByLabel('Made coarser by').locator('option');
  await expect(coarser('sex').filter({ hasText: /postcodes|ICD-9/ })).toHaveCount(0);
  await expect(coarser('zip').filter({ hasText: 'postcodes' })).toHaveCount(1);
  await check(page, 'world-columns');
  await page.goto(`${server.origin}/`);
  await expect(page.getByText('register.csv').first()).toBeVisible();
  await expect(page.locator('.files li', { hasText: 'sample-world' }).first().locator('strong')).toHaveText('patients.csv');
  await check(page, 'world-home');

  await page.goto(`${server.origin}/risk?file=${file}`);
  await expect(page.getByText('are unique:')).toBeVisible();
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await expect(page.getByText('are found by name')).toBeVisible();
  await check(page, 'world-risk');

  await page.goto(`${server.origin}/hierarchy?file=${file}&column=date_of_birth&type=date`);
  await expect(page.getByRole('heading', { name: 'The tree' })).toBeVisible();
  await check(page, 'world-hierarchy');
});

test('the map, and a point of it', async ({ page, server }, info) => {
  test.skip(info.project.name === 'phone', 'the flow shows these on a phone');
  await server.open(page, `/columns?file=${file}`);
  for (const column of ['hospital', 'hospital visits', 'length of stay'])
    await page.getByRole('group', { name: `What is ${column}?`, exact: true }).getByText('Harmless').click();
  await page.goto(`${server.origin}/protect?file=${file}`);
  await page.getByRole('checkbox', { name: 'Different secrets in each crowd (l)' }).check();
  // The quick ones: what is looked at here is the page.
  await page.getByRole('checkbox', { name: 'Detail where there is room' }).uncheck();
  for (const k of ['3', '25']) await page.getByRole('checkbox', { name: k, exact: true }).uncheck();
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByRole('status').filter({ hasText: '8 of 8 points' })).toBeVisible({ timeout: 60_000 });
  await check(page, 'world-protect');
  await page.getByRole('link', { name: 'Compare Cut into groups, k 5', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Released' }).first()).toBeVisible();
  await check(page, 'world-compare');
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await check(page, 'world-release');
});

test('a link to a page that nobody came to by the others', async ({ page, server, browser }) => {
  // What is suggested does not depend on the way: the columns first, or Protect at once.
  await server.open(page, `/columns?file=${file}`);
  const stay = page.locator('li', { has: page.getByRole('heading', { name: 'length_of_stay', exact: true }) });
  await stay.locator('.segments').getByText('Others may know it').click();
  const widths = stay.getByRole('textbox');
  await expect(widths).not.toHaveValue('');
  const byColumns = (await widths.inputValue()).replaceAll(' ', '');
  // Written a moment after the click; whoever comes then finds it.
  await expect.poll(() => readFileSync(join(server.data, `${file}.project.yaml`), 'utf8')).toMatch(/^quasi_identifiers: .*length_of_stay/m);
  const fresh = await browser.newContext({ viewport: page.viewportSize(), reducedMotion: 'reduce' });
  const other = await fresh.newPage();
  await server.open(other, `/protect?file=${file}`);
  await expect(other.getByRole('region', { name: 'The same on the command line' })).toContainText(`length_of_stay=interval:${byColumns} `);
  // Many numbers in columns beside each other, on a page of its own.
  await other.goto(`${server.origin}/compare?file=${file}&method=mondrian&k=11`);
  await expect(other.getByRole('region', { name: 'Column length of stay' })).toBeVisible();
  await expectNoSideways(other);
  await fresh.close();
});

test('a link to a release that was made in another browser', async ({ page, server, browser }, info) => {
  const table = `stays-${info.project.name}.csv`;
  // 300 people, ages 0 to 99, costs with cents.
  const rows = Array.from({ length: 300 }, (_, i) => `N${i},${(i * 37) % 100},${(i + Math.floor(i / 100)) % 2 ? 'F' : 'M'},${100 + ((i * 7919) % 99991) / 100},${['flu', 'gout', 'angina'][i % 3]}`);
  server.write(table, `name,age,sex,cost,diagnosis\n${rows.join('\n')}\n`);
  await server.open(page, `/columns?file=${table}`);
  for (const [column, kind] of [['age', 'Others may know it'], ['sex', 'Harmless'], ['cost', 'Others may know it'], ['diagnosis', 'Must stay secret']])
    await page.getByRole('group', { name: `What is ${column}?`, exact: true }).getByText(kind!).click();
  const link = `${server.origin}/compare?file=${table}&method=mondrian&k=4`;
  await page.goto(link);
  const age = page.getByRole('region', { name: 'Column age' });
  await expect(age).toBeVisible();
  // A label holds both its ends, so no number is in two of them.
  await expect(age.locator('.label').first()).toHaveText('0..4');
  await expect(age.locator('.label').nth(1)).toHaveText('5..9');
  await expect(page.getByRole('region', { name: 'Column cost' }).locator('.label').first()).toHaveText('100 to under 150');
  const said = await page.getByRole('region', { name: 'The same on the command line' }).locator('.line').first().textContent();
  await check(page, 'compare-from-link');

  const fresh = await browser.newContext({ viewport: page.viewportSize(), reducedMotion: 'reduce' });
  const other = await fresh.newPage();
  const address = page.url().slice(server.origin.length);
  await server.open(other, address);
  // The same release with its seed: sex is harmless, as was decided there, and nothing was made again.
  await expect(other.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  await expect(other.getByRole('region', { name: 'The same on the command line' }).locator('.line').first()).toHaveText(said!);
  await fresh.close();

  // Without settings it is another release, of what is suggested, and another file: nothing is written over.
  const later = await browser.newContext({ viewport: page.viewportSize(), reducedMotion: 'reduce' });
  const third = await later.newPage();
  await server.open(third, `/compare?file=${table}&method=mondrian&k=4&qi=age&insensitive=sex&id=name,cost&sensitive=diagnosis&hierarchy=age%3Dinterval:10\\,20`);
  await expect(third.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  const command = await third.getByRole('region', { name: 'The same on the command line' }).locator('.line').first().textContent();
  expect(command).toContain('--id name,cost --qi age --sensitive diagnosis --insensitive sex --hierarchy age=interval:10,20');
  const placeOf = (line: string): string => /candidates\/[0-9a-f]+/.exec(line)![0];
  expect(placeOf(command!)).not.toBe(placeOf(said!));
  // A link is no decision about the table: the project is as it was.
  await third.goto(`${server.origin}/columns?file=${table}`);
  await expect(third.getByRole('group', { name: 'What is cost?', exact: true }).getByLabel('Others may know it')).toBeChecked();
  await later.close();
});

test('several rows of one person', async ({ page, server }, info) => {
  const table = `visits-${info.project.name}.csv`;
  // 120 patients with two visits each.
  const rows = Array.from({ length: 240 }, (_, i) => `${1000 + (i >> 1)},${20 + (((i >> 1) * 7) % 60)},${(i >> 1) % 2 ? 'F' : 'M'},${['flu', 'gout', 'angina'][(i >> 1) % 3]}`);
  server.write(table, `patient_nbr,age,sex,diagnosis\n${rows.join('\n')}\n`);
  await server.open(page, `/columns?file=${table}`);
  const count = page.getByRole('radio', { name: /^Rows with the same patient nbr are one person’s/ });
  await expect(count).toBeChecked();
  await check(page, 'columns-person');
  await page.goto(`${server.origin}/compare?file=${table}&method=mondrian&k=4`);
  await expect(page.getByRole('region', { name: 'The same on the command line' }).locator('.line').first()).toContainText('--person patient_nbr');
  await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  // Who says that every row is a different person is believed, and it is said on the command line.
  await page.goto(`${server.origin}/columns?file=${table}`);
  await page.getByRole('radio', { name: /^Every row is a different person/ }).check();
  await page.goto(`${server.origin}/compare?file=${table}&method=mondrian&k=5`);
  await expect(page.getByRole('region', { name: 'The same on the command line' }).locator('.line').first()).toContainText('--rows-are-people');
});

test('codes and trails', async ({ page, server }) => {
  await server.open(page, '/codes?file=sample-world/codes.csv');
  await expect(page.getByRole('heading', { name: 'Risk before' })).toBeVisible();
  await page.getByRole('button', { name: 'Protect', exact: true }).click();
  await expect(page.getByRole('row', { name: /found by 2 known codes/ })).toBeVisible();
  await check(page, 'codes');

  await page.goto(`${server.origin}/trails`);
  await page.getByRole('button', { name: 'Make and attack it' }).click();
  await expect(page.getByRole('img', { name: /^Before: 12 people/ })).toBeVisible();
  await page.getByRole('button', { name: 'Protect it' }).click();
  await expect(page.getByRole('img', { name: /^After: .* 0 are certain/ })).toBeVisible();
  await page.getByRole('button', { name: 'Attack the sample world' }).click();
  await expect(page.getByRole('img', { name: /Share of samples re-identified/ })).toBeVisible();
  await check(page, 'trails');
});

test('jobs, commands and pages that only some servers have', async ({ page, server }) => {
  await server.open(page, '/jobs');
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await check(page, 'jobs-list');
  await page.goto(`${server.origin}/commands`);
  await check(page, 'commands');
  // The form is the command's declaration: its headings, choices and defaults.
  await page.goto(`${server.origin}/commands?noun=tables&verb=protect`);
  await page.getByText('More options').click();
  for (const heading of ['Columns', 'Models', 'Method', 'Output']) await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await expect(page.getByLabel('method').getByRole('option', { name: 'default (optimal)' })).toBeAttached();
  await check(page, 'command-form');
  await page.goto(`${server.origin}/commands?noun=codes&verb=attack`);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await check(page, 'command');
  const commands = (await (await page.request.get(`${server.origin}/api/v1/commands`)).json()) as { noun: string; verb: string }[];
  for (const noun of ['fusion', 'ledger']) {
    const listed = commands.some((one) => one.noun === noun);
    await expect(page.locator(`nav a[href="/${noun}"]`)).toHaveCount(listed ? 1 : 0);
    if (!listed) continue;
    await page.goto(`${server.origin}/${noun}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await check(page, noun);
  }
  await page.goto(`${server.origin}/nowhere`);
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
});

test('the first page is small, quick and served from here', async ({ page, server }, info) => {
  test.skip(info.project.name === 'phone', 'the same bytes');
  await server.open(page);
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/api/'))
      void response.body().then((body) => sizes.push(gzipSync(body).length), () => {});
  });
  await page.goto(server.origin + '/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Choose a file …' })).toBeVisible();
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
});
