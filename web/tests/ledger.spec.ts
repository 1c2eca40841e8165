// The ledger's page: what it refuses, what it tells, and what it is told.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { percent } from '../src/lib/format';
import { protect, sha256, table } from './people';
import { commands, expect, expectAccessible, expectNoSideways, program, shell, shot, test, type Server } from './workbench';

test('a ledger is begun, grows, refuses, and tells when it was changed', async ({ page, server }) => {
  // Two secrets, of which the first decides; and a later extract of the same people, one of whom is gone.
  const lines = table().trim().split('\n').map((line, i) => `${line},${i === 0 ? 'ward' : i % 4 < 2 ? 'A' : 'B'}`);
  server.write('kept.csv', lines.join('\n') + '\n');
  mkdirSync(join(server.data, 'later'));
  server.write('later/kept.csv', lines.slice(0, -1).join('\n') + '\n');
  protect(server, 'kept.csv', 'mondrian', 'kept-one.csv', 'ward,diagnosis');
  protect(server, 'later/kept.csv', 'optimal', 'later/kept-two.csv', 'ward,diagnosis', 8);
  execFileSync(program, ['ledger', 'init', 'site.ledger'], { cwd: server.data });
  await server.open(page, '/ledger?file=site.ledger');
  await expect(page.getByText('Every entry is signed and in its place.')).toBeVisible();
  await expect(page.getByText('No release has been added yet.')).toBeVisible();
  execFileSync(program, ['report', 'kept-one.csv', '--out', 'kept-one.report.html'], { cwd: server.data });
  await page.reload();
  await page.getByLabel('Which release').selectOption('kept-one.csv');
  await expect(page.getByLabel('Whose data is it')).toHaveValue('patients');
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('It is entry 1 of site.ledger')).toBeVisible();
  await expect(page.getByText('There was no earlier release to attack it with.')).toBeVisible();
  await expect(page.getByText('with the earlier ones', { exact: true })).toHaveCount(0);
  // A mark of the report that only the ledger's key makes: its hash would let others try reports.
  const recorded = readFileSync(join(server.data, 'site.ledger'), 'utf8');
  expect(recorded).not.toContain(sha256(join(server.data, 'kept-one.report.html')));
  expect(JSON.parse(recorded.trim().split('\n')[1] ?? '').entry.body.report).toMatch(/^[0-9a-f]{64}$/);
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('row');
  await expect(entries).toHaveCount(2); // with the header
  await expect(entries.nth(1)).toContainText('kept-one.csv');

  // The second release of the same people, which the first makes unsafe.
  renameSync(join(server.data, 'kept-one.csv'), join(server.data, 'elsewhere'));
  await page.getByLabel('Which release').selectOption('later/kept-two.csv');
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('Not added: earlier releases of the same people are missing, entry 1 of the ledger.')).toBeVisible();
  await expect(page.getByLabel('Go on without the missing files (the ledger records that)')).not.toBeChecked();
  renameSync(join(server.data, 'elsewhere'), join(server.data, 'kept-one.csv'));
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('Not added: together with 1 earlier release it exposes')).toBeVisible();
  let refusal = '';
  try {
    shell('pratique ledger add site.ledger later/kept-two.csv --population patients --releases . --json', server.data);
  } catch (error) {
    expect((error as { status: number }).status).toBe(1);
    refusal = (error as { stdout: string }).stdout;
  }
  const { breach, sequence } = JSON.parse(refusal) as {
    breach: number;
    sequence: { differenced: number; attributes: { sensitive: string; disclosed: number }[] };
  };
  const certain = sequence.attributes.find((attribute) => attribute.sensitive === 'ward')?.disclosed ?? 0;
  expect(certain).toBeGreaterThan(0);
  expect(breach).toBeGreaterThanOrEqual(Math.max(certain, sequence.differenced));
  expect(breach).toBeGreaterThan(0);
  expect(breach).toBeLessThan(0.2);
  await expect(page.getByRole('row', { name: /people whose ward is certain/ }).getByRole('cell').last()).toHaveText(percent(certain));
  await expect(page.getByRole('row', { name: /whom the difference from an earlier release isolates/ }).getByRole('cell').last()).toHaveText(percent(sequence.differenced));
  await expect(page.getByRole('row', { name: /people whose diagnosis is certain/ })).toBeVisible();
  await expect(entries).toHaveCount(2);
  await expectNoSideways(page);
  await expectAccessible(page, 'ledger-refused');

  // The steward may allow it, and then it is written down that she did.
  await page.getByRole('slider', { name: 'People who may be exposed' }).fill('0.2');
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('It is entry 2 of site.ledger')).toBeVisible();
  await expect(entries).toHaveCount(3);

  // A head that was saved is compared with what became of the ledger, and stays when it does not fit.
  await page.getByText('Was something cut off the end?').click();
  await page.getByRole('button', { name: 'Save the head' }).click();
  await expect(page.getByText('It has only grown since site.ledger.head was saved.')).toBeVisible();
  const path = join(server.data, 'site.ledger');
  const text = readFileSync(path, 'utf8');
  const head = readFileSync(`${path}.head`, 'utf8');
  writeFileSync(path, text.trim().split('\n').slice(0, -1).join('\n') + '\n');
  await page.reload();
  await expect(page.getByText('It does not match site.ledger.head: cut off')).toBeVisible();
  await page.getByText('Was something cut off the end?').click();
  await expect(page.getByRole('button', { name: 'Save the head' })).toBeHidden();
  expect(readFileSync(`${path}.head`, 'utf8')).toBe(head);
  // One that was kept elsewhere says the same.
  rmSync(`${path}.head`);
  await page.reload();
  await page.getByText('Was something cut off the end?').click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Compare with a kept head …' }).click();
  await (await chooser).setFiles({ name: 'from-the-safe.json', mimeType: 'application/json', buffer: Buffer.from(head) });
  await expect(page.getByText('It does not match site.ledger.kept.head: cut off')).toBeVisible();

  // Somebody rounds a figure in the file.
  writeFileSync(path, text.replace(/"rows":(\d+)/, (_, rows) => `"rows":${Number(rows) + 1}`));
  expect(readFileSync(path, 'utf8')).not.toBe(text);
  await page.reload();
  await expect(page.getByText('Something was changed. Do not trust this file.')).toBeVisible();
  await shot(page, 'ledger-changed');
});

