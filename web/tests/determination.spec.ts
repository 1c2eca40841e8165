// An expert determination, filled in on the page of a release.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles, table } from './people';
import { expect, expectNoSideways, program, shot, test } from './workbench';

test('what is asked for is kept as it is typed, and the report draws the conclusion', async ({ page, server }) => {
  server.write('determined.csv', table());
  const pratique = (...words: string[]): void => void execFileSync(program, [...words, '--json'], { cwd: server.data, stdio: 'pipe' });
  pratique('tables', 'protect', 'determined.csv', ...roles, '--method', 'mondrian', '--k', '5', '--l', '2', '--seed', '1', '--out', 'determined-out.csv');
  await server.open(page, '/release?file=determined-out.csv');
  await page.getByText('Expert determination (45 CFR').click();
  await expect(page.getByLabel('Expert', { exact: true })).toBeVisible();
  // Who receives it is asked once, above.
  await expect(page.getByLabel('Recipient', { exact: true })).toHaveCount(0);
  await page.getByLabel('Threshold', { exact: true }).fill('0.25');
  await page.getByLabel('Expert', { exact: true }).fill('E. Xpert');
  await page.getByLabel('replicable: age').fill('changes every year');
  await page.getByLabel('Setting', { exact: true }).selectOption('enclave');
  const saved = join(server.data, 'determined-out.csv.determination.yaml');
  await expect.poll(() => { try { return readFileSync(saved, 'utf8'); } catch { return ''; } }).toContain('enclave');
  await shot(page, 'determination');
  await expectNoSideways(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'determination');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Write the report' }).click();
  const report = join(server.data, 'determined-out.report.html');
  await expect.poll(() => { try { return readFileSync(report, 'utf8'); } catch { return ''; } }, { timeout: 30_000 }).toContain('Expert determination (draft)');
  const text = readFileSync(report, 'utf8');
  expect(text).toContain('Draft. The risk is very small: at most');
  expect(text).toContain('changes every year');

  // Another visit finds what was typed.
  await page.reload();
  await page.getByText('Expert determination (45 CFR').click();
  await expect(page.getByLabel('Expert', { exact: true })).toHaveValue('E. Xpert');
});
