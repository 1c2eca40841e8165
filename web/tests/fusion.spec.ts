// What joining reveals: releases together, a list and the web, and what resists.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { percent } from '../src/lib/format';
import { protect, table } from './people';
import { commands, expect, expectAccessible, expectNoSideways, shell, shot, test, type Server } from './workbench';

test('two releases attacked together, as the command line does', async ({ page, server }) => {
  server.write('fused.csv', table());
  protect(server, 'fused.csv', 'mondrian', 'fused-one.csv');
  await server.open(page, '/fusion?source=fused.csv');
  await expect(page.getByText('There is only one release of fused.csv.')).toBeVisible();
  // Another folder, the same name.
  mkdirSync(join(server.data, 'second'));
  protect(server, 'fused.csv', 'optimal', 'second/fused-one.csv');
  await page.reload();
  await page.getByRole('button', { name: 'Attack them together' }).click();
  await expect(page.getByRole('heading', { name: 'What the adversary knew and learnt' })).toBeVisible();

  const [command] = await commands(page);
  expect(command).toContain('--release fused-one.csv --release second/fused-one.csv --targets fused.csv');
  const found = JSON.parse(shell(`${command} --json`, server.data)) as {
    perfect_breach: number;
    vulnerable: number;
    breach_at: Record<string, number>;
    effective_anonymity: { prior: number[]; posterior: number };
  };
  expect(found.vulnerable).toBeGreaterThan(0); // Else there is nothing to see.
  await expect(page.locator('figcaption strong').first()).toHaveText(percent(found.perfect_breach));
  await expect(page.locator('figcaption').first()).toContainText(`one possible diagnosis: ${Math.round(found.perfect_breach * 240)}.`);
  await expect(page.locator('figcaption strong').nth(1)).toHaveText(percent(found.vulnerable));
  const joined = page.getByRole('list', { name: 'Possible values per person, by what is joined' });
  await expect(joined.locator('.name')).toHaveText(['fused-one.csv alone', 'second/fused-one.csv alone', 'all of them together']);
  const left = joined.locator('.figure');
  await expect(left).toHaveText([...found.effective_anonymity.prior, found.effective_anonymity.posterior].map((one) => one.toFixed(1)));
  const shares = page.getByRole('list', { name: 'Share of people by how many values are left' }).locator('.figure');
  await expect(shares).toHaveText(['1', '0.5', '0.333', '0.25'].map((confidence) => percent(found.breach_at[confidence]!)));
  await expectNoSideways(page);
  await expectAccessible(page, 'fusion-compose');

  // Knowing less finds less; the address of the attack leads back to it.
  await page.getByRole('group', { name: 'What the adversary knows about a person' }).getByText('zip').click();
  await expect(page.getByRole('heading', { name: 'What the adversary knew and learnt' })).toBeHidden();
  await page.getByRole('group', { name: 'What the adversary knows about a person' }).getByText('zip').click();
  await expect(page.getByRole('heading', { name: 'What the adversary knew and learnt' })).toBeVisible();
});

test('a number is estimated with facts from the web', async ({ page, server }) => {
  // Who owns more earns more; the list says nothing else.
  const names = Array.from({ length: 60 }, (_, i) => `Person ${String.fromCharCode(65 + (i % 26))}${i}`);
  server.write('customers.csv', `name,visits,income\n${names.map((name, i) => `${name},${i % 3},${20_000 + 1000 * i}`).join('\n')}\n`);
  server.write('facts.csv', `name,property_value\n${names.map((name, i) => `${name},${50_000 + 5000 * i}`).join('\n')}\n`);
  await server.open(page, '/fusion?verb=web');
  await page.getByLabel('The list with names').selectOption('customers.csv');
  await page.getByLabel('Facts about people').selectOption('facts.csv');
  await expect(page.getByLabel('Joined by')).toHaveValue('name');
  await page.getByLabel('The private number').selectOption('income');
  await page.getByRole('button', { name: 'Draft rules and estimate' }).click();
  await expect(page.getByText('60 of 60 people (100 %) are found on the web by name.')).toBeVisible();
  const shown = await commands(page);
  const found = JSON.parse(shell(`${shown[1]} --json`, server.data)) as { within_10_percent: number; dissimilarity_before: number; dissimilarity_after: number };
  const figure = (text: string | null): number => Number(text?.replace(/[^0-9.]/g, ''));
  const cells = page.getByRole('row', { name: /typical error of the estimated income/ }).getByRole('cell');
  expect(figure(await cells.last().textContent())).toBe(Number(Math.sqrt(found.dissimilarity_after).toPrecision(3)));
  // With the value of the house the income is nearly known: it is a fifth of it, and 10,000.
  expect(found.dissimilarity_after).toBeLessThan(0.25 * found.dissimilarity_before);
  await expect(page.getByRole('row', { name: /people estimated to within 10/ }).getByRole('cell').last()).toHaveText(percent(found.within_10_percent));
  await expectNoSideways(page);
  await expectAccessible(page, 'fusion-web');
});