/** What the program says to a command that it refuses. */
function refused<Result>(command: string, server: Server): Result {
  try {
    shell(`${command} --json`, server.data);
  } catch (error) {
    expect((error as { status: number }).status).toBe(1);
    return JSON.parse((error as { stdout: string }).stdout) as Result;
  }
  throw new Error(`it was not refused: ${command}`);
}
interface Addition {
  breach: number;
  others: number;
  sequence: { people: number };
}

test('a release is attacked with what others published, by people who are named', async ({ page, server }) => {
  server.write('own.csv', table());
  protect(server, 'own.csv', 'optimal', 'own-release.csv');
  // The other organisation's file comes without a manifest.
  protect(server, 'own.csv', 'mondrian', 'theirs.csv');
  rmSync(join(server.data, 'theirs.csv.manifest.json'));
  // Half of the people, by what is known of them.
  server.write('half.csv', table().trim().split('\n').slice(0, 121).join('\n') + '\n');
  execFileSync(program, ['ledger', 'init', 'known.ledger'], { cwd: server.data });
  await server.open(page, '/ledger?file=known.ledger');
  await page.getByLabel('Which release').selectOption('own-release.csv');
  await page.getByText('What others know').click();
  await page.getByRole('group', { name: 'What other organisations published about the same people' }).getByText('theirs.csv').click();
  await page.getByRole('button', { name: 'Add to known.ledger' }).click();
  await expect(page.getByText('Not added: together with 1 file that others published it exposes')).toBeVisible();
  await expect(page.getByText('What is published cannot be taken back.')).toBeVisible();

  // The same share as when the two are composed: of 240 people, those with one diagnosis in both crowds.
  const command = (await commands(page)).find((one) => one.includes('ledger add'))!;
  expect(command).toContain('--known theirs.csv');
  const whole = refused<Addition>(command, server);
  const composed = JSON.parse(
    shell('pratique fusion compose --release own-release.csv --release theirs.csv --targets own.csv --qi age,sex,zip --sensitive diagnosis --hierarchy age=interval:5,10,20 --hierarchy zip=prefix --json', server.data),
  ) as { perfect_breach: number };
  expect(whole.breach).toBeGreaterThan(0);
  expect(whole.sequence.people).toBe(240);
  await expect(page.getByRole('columnheader', { name: 'with what others published' })).toBeVisible();
  const certain = page.getByRole('row', { name: /people whose diagnosis is certain/ }).getByRole('cell').last();
  await expect(certain).toHaveText(percent(composed.perfect_breach));
  await expectNoSideways(page);
  await expectAccessible(page, 'ledger-known');

  // Other people may be meant than those of the table.
  await page.getByLabel('Who the people are').selectOption('half.csv');
  await expect(page.getByText('Not added:')).toBeHidden();
  await page.getByRole('button', { name: 'Add to known.ledger' }).click();
  await expect(page.getByText('Not added:')).toBeVisible();
  const half = refused<Addition>((await commands(page)).find((one) => one.includes('--people half.csv'))!, server);
  expect(half.sequence.people).toBe(120);
  await page.getByText('All figures').click();
  await expect(page.locator('dt', { hasText: /^people$/ }).locator('xpath=following-sibling::dd[1]')).toHaveText('120');
  expect(readFileSync(join(server.data, 'known.ledger'), 'utf8')).not.toContain(sha256(join(server.data, 'own-release.csv')));
});

