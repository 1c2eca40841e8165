// A hierarchy is drawn, what it lacks is shown, and mended there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, expectNoSideways, test } from './workbench';

test('a value that a hierarchy lacks is given a place', async ({ page, server }) => {
  server.write('staff.csv', 'age,education\n31,Bachelors\n32,Masters\n33,Mastres\n34,School\n35,Mastres\n');
  server.write('education-hierarchy.csv', 'Bachelors;Undergraduate;Higher;*\nMasters;Graduate;Higher;*\nSchool;School;School;*\n');
  await server.open(page, '/columns?file=staff.csv');
  await page.getByRole('group', { name: 'What is education?' }).getByText('Others may know it').click();
  await page.locator('li', { has: page.getByRole('heading', { name: 'education' }) }).getByLabel('Made coarser by').selectOption('education-hierarchy.csv');
  await page.getByRole('link', { name: 'See it as a tree for education' }).click();
  await expect(page.getByRole('heading', { name: '1 value without a place' })).toBeVisible();
  await expect(page.getByText('Mastres 2 rows')).toBeVisible();
  // Masters is nearest, so its group is offered.
  await expect(page.getByLabel('Mastres')).toHaveValue('Graduate');
  await expectNoSideways(page);
  await expectAccessible(page, 'hierarchy-gap');
  await page.getByRole('button', { name: 'Add Mastres' }).click();
  await expect(page.getByText('Every value has its place: 4 values')).toBeVisible();
  expect(readFileSync(join(server.data, 'education-hierarchy.csv'), 'utf8')).toContain('Mastres;Graduate;Higher;*\n');
});

test('groups of one’s own become a hierarchy', async ({ page, server }) => {
  server.write('ward.csv', 'age,ward\n31,North\n32,South\n33,East\n34,East\n');
  await server.open(page, '/columns?file=ward.csv');
  await page.getByRole('group', { name: 'What is ward?' }).getByText('Others may know it').click();
  await page.getByRole('link', { name: 'See it as a tree for ward' }).click();
  await page.getByRole('button', { name: 'Make your own groups …' }).click();
  await page.getByLabel('North').fill('Main house');
  await page.getByLabel('South').fill('Main house');
  await page.getByRole('button', { name: 'Save as hierarchies/ward.csv' }).click();
  await expect(page.getByText('Main house').first()).toBeVisible();
  await expect(page.getByText('Every value has its place: 3 values')).toBeVisible();
  const lines = readFileSync(join(server.data, 'hierarchies/ward.csv'), 'utf8').trim().split('\n').sort();
  expect(lines).toEqual(['East;East;*', 'North;Main house;*', 'South;Main house;*']);
});
