// An expert determination, filled in on the page of a release.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles, table } from './people';
import { expect, expectAccessible, expectNoSideways, program, shot, test, type Server } from './workbench';
import type { Page } from '@playwright/test';

const runIn = (server: Server) => (...words: string[]): void => void execFileSync(program, [...words, '--json'], { cwd: server.data, stdio: 'pipe' });
const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** A release that nothing leaves that no model holds. */
function release(server: Server, name: string): string {
  server.write(`${name}.csv`, table());
  runIn(server)('tables', 'protect', `${name}.csv`, ...roles, '--method', 'mondrian', '--k', '5', '--l', '2', '--seed', '1', '--out', `${name}-out.csv`);
  return `${name}-out.csv`;
}
async function openForm(page: Page): Promise<void> {
  await page.getByText('Expert determination (45 CFR').click();
  await expect(page.getByLabel('Expert', { exact: true })).toBeVisible();
}
/** Every field that the form has, as an expert fills it in. */
async function fillAll(page: Page): Promise<void> {
  await page.getByLabel('Threshold', { exact: true }).fill('0.25');
  await page.getByLabel('Setting', { exact: true }).selectOption('enclave');
  await page.getByLabel('Controls', { exact: true }).fill('a contract');
  await page.getByLabel('Date', { exact: true }).fill('2026-11-01');
  await page.getByLabel('Valid until', { exact: true }).fill('2099-11-01');
  for (const field of await page.locator('[id^="d-"]:is(input[type=text])').all()) await field.fill('words of the expert');
  for (const cell of await page.locator('table[aria-labelledby="d-columns"] input').all()) await cell.fill('words of the steward');
}

test('a signed report is never written over, and what was decided is remembered', async ({ page, server }) => {
  const file = release(server, 'signed');
  runIn(server)('ledger', 'init', 'signed.ledger');
  await server.open(page, `/release?file=${file}`);
  await page.getByLabel('Released to').fill('the registry of gout');
  await page.getByLabel('What for').fill('a count by age');
  await page.getByLabel('Who answers for it').fill('Dr Quill');
  await openForm(page);
  // Who is above what counts as very small is red before any report is written.
  const prosecutor = page.getByRole('row', { name: /^Prosecutor/ });
  await page.getByLabel('Threshold', { exact: true }).fill('0.01');
  await expect(prosecutor.getByText('over the threshold')).toBeVisible();
  await page.getByLabel('set aside: prosecutor').fill('nobody can know who is in it');
  await expect(prosecutor.getByText('over the threshold')).toHaveCount(0);
  await page.getByLabel('set aside: prosecutor').fill('');
  // A draft is not signed, and the page says what is missing and where.
  await page.getByLabel('Threshold', { exact: true }).fill('0.25');
  await expect.poll(() => textOf(join(server.data, `${file}.determination.yaml`))).toContain('0.25');
  await page.getByRole('button', { name: 'Write the report' }).click();
  await expect(page.getByText('The report is a draft: the expert determination is not complete.')).toBeVisible();
  await expect(page.getByText(/Still empty: .*expert/)).toBeVisible();
  // The ledger takes no draft, and says so before anything is tried.
  const ledger = page.getByRole('region', { name: 'Ledger', exact: true });
  await expect(ledger.getByText('signed-out.report.html is a draft')).toBeVisible();
  await expect(ledger.getByRole('button', { name: /without the report/ })).toBeVisible();
  await shot(page, 'report-draft');

  await fillAll(page);
  await expect.poll(() => textOf(join(server.data, `${file}.determination.yaml`))).toContain('2099-11-01');
  await page.getByLabel('Sign it with the key of').selectOption('signed.ledger');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await expect(page.getByText(/signed-out\.report\.html is signed, since .*, with the key of signed\.ledger/)).toBeVisible();
  const report = join(server.data, 'signed-out.report.html');
  const signed = readFileSync(report);
  expect(signed.toString()).toContain('Expert determination');
  expect(signed.toString()).not.toContain('Expert determination (draft)');
  runIn(server)('signature', 'signed-out.report.html', '--ledger', 'signed.ledger');
  await expect(ledger.getByText('The hash of signed-out.report.html is recorded with it.')).toBeVisible();

  // Another visit: nothing is asked again, and another report goes beside it.
  await page.reload();
  await expect(page.getByLabel('Released to')).toHaveValue('the registry of gout');
  await expect(page.getByLabel('What for')).toHaveValue('a count by age');
  await expect(page.getByLabel('Who answers for it')).toHaveValue('Dr Quill');
  await expect(page.getByText('It stays as it is: another report is written beside it, as signed-out-2.report.html.')).toBeVisible();
  await expectAccessible(page, 'report-signed');
  await page.getByLabel('What for').fill('another count');
  await page.getByRole('button', { name: 'Write another' }).click();
  await expect.poll(() => textOf(join(server.data, 'signed-out-2.report.html'))).toContain('another count');
  expect(textOf(join(server.data, 'signed-out-2.report.html'))).toContain('the registry of gout');
  expect(readFileSync(report)).toEqual(signed);
  runIn(server)('signature', 'signed-out.report.html', '--ledger', 'signed.ledger');
});

