// Honest figures all the way: what was not tried is not 0, and what is red stays red.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './people';
import { expect, expectAccessible, expectNoSideways, test } from './workbench';

test('an attack that has nothing to compare was not tried, and no such list is preselected', async ({ page, server }) => {
  // Lists of other tests may be of people who are ours.
  for (const name of readdirSync(server.data).filter((one) => one.includes('register'))) rmSync(join(server.data, name), { recursive: true });
  server.write('ours.csv', table());
  // Other ages, other postcodes, sexes written otherwise: nobody here can be in our table.
  server.write('foreign-register.csv', 'person,age,sex,zip\nAnn Ash,91,w,99001\nBob Birch,92,m,99002\n');
  await server.open(page, '/risk?file=ours.csv');
  await expect(page.getByText('are unique:')).toBeVisible();
  const list = page.getByLabel("The adversary's list");
  await expect(list).toHaveValue('');
  await list.selectOption('foreign-register.csv');
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await expect(page.getByText('Not tried: no row of ours.csv has values in common with foreign-register.csv.')).toBeVisible();
  await expect(page.getByText('are found by name')).toHaveCount(0);
  await expect(page.locator('main')).not.toContainText('--hierarchy age');
  await expectAccessible(page, 'risk-not-tried');
  // One that may be of the same people is offered.
  server.write('unlike.csv', table());
  server.write('voters.csv', table().replaceAll(/,[a-z]+$/gm, ''));
  await page.goto(`${server.origin}/risk?file=unlike.csv`);
  await expect(list).toHaveValue('voters.csv');
});

test('crowds with one secret: l is proposed, and what no model holds stays red to the end', async ({ page, server }) => {
  // Sixty people; everybody of one age has the same diagnosis, and the harmless code singles out ten of them.
  const rows = Array.from({ length: 60 }, (_, i) => `N${i},${20 + Math.floor(i / 10)},${i % 2 ? 'F' : 'M'},${['flu', 'gout', 'angina'][Math.floor(i / 10) % 3]},${i < 10 ? `c${i}` : 'usual'}`);
  server.write('one-secret.csv', `name,age,sex,diagnosis,code\n${rows.join('\n')}\n`);
  const settings = 'id=name&qi=age,sex&sensitive=diagnosis&insensitive=code&hierarchy=age%3Dinterval:20,sex%3Dflat&ks=2,5&methods=mondrian';
  await server.open(page, `/protect?file=one-secret.csv&${settings}`);
  await expect(page.getByText(/some crowds have only one value of diagnosis/)).toBeVisible();
  const red = page.locator('.reds');
  await expect(red).toContainText('10 of 60 records are alone by code, which no model holds');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByRole('status').filter({ hasText: '2 of 2 points' })).toBeVisible();
  // Without l the crowds of five keep their one secret: all sixty are certain, and that is red in the table.
  await expect(page.getByRole('row', { name: /Cut into groups, k 5/ }).locator('.bad')).toHaveText('60');
  await expectNoSideways(page);
  await page.getByRole('link', { name: 'Compare Cut into groups, k 5' }).click();
  await expect(red).toContainText('The secret of 60 of 60 records is certain');
  await expect(red).toContainText('10 of 60 records are alone by code');
  // Why a cell is as coarse as it is, the three adversaries, two columns together.
  await expect(page.getByRole('row', { name: /^Marketer/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Original: age against sex' })).toBeVisible();
  // What a ledger would refuse is said before there is a release, and before there is a ledger, with the reason and what helps.
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  const ledger = page.getByRole('region', { name: 'What the ledger would say' });
  await expect(ledger.getByText(/^A ledger would refuse it: it exposes 100\s% of the people/)).toBeVisible();
  expect(readdirSync(server.data).filter((name) => name.endsWith('.ledger'))).toEqual([]);
  await expect(ledger.getByRole('row', { name: /people alone by/ }).locator('.bad')).toBeVisible();
  await expect(ledger.locator('.note.bad')).not.toContainText('--');
  await expect(ledger.locator('.note.bad')).toContainText('at least 2 different secrets in each crowd');
  await expect(red).toContainText('10 of 60 records are alone by code');
  await expect(red).toContainText('The secret of 60 of 60 records is certain');
  // Asked for, it is held.
  await page.goto(`${server.origin}/protect?file=one-secret.csv&${settings}`);
  await page.getByRole('button', { name: 'Ask for at least 2 different secrets' }).click();
  await expect(page.getByRole('region', { name: 'The same on the command line' })).toContainText('--l 2');
});

test('two columns are counted against each other in the whole file, whatever its order', async ({ page, server }) => {
  // 3,000 women before 3,000 men: neither half tells of the whole, and every ward has as many of both.
  const rows = Array.from({ length: 6000 }, (_, i) => `${20 + (i % 2)},${i < 3000 ? 'F' : 'M'},${['flu', 'gout', 'angina'][i % 3]}`);
  server.write('in-order.csv', `age,sex,diagnosis\n${rows.join('\n')}\n`);
  await server.open(page, '/compare?file=in-order.csv&method=mondrian&k=5&qi=sex,age&sensitive=diagnosis&hierarchy=age%3Dinterval:5,sex%3Dflat');
  for (const side of ['Original', 'Released']) {
    const cells = page.getByRole('region', { name: `${side}: sex against age` }).getByRole('cell');
    await expect(cells.first()).toBeVisible();
    expect((await cells.allTextContents()).map((text) => text.replaceAll(',', '')).filter(Boolean)).toEqual(['1500', '1500', '1500', '1500']);
  }
  await expect(page.getByText('association 0.00')).toHaveCount(2);
});