/** 60 customers whose income is a fifth of what their house is worth, and 10,000; the list says how often they came. */
function customers(server: Server, name: string, called = 'name'): void {
  const names = Array.from({ length: 60 }, (_, i) => `Person ${String.fromCharCode(65 + (i % 26))}${i}`);
  server.write(`${name}.csv`, `number,name,visits,orders,income\n${names.map((one, i) => `C${1000 + i},${one},${i % 7},${(i * 3) % 11},${20_000 + 1000 * i}`).join('\n')}\n`);
  server.write(`${name}-facts.csv`, `${called},property_value\n${names.map((one, i) => `${one},${50_000 + 5000 * i}`).join('\n')}\n`);
}
async function choose(page: Page, server: Server, verb: string, name: string): Promise<void> {
  await server.open(page, `/fusion?verb=${verb}`);
  await page.getByLabel('The list with names').selectOption(`${name}.csv`);
  await page.getByLabel('Facts about people').selectOption(`${name}-facts.csv`);
  await expect(page.getByLabel('The private number')).toHaveValue('income');
}

test('rules are drafted, shown, edited and not written over', async ({ page, server }) => {
  customers(server, 'ruled', 'person');
  await choose(page, server, 'rules', 'ruled');
  // The two files call the column differently; it is asked for.
  await expect(page.getByLabel('Joined by')).toHaveValue('name');
  await expect(page.getByLabel('Called in the facts')).toHaveValue('person');
  // Values of houses are all different, as names are, and yet they tell most.
  await expect(page.getByRole('group', { name: 'Estimated from' })).toContainText('property value');
  await page.getByRole('button', { name: 'Draft the rules' }).click();
  await expect(page.getByRole('heading', { name: 'What ruled-income.fcl says' })).toBeVisible();
  const path = join(server.data, 'ruled-income.fcl');
  const text = readFileSync(path, 'utf8');
  const rules = text.match(/^\s*RULE /gm)!.length;
  await expect(page.getByText(`${rules} rules from 60 people, of whom 60 were found in the facts.`)).toBeVisible();
  await page.getByText(`The ${rules} rules`).click();
  await expect(page.getByRole('region', { name: 'The rules' }).getByRole('row')).toHaveCount(rules + 1);
  await expect(page.getByRole('img', { name: /What the words for income mean/ })).toBeVisible();
  await expectNoSideways(page);
  await expectAccessible(page, 'fusion-rules');

  // Somebody edits the file: a rule fewer. The estimate is made with what is there.
  writeFileSync(path, text.replace(/^\s*RULE 1 .*\n/m, ''));
  await page.reload();
  await expect(page.getByText(`The ${rules - 1} rules`)).toBeVisible();
  await page.getByRole('link', { name: 'Estimate with them' }).click();
  await page.getByRole('button', { name: 'Estimate', exact: true }).click();
  await expect(page.getByText('60 of 60 people (100 %) are found on the web by name.')).toBeVisible();
  expect(readFileSync(path, 'utf8').match(/^\s*RULE /gm)).toHaveLength(rules - 1);
  expect((await commands(page)).at(-1)).toContain('--auxiliary-key person');
});

test('a list that resists the web is made, or it is said why not', async ({ page, server }) => {
  customers(server, 'kept-away');
  await choose(page, server, 'fred', 'kept-away');
  await expect(page.getByRole('group', { name: 'Made coarser' }).getByRole('checkbox', { checked: true })).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Left out' }).getByLabel('number')).toBeChecked();
  const least = page.getByLabel('Safe enough: the estimate must be off by at least');
  await least.fill('a lot');
  await expect(page.getByText('Write a number, 0 or more, in the units of income, such as 20000.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make the list' })).toBeDisabled();
  await least.fill('');
  await page.getByRole('slider', { name: /largest crowd/ }).fill('10');
  await page.getByRole('button', { name: 'Make the list' }).click();
  await expect(page.getByText('protect best of')).toBeVisible();

  const shown = await commands(page);
  expect(shown[0]).toContain('pratique fusion rules');
  const fred = JSON.parse(shell(`${shown[1]!.replace('kept-away-fred-crowd10.csv', 'again.csv')} --json`, server.data)) as {
    k_opt: number;
    levels: { k: number; classes: number; utility: number; dissimilarity: number }[];
    released: { dissimilarity_after: number; within_10_percent: number };
  };
  await expect(page.getByText(`Crowds of ${fred.k_opt} or more protect best of ${fred.levels.length} steps.`)).toBeVisible();
  await expect(page.getByRole('row', { name: /people estimated to within 10/ }).getByRole('cell').last()).toHaveText(percent(fred.released.within_10_percent));
  // The crowd a person stands in, from the released file: each of the 60 counts the rows like hers.
  const rows = readFileSync(join(server.data, 'kept-away-fred-crowd10.csv'), 'utf8').trim().split('\n');
  expect(rows[0]).toBe('name,visits,orders');
  const cells = rows.slice(1).map((row) => row.split(',').slice(1).join());
  const crowd = cells.reduce((sum, one) => sum + cells.filter((other) => other === one).length, 0) / 60;
  expect(crowd).toBeLessThanOrEqual(10);
  await page.getByText('The steps', { exact: true }).click();
  const step = page.getByRole('region', { name: 'The steps' }).getByRole('row').filter({ hasText: 'chosen' }).getByRole('cell');
  await expect(step.nth(0)).toHaveText(String(fred.k_opt));
  await expect(step.nth(2)).toHaveText(crowd.toFixed(1));
  await expectNoSideways(page);
  await expectAccessible(page, 'fusion-fred');

  // More than the spread of all incomes cannot be had.
  await least.fill('1000000');
  await page.getByRole('button', { name: 'Make the list' }).click();
  await expect(page.getByText('No step meets both limits; nothing was written.')).toBeVisible();
  await shot(page, 'fusion-fred-none');
  await least.fill('');
  await page.getByRole('link', { name: 'Verify and release kept-away-fred-crowd10.csv' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
});