test('entries of other people and missing files are named, never passed over in silence', async ({ page, server }) => {
  server.write('north.csv', table());
  server.write('south.csv', table().replaceAll('flu', 'mumps'));
  protect(server, 'north.csv', 'mondrian', 'north-release.csv');
  protect(server, 'south.csv', 'mondrian', 'south-release.csv');
  protect(server, 'south.csv', 'optimal', 'south-later.csv');
  execFileSync(program, ['ledger', 'init', 'two.ledger'], { cwd: server.data });
  for (const place of ['north', 'south']) execFileSync(program, ['ledger', 'add', 'two.ledger', `${place}-release.csv`, '--population', place, '--other-people'], { cwd: server.data });
  for (const ending of ['', '.manifest.json']) rmSync(join(server.data, `south-release.csv${ending}`));

  await server.open(page, '/ledger?file=two.ledger');
  await page.getByLabel('Which release').selectOption('south-later.csv');
  await expect(page.getByText('here 1 of 2 earlier releases')).toBeVisible();
  await page.getByRole('button', { name: 'Add to two.ledger' }).click();
  await expect(page.getByText('Not added: earlier releases of the same people are missing, entry 2 of the ledger.')).toBeVisible();
  await page.getByLabel('Go on without the missing files (the ledger records that)').check();
  await page.getByRole('button', { name: 'Add to two.ledger' }).click();
  await expect(page.getByText('It is entry 3 of two.ledger')).toBeVisible();
  await expect(page.getByText('Added without entry 2, whose files are missing. The ledger says so.')).toBeVisible();
  await expect(page.getByText('1 entry is about other people, as far as the ledger knows, and not part of the attack.')).toBeVisible();
  const last = page.getByRole('region', { name: 'Entries' }).getByRole('row').last();
  await expect(last).toContainText('south-later.csv');
  await expect(last).toContainText('not tried with 1 earlier release');
  // That it did is in the file itself.
  const line = readFileSync(join(server.data, 'two.ledger'), 'utf8').trim().split('\n').filter((one) => one.includes(sha256(join(server.data, 'south-later.csv'))));
  expect(line).toHaveLength(1);
  expect(line[0]).toContain('"missing":[2]');
  await shot(page, 'ledger-missing');
});

test('whose data it is must be said where a table may have grown', async ({ page, server }) => {
  server.write('early.csv', table().trim().split('\n').slice(0, -1).join('\n') + '\n');
  server.write('grown.csv', table());
  protect(server, 'early.csv', 'mondrian', 'early-release.csv');
  protect(server, 'grown.csv', 'mondrian', 'grown-release.csv');
  execFileSync(program, ['ledger', 'init', 'asking.ledger'], { cwd: server.data });
  execFileSync(program, ['ledger', 'add', 'asking.ledger', 'early-release.csv'], { cwd: server.data });
  await server.open(page, '/ledger?file=asking.ledger');
  await page.getByLabel('Which release').selectOption('grown-release.csv');
  await page.getByRole('button', { name: 'Add to asking.ledger' }).click();
  await expect(page.getByText('Not added: entry 1 of the ledger may be about the people of this release. Are they the same?')).toBeVisible();
  await expect(page.getByLabel('the same people: attack the releases together')).not.toBeChecked();
  await expectAccessible(page, 'ledger-asking');
  // The same people: both are attacked together.
  await page.getByLabel('the same people: attack the releases together').check();
  expect((await commands(page)).some((one) => one.includes('--same-people 1'))).toBe(true);
  // Others: the ledger keeps that somebody said so.
  await page.getByLabel('other people (the ledger records that you said so)').check();
  await page.getByRole('button', { name: 'Add to asking.ledger' }).click();
  await expect(page.getByText('It is entry 2 of asking.ledger')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Entries' }).getByText('said to be other people than entry 1')).toBeVisible();
});
