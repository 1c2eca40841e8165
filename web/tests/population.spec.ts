// Unique in the table, or among all people: by estimate from their number, by counting where they are known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, expect, expectAccessible, expectNoSideways, test } from './workbench';

/** (31 F), (32 M) and (47 M) are alone; two are 25 and F, two 39 and M. */
const people = 'age,sex\n31,F\n32,M\n47,M\n25,F\n25,F\n39,M\n39,M\n';
/** The same and more: somebody else is 31 and F. */
const everybody = `${people}31,F\n60,M\n61,M\n`;
const settings = 'qi=age,sex&hierarchy=age=flat,sex=flat';

test('how many are unique among all people, too', async ({ page, server }) => {
  server.write('sample.csv', people);
  server.write('everybody.csv', everybody);
  await server.open(page, `/risk?file=sample.csv&${settings}`);
  const size = page.getByLabel('How many people are there in all');
  await size.fill('6');
  await size.blur();
  await expect(page.getByText('The table alone has 7 people.')).toBeVisible();
  // Of everybody, whoever is alone is alone.
  await size.fill('7');
  await size.blur();
  await expect(page.getByText('Of the 3 people who are unique here, about 3 are unique among all 7, too')).toBeVisible();
  // Among ever more people, ever fewer, and at last nobody.
  await size.fill('10 000 000 000 000');
  await size.blur();
  await expect(page.getByText('who are unique here, probably nobody is unique among all 10,000,000,000,000, too: all have doubles')).toBeVisible();
  await expectAccessible(page, 'population');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect((await commands(page)).at(-1)).toContain('--population-size 10000000000000');
  // It is kept with the other decisions.
  await page.reload();
  await expect(size).toHaveValue('10,000,000,000,000');
  // Where the population is there, it is counted.
  await page.getByLabel('A table of the population they come from').selectOption('everybody.csv');
  await expect(page.getByText('Of the 3 people who are unique here, 2 are unique there, too.')).toBeVisible();
  // From here on it counts: for the release, and so for the journalist of its report.
  await expect.poll(() => readFileSync(join(server.data, 'sample.csv.project.yaml'), 'utf8')).toContain('population: "everybody.csv"');
  await page.goto(`${server.origin}/compare?file=sample.csv&method=optimal&k=2`);
  await expect(page.getByRole('heading', { name: 'Risk, before and after' })).toBeVisible();
  expect((await commands(page))[0]).toContain('--population everybody.csv');
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await page.getByRole('button', { name: 'Make it a release' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await page.getByText('Expert determination (45 CFR').click();
  // Without ages there are three women and four men, and in the population four and six.
  await expect(page.getByRole('row', { name: /^Prosecutor/ })).toContainText('33 %');
  await expect(page.getByRole('row', { name: /^Journalist/ })).toContainText('25 %');
});

test('the report says how many, before and after', async ({ page, server }) => {
  server.write('reported.csv', people);
  await server.open(page, `/risk?file=reported.csv&${settings}`);
  const size = page.getByLabel('How many people are there in all');
  await size.fill('7');
  await size.blur();
  await expect(page.getByText('about 3 are unique among all 7')).toBeVisible();
  await expect.poll(() => readFileSync(join(server.data, 'reported.csv.project.yaml'), 'utf8')).toContain('population-size: 7');
  await page.goto(`${server.origin}/compare?file=reported.csv&${settings}&population-size=7&method=optimal&k=2`);
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await page.getByRole('button', { name: 'Make it a release' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await page.getByRole('button', { name: 'Write the report' }).click();
  await expect(page.getByRole('link', { name: 'Read it (new tab)' })).toBeVisible();
  const report = (await commands(page)).find((line) => line.includes('pratique report'));
  expect(report).toContain('--population-size 7');
});