test.describe('several at once', () => {
  test.use({ expectFaults: true });
  test('two tabs that fill in the same form lose nothing', async ({ page, context, server, faults }) => {
    const file = release(server, 'shared');
    const saved = join(server.data, `${file}.determination.yaml`);
    const answers = (): Record<string, unknown> => JSON.parse(textOf(saved) || '{}') as Record<string, unknown>;
    await server.open(page, `/release?file=${file}`);
    await openForm(page);
    const other = await context.newPage();
    await other.goto(page.url());
    await openForm(other);
    // Each another field, both from the same beginning.
    await page.getByLabel('Expert', { exact: true }).fill('E. Xpert');
    await expect.poll(() => answers()['expert']).toBe('E. Xpert');
    await other.getByLabel('replicable: age').fill('changes every year');
    await expect.poll(() => JSON.stringify(answers()['replicable'] ?? {})).toContain('changes every year');
    expect(answers()['expert']).toBe('E. Xpert');
    await expect(other.getByLabel('Expert', { exact: true })).toHaveValue('E. Xpert');

    // The same field: the first is in the file, the second on its page, until somebody decides.
    await page.getByLabel('Method', { exact: true }).fill('counting');
    await expect.poll(() => answers()['method']).toBe('counting');
    await other.getByLabel('Method', { exact: true }).fill('guessing');
    const asks = other.getByRole('alert').filter({ hasText: 'Method: somebody else changed it, too.' });
    await expect(asks).toContainText('counting');
    await expect(other.getByLabel('Method', { exact: true })).toHaveValue('guessing');
    await shot(other, 'determination-both');
    await other.getByLabel('Qualification', { exact: true }).fill('statistician');
    await expect.poll(() => answers()['qualification']).toBe('statistician');
    expect(answers()['method']).toBe('counting');
    await asks.getByRole('button', { name: 'Keep mine' }).click();
    await expect(asks).toHaveCount(0);
    await expect.poll(() => answers()['method']).toBe('guessing');
    expect(answers()['expert']).toBe('E. Xpert');
    // Undone is what was typed here, field by field; what somebody else wrote since stays.
    await other.getByRole('heading', { level: 1 }).click();
    await other.keyboard.press('Control+z');
    await expect.poll(() => answers()['qualification']).toBe('');
    await other.keyboard.press('Control+Shift+z');
    await expect.poll(() => answers()['qualification']).toBe('statistician');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(page.getByLabel('Method', { exact: true })).toHaveValue('guessing');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Somebody else changed it since.')).toBeAttached();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => answers()['expert']).toBe('');
    expect(answers()['method']).toBe('guessing');
    // Being told that somebody was faster is all that went wrong.
    for (const fault of faults) expect(fault).toMatch(/status of (409|412) /);
  });
});

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
