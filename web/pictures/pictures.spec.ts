// Walks through the workbench on the sample world, as docs/workbench.md tells it, and keeps a picture of each step.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { expect, makeRelease, program, test } from '../tests/workbench';
import { smaller } from './png';

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures');
const patients = 'sample-world/patients.csv';

/** `height` pixels of the page, from its top or from `from` on. */
async function picture(page: Page, name: string, height: number, from?: Locator): Promise<void> {
  const { width } = page.viewportSize()!;
  await page.setViewportSize({ width, height });
  await page.mouse.move(0, 0);
  const top = from ? await from.evaluate((element) => element.getBoundingClientRect().top + scrollY) : 0;
  await page.evaluate((y) => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, y);
  }, Math.max(0, top - 36));
  writeFileSync(join(folder, `${name}.png`), smaller(await page.screenshot({ animations: 'disabled' })));
}

test('a table, from the file to its report', async ({ page, server }) => {
  mkdirSync(folder, { recursive: true });
  execFileSync(program, ['generate', 'consortium', '--hospitals', '20', '--patients', '5000', '--seed', '1', '--out', join(server.data, 'sample-world')], { stdio: 'ignore' });

  await server.open(page);
  await expect(page.getByRole('link', { name: 'Open its patients' })).toBeVisible();
  await picture(page, 'home', 760);

  await page.getByRole('link', { name: 'Open its patients' }).click();
  await expect(page.getByText(/^Suggested:/).first()).toBeVisible();
  await picture(page, 'columns', 820);

  await server.open(page, `/risk?file=${patients}&known=age,sex,zip,race`);
  await expect(page.getByText(/are unique: .* of 5,000 people/)).toBeVisible();
  await picture(page, 'risk', 560, page.locator('#unique'));
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await expect(page.getByText(/found by name: /)).toBeVisible();
  await picture(page, 'attack', 560, page.locator('#attack'));

  await page.getByRole('link', { name: 'Protect it' }).click();
  await page.getByRole('checkbox', { name: 'Different secrets in each crowd (l)' }).check();
  // Three sizes of three ways, and seconds for each search: as much to see as of a map that takes minutes.
  for (const k of ['2', '3', '50']) await page.getByRole('checkbox', { name: k, exact: true }).uncheck();
  await page.getByText('Every other model and setting').click();
  await page.getByLabel(/^time.limit/).fill('3');
  await page.getByText(/^Every other model and setting/).click();
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByRole('button', { name: 'Draw it again' })).toBeVisible({ timeout: 400_000 });
  await picture(page, 'map', 760, page.locator('#holds'));

  await page.getByRole('link', { name: 'Compare Cut into groups, k 5', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Released rows' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Released: people by the size of their crowd' })).toBeVisible();
  await expect(page.getByText(' running', { exact: true })).toBeHidden();
  await picture(page, 'compare', 640);
  await picture(page, 'spread', 640, page.locator('#columns'));

  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await expect(page.getByRole('row', { name: /people found by name/ })).toBeVisible();
  await picture(page, 'release', 760, page.locator('#verify'));

  await makeRelease(page);
  await page.getByLabel('Released to').fill('University of Northland');
  await page.getByLabel('What for').fill('a study of readmissions');
  await page.getByLabel('Who answers for it').fill('the data steward');
  await page.getByRole('button', { name: 'Write the report' }).click();
  const report = page.getByRole('link', { name: 'Read it (new tab)' });
  await expect(report).toBeVisible();
  await page.setViewportSize({ width: 1000, height: 760 });
  await page.goto(server.origin + (await report.getAttribute('href')));
  await picture(page, 'report', 460);
  await picture(page, 'report-attacks', 640, page.getByRole('heading', { name: 'Attacks, before and after' }));
});

test('trails', async ({ page, server }) => {
  await server.open(page, '/trails');
  await page.getByRole('button', { name: 'Make and attack it' }).click();
  await page.getByRole('button', { name: 'Protect it' }).click();
  await expect(page.getByText('Verify this release')).toBeVisible();
  await expect(page.getByRole('img', { name: /^After: / })).toBeVisible();
  await picture(page, 'trails', 780, page.locator('#small'));
});
