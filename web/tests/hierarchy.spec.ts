// Hierarchies belong to a table and are versioned: drawn, mended, grouped by hand and by keyboard, cut into ranges.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, expectNoSideways, shell, test } from './workbench';

test('a value that a hierarchy lacks is given a place, in a version of its own', async ({ page, server }) => {
  const given = 'Bachelors;Undergraduate;Higher;*\nMasters;Graduate;Higher;*\nSchool;School;School;*\n';
  server.write('staff.csv', 'age,education\n31,Bachelors\n32,Masters\n33,Mastres\n34,School\n35,Mastres\n');
  server.write('education-hierarchy.csv', given);
  await server.open(page, '/columns?file=staff.csv');
  await page.getByRole('group', { name: 'What is education?' }).getByText('Others may know it').click();
  // The file beside the table is found and offered.
  await page.getByRole('button', { name: 'Use it for education' }).click();
  await page.getByRole('link', { name: 'See it as a tree for education' }).click();
  await expect(page.getByRole('heading', { name: '1 value without a place' })).toBeVisible();
  await expect(page.getByText('Mastres 2 rows')).toBeVisible();
  // Masters is nearest, so its group is offered.
  await expect(page.getByLabel('Mastres')).toHaveValue('Graduate');
  await expectNoSideways(page);
  await expectAccessible(page, 'hierarchy-gap');
  await page.getByRole('button', { name: 'Add Mastres' }).click();
  await expect(page.getByText('Every value has its place: 4 values')).toBeVisible();
  expect(readFileSync(join(server.data, 'hierarchies/staff.csv/education.v1.csv'), 'utf8')).toBe(`${given}Mastres;Graduate;Higher;*\n`);
  expect(readFileSync(join(server.data, 'education-hierarchy.csv'), 'utf8')).toBe(given);
});

test('files that bear the names of several columns are taken together', async ({ page, server }) => {
  server.write('both.csv', 'years,schooling\n31,Master\n32,Bachelor\n33,Master\n');
  for (const [name, lines] of [['years', '31;thirties;*\n32;thirties;*\n33;thirties;*\n'], ['schooling', 'Master;Higher;*\nBachelor;Higher;*\n']]) server.write(`both-${name}.csv`, lines!);
  await server.open(page, '/columns?file=both.csv');
  for (const column of ['years', 'schooling']) await page.getByRole('group', { name: `What is ${column}?`, exact: true }).getByText('Others may know it').click();
  const way = (column: string) => page.locator('li', { has: page.getByRole('heading', { name: column, exact: true }) }).getByLabel('Made coarser by');
  await page.getByRole('button', { name: 'Use all 2' }).click();
  for (const column of ['years', 'schooling']) await expect(way(column)).toHaveValue(`both-${column}.csv`);
  await expect(page.getByRole('button', { name: /^Use (all|it)/ })).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('button', { name: 'Use all 2' })).toBeVisible();
  for (const column of ['years', 'schooling']) await expect(way(column)).not.toHaveValue(`both-${column}.csv`);
});

test('groups of one’s own, several levels, edited again by keyboard, undone and done again', async ({ page, server }) => {
  server.write('ward.csv', 'age,ward\n31,North\n32,South\n33,East\n34,East\n35,West\n');
  await server.open(page, '/columns?file=ward.csv');
  await page.getByRole('group', { name: 'What is ward?' }).getByText('Others may know it').click();
  await page.getByRole('link', { name: 'See it as a tree for ward' }).click();
  await page.getByRole('button', { name: 'Make your own of it …' }).click();
  for (const value of ['North', 'South']) await page.getByRole('button', { name: value, exact: true }).click();
  await page.getByLabel('2 values chosen: group as').fill('Main house');
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  for (const value of ['East', 'West']) await page.getByRole('button', { name: value, exact: true }).click();
  await page.getByLabel('2 values chosen: group as').fill('Annex');
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  const main = page.getByRole('group', { name: 'Group Main house' });
  const annex = page.getByRole('group', { name: 'Group Annex' });
  await expect(annex.getByRole('button', { name: 'East' })).toBeVisible();
  // Undone, by keyboard and by button.
  await page.getByRole('heading', { name: 'Your own hierarchy' }).click();
  await page.keyboard.press('Control+z');
  await expect(annex).toHaveCount(0);
  await page.keyboard.press('Control+Shift+z');
  await expect(annex.getByRole('button', { name: 'East' })).toBeVisible();
  await expectAccessible(page, 'hierarchy-groups');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await expect(page.getByText('Saved as hierarchies/ward.csv/ward.v1.csv.').last()).toBeVisible();
  await expect(page.getByText('Every value has its place: 4 values')).toBeVisible();
  const version = (n: number): string[] => readFileSync(join(server.data, `hierarchies/ward.csv/ward.v${n}.csv`), 'utf8').trim().split('\n');
  expect(version(1).sort()).toEqual(['East;Annex;*', 'North;Main house;*', 'South;Main house;*', 'West;Annex;*']);

  // Again, in the next version: by keyboard a value goes to the group beside, by mouse another is dragged back.
  await page.getByRole('button', { name: 'Edit it …' }).click();
  await main.getByRole('button', { name: 'South' }).focus();
  const cards = await page.getByRole('group', { name: /^Group / }).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  await page.keyboard.press(cards.indexOf('Group Main house') < cards.indexOf('Group Annex') ? 'Alt+ArrowRight' : 'Alt+ArrowLeft');
  await expect(annex.getByRole('button', { name: 'South' })).toBeFocused();
  await annex.getByRole('button', { name: 'West' }).dragTo(main);
  await expect(main.getByRole('button', { name: 'West' })).toBeVisible();
  // A level more: both houses are one site.
  await page.getByRole('button', { name: 'Add a level' }).click();
  for (const group of ['Main house', 'Annex']) await page.getByRole('button', { name: new RegExp(`^${group}`) }).last().click();
  await page.getByLabel('2 values chosen: group as').fill('Site A');
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await expect(page.getByText('Saved as hierarchies/ward.csv/ward.v2.csv.').last()).toBeVisible();
  expect(version(2).sort()).toEqual(['East;Annex;Site A;*', 'North;Main house;Site A;*', 'South;Annex;Site A;*', 'West;Main house;Site A;*']);
  expect(version(1).length).toBe(4);
  // The program takes it.
  expect(JSON.parse(shell('pratique tables hierarchy ward.csv --column ward --hierarchy ward=hierarchies/ward.csv/ward.v2.csv --json', server.data))).toMatchObject({ height: 4, gaps: { values: 0 } });
});

