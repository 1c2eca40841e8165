// The whole flow as a person does it: by mouse, and by keyboard alone; on a desktop and on a phone.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectNoSideways, makeRelease, shot, tabTo, test } from './workbench';

import type { Page } from '@playwright/test';

/** Twelve people of whom four are alone by age and sex, worked by hand: (31 F), (32 M), (47 M) and (58 F). */
const people = `name,age,sex,zip,diagnosis
Ann,31,F,02138,flu
Bob,32,M,02138,asthma
Cid,47,M,02138,flu
Dee,58,F,02138,angina
Eve,25,F,02138,flu
Fay,25,F,02138,asthma
Gus,39,M,02138,angina
Hal,39,M,02138,flu
Ivy,52,F,02138,asthma
Joy,52,F,02138,angina
Kim,44,F,02138,flu
Lea,44,F,02138,asthma
`;
// A register that names Ann, Bob and Eve by age and sex; only the first two are alone with theirs.
const register = `person,age,sex
Ann Ash,31,F
Bob Birch,32,M
Eve Elm,25,F
Zed Zinnia,99,M
`;

test('from a file to a verified release, by mouse', async ({ page, server }, info) => {
  const table = `people-${info.project.name}.csv`;
  server.write(`register-${info.project.name}.csv`, register);
  await server.open(page);
  await expect(page.getByRole('heading', { name: 'Choose what to release' })).toBeVisible();
  await shot(page, 'home-empty');

  // 1. Choose a file; its columns.
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file …' }).click();
  await (await chooser).setFiles({ name: table, mimeType: 'text/csv', buffer: Buffer.from(people) });
  await expect(page.getByRole('heading', { name: `What is in ${table}?` })).toBeVisible();
  await expect(page.getByText('12 rows, 5 columns.')).toBeVisible();
  await expect(page.getByRole('group', { name: 'What is name?' }).getByLabel('Identifier')).toBeChecked();
  await page.getByRole('group', { name: 'What is zip?' }).getByText('Harmless').click();
  // It looks like an identifier: it leaves as it is only because somebody said so.
  await page.getByRole('checkbox', { name: /^Release zip as it is, although it may name people/ }).check();
  await page.getByRole('group', { name: 'What is age?' }).getByText('Others may know it').click();
  await page.getByRole('group', { name: 'What is diagnosis?' }).getByText('Must stay secret').click();
  await expectNoSideways(page);
  await shot(page, 'columns');
  await expect(page.getByLabel('The same on the command line')).toContainText(`pratique tables profile ${table}`);

  // 2. Risk before.
  await page.getByRole('link', { name: 'See the risk' }).click();
  await expect(page.getByText('are unique: 4 of 12 people')).toBeVisible();
  // By age alone: 31, 32, 47 and 58 are alone; by sex alone nobody is.
  await page.getByRole('group', { name: 'Suppose somebody knows' }).getByText('age').click();
  await expect(page.getByText('are unique: 0 of 12 people')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: `What is in ${table}?` })).toBeVisible();
  await page.goForward();
  await expect(page.getByText('are unique: 0 of 12 people')).toBeVisible();
  await page.getByRole('group', { name: 'Suppose somebody knows' }).getByText('age').click();
  await expect(page.getByText('are unique: 4 of 12 people')).toBeVisible();

  await page.getByLabel("The adversary's list").selectOption(`register-${info.project.name}.csv`);
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await expect(page.getByText('found by name: 2 of 12')).toBeVisible();
  await expectNoSideways(page);
  await shot(page, 'risk');

  // 3. Protect: the map fills in; a point is compared.
  await page.getByRole('link', { name: 'Protect it' }).click();
  for (const k of ['5', '11', '25', '50']) await page.getByRole('checkbox', { name: k, exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'Detail where there is room' }).uncheck();
  await page.getByRole('checkbox', { name: 'Different secrets in each crowd (l)' }).check();
  await page.getByRole('slider', { name: 'Different secrets in each crowd (l)' }).fill('2');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByRole('status').filter({ hasText: '4 of 4 points' })).toBeVisible();
  await expect(page.getByRole('img', { name: /Map of risk against utility: 4 settings/ })).toBeVisible();
  await expectNoSideways(page);
  await shot(page, 'protect');
  // On the map itself: a mark stands to the left of its label.
  const mark = page.getByRole('img', { name: /Map of risk/ }).locator('text', { hasText: /^k 2$/ }).last();
  await mark.scrollIntoViewIfNeeded();
  const label = (await mark.boundingBox())!;
  await page.mouse.click(label.x - 10, label.y + label.height / 2);
  await expect(page).toHaveURL(/\/compare\?file=/);
  await page.goBack();
  await page.getByRole('link', { name: 'Compare Cut into groups, k 2', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Cut into groups, crowds of 2' })).toBeVisible();
  await expect(page.getByRole('row', { name: /people who are unique 4 0/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Released rows' }).locator('mark').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Released rows' })).not.toContainText('Ann');
  await expect(page.getByRole('region', { name: 'Column age' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Released: people by the size of their crowd' })).toBeVisible();
  await expectNoSideways(page);
  await shot(page, 'compare');

  // 4. Verify and release.
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await expect(page.getByRole('row', { name: /people found by name 2 0/ })).toBeVisible();
  // A candidate is nothing to take away: it becomes a release by a step of its own.
  await expect(page.getByRole('heading', { name: `Candidate people-${info.project.name}.csv` })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Download' })).toHaveCount(0);
  await expectNoSideways(page);
  await shot(page, 'candidate');
  expect(await makeRelease(page)).toBe(`people-${info.project.name}-mondrian-k2-l2.csv`);
  await expect(page.getByRole('row', { name: /people found by name 2 0/ })).toBeVisible();
  await expectNoSideways(page);
  await shot(page, 'release');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: `people-${info.project.name}-mondrian-k2-l2.csv`, exact: true }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  // Whatever the columns say, every pair of age and sex in the file stands there at least twice.
  const [header, ...rows] = text.trim().split('\n').map((line) => line.split(','));
  const at = ['age', 'sex'].map((name) => header!.indexOf(name));
  expect(header).not.toContain('name');
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(at.map((i) => row[i]).join(), (sizes.get(at.map((i) => row[i]).join()) ?? 0) + 1);
  expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(2);

  // The report, the ledger, and both taken away. Ledgers of other tests are not those that this one begins.
  for (const other of readdirSync(server.data)) if (other.endsWith('.ledger') && other !== 'releases.ledger') rmSync(join(server.data, other));
  await page.reload();
  await page.getByLabel('Released to').fill('the flu registry');
  await page.getByRole('button', { name: 'Write the report' }).click();
  await expect(page.getByRole('link', { name: 'Read it (new tab)' })).toBeVisible();
  const report = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the report' }).click();
  const written = readFileSync(await (await report).path(), 'utf8');
  expect(written).toContain('the flu registry');
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee']) expect(written).not.toContain(name);
  await page.getByRole('button', { name: /^(Start|Add to) releases.ledger/ }).click();
  await expect(page.getByText(/It is entry \d+ of releases.ledger/)).toBeVisible();
  await expectNoSideways(page);
  await shot(page, 'release-done');
  await page.getByRole('link', { name: 'See the ledger' }).click();
  await expect(page.getByText('Every entry is signed and in its place.')).toBeVisible();
  await expectNoSideways(page);
});

async function downloaded(page: Page, act: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download');
  await act();
  return readFileSync(await (await download).path(), 'utf8');
}

test('from a file to a verified release, by keyboard alone', async ({ page, server }, info) => {
  test.skip(info.project.name === 'phone', 'a phone has no keyboard');
  const table = `keys-${info.project.name}.csv`;
  await server.open(page);
  const press = async (what: Parameters<typeof tabTo>[1], key = 'Enter'): Promise<void> => {
    await tabTo(page, what);
    await page.keyboard.press(key);
  };
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();

  page.once('filechooser', (chooser) => void chooser.setFiles({ name: table, mimeType: 'text/csv', buffer: Buffer.from(people + 'Max,44,F,02138,angina\n') }));
  await press(page.getByRole('button', { name: 'Choose a file …' }));
  await expect(page.getByRole('heading', { name: `What is in ${table}?` })).toBeFocused();

  // A letter, and arrows.
  const zip = page.getByRole('group', { name: 'What is zip?' });
  await press(zip.locator('input:checked'), 'h');
  await expect(zip.getByLabel('Harmless')).toBeChecked();
  await expect(zip.getByLabel('Harmless')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(zip.getByLabel('Must stay secret')).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await expect(zip.getByLabel('Harmless')).toBeChecked();
  await press(page.getByRole('checkbox', { name: /^Release zip as it is/ }), 'Space');
  await press(page.getByRole('link', { name: 'See the risk' }));

  await expect(page.getByText('are unique: 4 of 13 people')).toBeVisible();
  const age = page.getByRole('group', { name: 'Suppose somebody knows' }).getByLabel('age');
  await press(age, 'Space');
  await expect(page.getByText('are unique: 0 of 13 people')).toBeVisible();
  await expect(age).toBeFocused();
  await press(page.getByRole('link', { name: 'Protect it' }));

  for (const k of ['5', '11', '25', '50']) await press(page.getByRole('checkbox', { name: k, exact: true }), 'Space');
  await press(page.getByRole('checkbox', { name: 'Different secrets in each crowd (l)' }), 'Space');
  await tabTo(page, page.getByRole('slider', { name: 'Different secrets in each crowd (l)' }));
  await page.keyboard.press('Home');
  const slider = page.getByRole('slider', { name: 'Records that may be left out' });
  await tabTo(page, slider);
  await page.keyboard.press('Home');
  await expect(page.getByText('0.0 %', { exact: true })).toBeVisible();
  await press(page.getByRole('button', { name: 'Draw the map' }));
  await expect(page.getByRole('status').filter({ hasText: '6 of 6 points' })).toBeVisible();
  await press(page.getByRole('link', { name: 'Compare Cut into groups, k 3', exact: true }));
  await expect(page.getByRole('heading', { name: 'Cut into groups, crowds of 3' })).toBeFocused();
  await press(page.getByRole('link', { name: 'Verify and release this' }));
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await press(page.getByRole('button', { name: 'Make it a release' }));
  await expect(page.getByRole('heading', { name: `Release keys-${info.project.name}-mondrian-k3-l2.csv` })).toBeVisible();
  // Report, ledger and download, still without a mouse.
  await tabTo(page, page.getByLabel('What for'));
  await page.keyboard.type('a study of flu');
  await press(page.getByRole('button', { name: 'Write the report' }));
  await expect(page.getByRole('link', { name: 'Read it (new tab)' })).toBeVisible();
  // Beside the release without Max, it would tell what he has: these are said to be other people.
  await tabTo(page, page.getByLabel('Whose data is it'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(`keys-${info.project.name}`);
  await press(page.getByRole('button', { name: /^(Start|Add to) releases.ledger/ }));
  // Where there is an earlier release with the same columns, a new name alone does not say so.
  const asked = page.getByText('Are they the same?');
  const added = page.getByText(/It is entry \d+ of releases.ledger/);
  await expect(asked.or(added)).toBeVisible();
  if (await asked.isVisible()) {
    await tabTo(page, page.getByLabel('the same people: attack the releases together'));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByLabel('other people (the ledger records that you said so)')).toBeChecked();
    await press(page.getByRole('button', { name: 'Add to releases.ledger' }));
  }
  await expect(added).toBeVisible();
  expect(await downloaded(page, () => press(page.getByRole('link', { name: `keys-${info.project.name}-mondrian-k3-l2.csv`, exact: true })))).toContain('age,sex');
  expect(await downloaded(page, () => press(page.getByRole('link', { name: `keys-${info.project.name}-mondrian-k3-l2.report.html`, exact: true })))).toContain('a study of flu');
  await press(page.getByRole('button', { name: 'Copy' }));
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
});
