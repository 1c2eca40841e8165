// HIPAA's Safe Harbor: its own page, and its own part of the report.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, expectNoSideways, makeRelease, shell, shot, test } from './workbench';

/** 40 people. ZIP codes of Boston (large) and of 036 in New Hampshire (20,000 people or fewer); one is 93 years old. */
function people(): string {
  const rows = Array.from({ length: 40 }, (_, i) => `N${1000 + i},${i === 7 ? 93 : 30 + (i % 9)},${i % 2 ? '02139' : '03601'},2024-0${1 + (i % 9)}-17,${['flu', 'gout', 'angina'][i % 3]},${i === 3 ? '617-555-0134' : 'north'},http://h.example/${i}`);
  return `record_number,age,zip,admitted,diagnosis,ward,page\n${rows.join('\n')}\n`;
}

test('eighteen identifiers leave, and the report goes through them', async ({ page, server }) => {
  server.write('harbor.csv', people());
  await server.open(page, '/protect?file=harbor.csv');
  await page.getByRole('link', { name: 'Safe Harbor', exact: true }).click();
  const fates = page.getByRole('region', { name: 'What becomes of each column' });
  await expect(fates.getByRole('row', { name: /^record_number .* left out$/ })).toBeVisible();
  await expect(fates.getByRole('row', { name: /^admitted .* the year$/ })).toBeVisible();
  await expect(fates.getByRole('row', { name: /^zip .* three digits/ })).toBeVisible();

  // What must go and does not is said before, and what only the program finds after it was tried.
  await page.goto(`${server.origin}/safe-harbor?file=harbor.csv&qi=age,zip,admitted&sensitive=diagnosis&insensitive=ward,page&id=record_number`);
  await expect(fates.getByRole('row', { name: /^page .* must be left out/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make the candidate' })).toBeDisabled();
  await fates.getByRole('button', { name: 'Leave it out page' }).click();
  await expect(page.getByRole('button', { name: 'Make the candidate' })).toBeEnabled();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('button', { name: 'Make the candidate' })).toBeDisabled();
  await page.keyboard.press('Control+Shift+z');
  await page.getByLabel('Ages are counted for the year').fill('24');
  await expect(page.getByRole('button', { name: 'Make the candidate' })).toBeDisabled();
  await page.getByLabel('Ages are counted for the year').fill('2024');
  await expectAccessible(page, 'safe-harbor-before');
  await page.getByRole('button', { name: 'Make the candidate' }).click();
  const done = page.getByRole('region', { name: 'What was done' });
  await expect(done).toContainText('years alone: admitted');
  await expect(done).toContainText('ages over 89 as one class: age');
  await expect(done).toContainText('three digits: zip');
  await expect(done).toContainText('1 cell left empty in ward');
  await expectAccessible(page, 'safe-harbor');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'safe-harbor');
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  const release = await makeRelease(page);
  expect(release).toBe('harbor-safe-harbor.csv');
  // As the regulation has it, cell by cell.
  const rows = readFileSync(join(server.data, release), 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
  expect(rows).toHaveLength(40);
  expect(new Set(rows.map((row) => row[2]))).toEqual(new Set(['2024']));
  expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(['021', '000']));
  expect(rows.filter((row) => row[0] === '90+')).toHaveLength(1);
  expect(rows.map((row) => row.join()).join()).not.toMatch(/555|http|N10/);
  expect(JSON.parse(shell(`pratique verify ${release} --json`, server.data))).toMatchObject({ holds: true });

  await page.getByRole('button', { name: 'Write the report' }).click();
  await expect(page.getByRole('link', { name: 'Read it (new tab)' })).toBeVisible();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Read it (new tab)' }).click();
  const report = await opened;
  const identifiers = report.getByRole('table', { name: 'Identifiers' });
  await expect(identifiers.getByRole('row')).toHaveCount(20); // A to R, two of C, and the header
  await expect(identifiers.getByRole('row', { name: /ages over 89 age: 90 and over as one class/ })).toBeVisible();
  await expect(identifiers.getByRole('row', { name: /web addresses page: left out/ })).toBeVisible();
});