test('ranges by cuts over the distribution, with top coding; import and export', async ({ page, server }) => {
  server.write('ages.csv', `age,sex\n${Array.from({ length: 100 }, (_, i) => `${i},${i % 2 ? 'F' : 'M'}`).join('\n')}\n`);
  await server.open(page, '/hierarchy?file=ages.csv&column=age&type=integer');
  await page.getByRole('button', { name: 'Make your own of it …' }).click();
  const cuts = page.getByLabel('Cuts', { exact: true });
  await cuts.fill('18, 64, 90');
  await cuts.blur();
  // One more by the arrow keys: 64 becomes 65.
  await page.getByRole('slider', { name: 'Cut 2' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(cuts).toHaveValue('18, 65, 90');
  await page.getByRole('checkbox', { name: /^Top coding/ }).check();
  await page.getByLabel('Level of the cut at 65').selectOption('2');
  await expectAccessible(page, 'hierarchy-cuts');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await expect(page.getByText('Saved as hierarchies/ages.csv/age.v1.csv.').last()).toBeVisible();
  const saved = readFileSync(join(server.data, 'hierarchies/ages.csv/age.v1.csv'), 'utf8');
  for (const line of ['17;0..17;0..64;*', '18;18..64;0..64;*', '64;18..64;0..64;*', '65;65..89;65+;*', '90;90+;65+;*', '99;90+;65+;*']) expect(saved.split('\n')).toContain(line);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export age.v1.csv' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(saved);
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(Array.from({ length: 100 }, (_, i) => `${i},${i < 50 ? 'young' : 'old'},*`).join('\n')) });
  await expect(page.getByText('mine.csv imported as hierarchies/ages.csv/age.v2.csv.').last()).toBeVisible();
  await expect(page.getByText('young').first()).toBeVisible();
});

test('an address alone knows days, and very many groups are looked for', async ({ page, server }) => {
  // 120 months, a day in each.
  const months = Array.from({ length: 120 }, (_, i) => `${1990 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-03`);
  server.write('births.csv', `born,ward\n${months.map((day, i) => `${day},${i % 4}`).join('\n')}\n`);
  await server.open(page, '/hierarchy?file=births.csv&column=born');
  await page.getByLabel('Made coarser by').selectOption('date');
  await page.getByRole('button', { name: 'Make your own of it …' }).click();
  await expect(page.getByRole('radio', { name: 'Ranges, by cuts' })).toBeChecked();
  await page.getByRole('radio', { name: 'Groups of values' }).check();
  const cards = page.getByRole('group', { name: /^Group / });
  await expect(cards).toHaveCount(60);
  await expect(page.getByText('and 60 more groups')).toBeVisible();
  await page.getByLabel('Find a group or a value').fill('1999-1');
  await expect(cards).toHaveCount(3);
});

test('ages that were written as ranges go into wider ones, and every page of it fits a phone', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  server.write('ranges.csv', `id,age,sex\n${Array.from({ length: 200 }, (_, i) => `p${i},[${(i % 10) * 10}-${(i % 10) * 10 + 10}),${i % 20 < 10 ? 'F' : 'M'}`).join('\n')}\n`);
  await server.open(page, '/columns?file=ranges.csv');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'age', exact: true }) });
  await expect(card.getByLabel('Made coarser by')).toHaveValue('interval');
  await expect(card.getByLabel('Widths')).toHaveValue('20,40,80');
  await expectNoSideways(page);
  await card.getByRole('link', { name: 'See it as a tree for age' }).click();
  await expect(page.getByText('Every value has its place: 10 values, 4 levels above them.')).toBeVisible();
  await expect(page.getByText('0..19, 20..39, 40..59, 60..79, …')).toBeVisible();
  await page.getByRole('button', { name: 'Make your own of it …' }).click();
  await expect(page.getByRole('group', { name: 'Group 0..19' })).toBeVisible();
  await expectNoSideways(page);
  for (const path of ['/import?file=ranges.csv', '/help']) {
    await page.goto(`${server.origin}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoSideways(page);
  }
  const command = 'pratique tables protect ranges.csv --id id --rows-are-people --qi age,sex --hierarchy age=interval:20,40,80 --k 15 --method optimal --out coarse.csv';
  shell(command, server.data);
  const ages = new Set(readFileSync(join(server.data, 'coarse.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(',')[0]));
  expect([...ages].sort()).toEqual(['0..19', '20..39', '40..59', '60..79', '80..99']);
});
