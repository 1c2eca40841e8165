// What the pages say is what the program says: figures beside its JSON, commands run in a shell, files read back.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { percent } from '../src/lib/format';
import { expect, expectAccessible, expectNoSideways, program, shot, test, type Server } from './workbench';

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Runs what the page shows, as somebody does who pasted it into a terminal in this folder. */
function shell(command: string, folder: string): string {
  return execFileSync('sh', ['-c', `pratique() { "${program}" "$@"; }; ${command}`], { cwd: folder, encoding: 'utf8' });
}
const commands = (page: Page): Promise<string[]> => page.getByRole('region', { name: 'The same on the command line' }).locator('.line').allTextContents();

/** 240 people: every pair of age and sex is of five people or more, postcodes single them out. */
function table(): string {
  const diagnoses = ['flu', 'asthma', 'angina', 'gout', 'migraine'];
  const rows = Array.from({ length: 240 }, (_, i) => `N${i},${20 + (i % 24)},${i % 2 ? 'F' : 'M'},${2130 + (i * 7) % 40},${diagnoses[(i * i + (i >> 3)) % 5]}`);
  return `name,age,sex,zip,diagnosis\n${rows.join('\n')}\n`;
}
const roles = ['--id', 'name', '--qi', 'age,sex,zip', '--sensitive', 'diagnosis', '--hierarchy', 'age=interval:5,10,20', '--hierarchy', 'zip=prefix'];
/** A release made on the command line, beside its table in the server's folder. */
function protect(server: Server, file: string, method: string, out: string, secrets = 'diagnosis'): void {
  execFileSync(program, ['tables', 'protect', file, ...roles.map((word) => (word === 'diagnosis' ? secrets : word)), '--k', '4', '--l', '2', '--suppression', '0.05', '--method', method, '--seed', '1', '--out', out], { cwd: server.data });
}

test('a copied command and a settings file give the very release of the page', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  // One more, who sticks out so much that the best choice leaves him out.
  server.write('copied.csv', `${table()}N240,99,F,9999,gout\n`);
  await server.open(page, '/columns?file=copied.csv');
  const list = page.locator('.columns-list');
  await list.getByRole('group', { name: 'What is age?' }).getByText('Others may know it').click();
  await list.getByRole('group', { name: 'What is zip?' }).getByText('Others may know it').click();
  await list.getByRole('group', { name: 'What is diagnosis?' }).getByText('Must stay secret').click();
  await page.goto(`${server.origin}/compare?file=copied.csv&method=mondrian&k=4`);
  await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  const made = join(server.data, 'copied-mondrian-k4.csv');
  // Rows that were left out are counted once.
  await page.goto(`${server.origin}/compare?file=copied.csv&method=optimal&k=4`);
  await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  expect(readFileSync(join(server.data, 'copied-optimal-k4.csv'), 'utf8').trim().split('\n').length - 1).toBe(240);
  await expect(page.getByText('240 records of 241 shown, 1 left out')).toBeVisible();
  await page.goto(`${server.origin}/compare?file=copied.csv&method=mondrian&k=4`);
  await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  const { seed } = JSON.parse(readFileSync(`${made}.manifest.json`, 'utf8')) as { seed: number };

  // Pasted into a terminal: in a copy of the folder from before, the same bytes.
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const pasted = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(pasted).toEqual(await commands(page));
  const folder = mkdtempSync(join(tmpdir(), 'pratique-shell-'));
  try {
    cpSync(join(server.data, 'copied.csv'), join(folder, 'copied.csv'));
    for (const command of pasted) shell(command, folder);
    expect(sha256(join(folder, 'copied-mondrian-k4.csv'))).toBe(sha256(made));

    // The settings file, downloaded, in place of the roles.
    await page.goto(`${server.origin}/protect?file=copied.csv`);
    await page.getByText('What becomes of the columns, and settings as a file').click();
    await page.getByRole('button', { name: 'Save as a settings file' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download copied.settings.yaml' }).click();
    cpSync(await (await download).path(), join(folder, 'mine.yaml'));
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toContain('quasi_identifiers: ["age","sex","zip"]');
    shell(`pratique tables protect copied.csv --config mine.yaml --k 4 --suppression 0.02 --method mondrian --seed ${seed} --out again.csv`, folder);
    expect(sha256(join(folder, 'again.csv'))).toBe(sha256(made));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('two releases attacked together, as the command line does', async ({ page, server }) => {
  server.write('fused.csv', table());
  protect(server, 'fused.csv', 'mondrian', 'fused-one.csv');
  await server.open(page, '/fusion?source=fused.csv');
  await expect(page.getByText('There is only one release of fused.csv.')).toBeVisible();
  // Another folder, the same name.
  mkdirSync(join(server.data, 'second'));
  protect(server, 'fused.csv', 'optimal', 'second/fused-one.csv');
  await page.reload();
  await page.getByRole('button', { name: 'Attack them together' }).click();
  await expect(page.getByRole('heading', { name: 'What the adversary knew and learnt' })).toBeVisible();

  const [command] = await commands(page);
  expect(command).toContain('--release fused-one.csv --release second/fused-one.csv --targets fused.csv');
  const found = JSON.parse(shell(`${command} --json`, server.data)) as {
    perfect_breach: number;
    vulnerable: number;
    breach_at: Record<string, number>;
    effective_anonymity: { prior: number[]; posterior: number };
  };
  expect(found.vulnerable).toBeGreaterThan(0); // Else there is nothing to see.
  await expect(page.locator('figcaption strong').first()).toHaveText(percent(found.perfect_breach));
  await expect(page.locator('figcaption').first()).toContainText(`one possible diagnosis: ${Math.round(found.perfect_breach * 240)}.`);
  await expect(page.locator('figcaption strong').nth(1)).toHaveText(percent(found.vulnerable));
  const joined = page.getByRole('list', { name: 'Possible values per person, by what is joined' });
  await expect(joined.locator('.name')).toHaveText(['fused-one.csv alone', 'second/fused-one.csv alone', 'all of them together']);
  const left = joined.locator('.figure');
  await expect(left).toHaveText([...found.effective_anonymity.prior, found.effective_anonymity.posterior].map((one) => one.toFixed(1)));
  const shares = page.getByRole('list', { name: 'Share of people by how many values are left' }).locator('.figure');
  await expect(shares).toHaveText(['1', '0.5', '0.333', '0.25'].map((confidence) => percent(found.breach_at[confidence]!)));
  await expectNoSideways(page);
  await expectAccessible(page, 'fusion-compose');

  // Knowing less finds less; the address of the attack leads back to it.
  await page.getByRole('group', { name: 'What the adversary knows of a person' }).getByText('zip').click();
  await expect(page.getByRole('heading', { name: 'What the adversary knew and learnt' })).toBeHidden();
  await page.getByRole('group', { name: 'What the adversary knows of a person' }).getByText('zip').click();
  await expect(page.getByRole('heading', { name: 'What the adversary knew and learnt' })).toBeVisible();
});

test('a number is estimated with facts from the web', async ({ page, server }) => {
  // Who owns more earns more; the list says nothing else.
  const names = Array.from({ length: 60 }, (_, i) => `Person ${String.fromCharCode(65 + (i % 26))}${i}`);
  server.write('customers.csv', `name,visits,income\n${names.map((name, i) => `${name},${i % 3},${20_000 + 1000 * i}`).join('\n')}\n`);
  server.write('facts.csv', `name,property_value\n${names.map((name, i) => `${name},${50_000 + 5000 * i}`).join('\n')}\n`);
  await server.open(page, '/fusion?verb=web');
  await page.getByLabel('The list with names').selectOption('customers.csv');
  await page.getByLabel('Facts about people').selectOption('facts.csv');
  await expect(page.getByLabel('Joined by')).toHaveValue('name');
  await page.getByLabel('The private number').selectOption('income');
  await page.getByRole('button', { name: 'Draft rules and estimate' }).click();
  await expect(page.getByText('60 of 60 people (100 %) are found on the web by name.')).toBeVisible();
  const shown = await commands(page);
  const found = JSON.parse(shell(`${shown[1]} --json`, server.data)) as { within_10_percent: number; dissimilarity_after: number };
  const figure = (text: string | null): number => Number(text?.replace(/[^0-9.]/g, ''));
  const cells = page.getByRole('row', { name: /typical error of the estimated income/ }).getByRole('cell');
  expect(figure(await cells.last().textContent())).toBe(Number(Math.sqrt(found.dissimilarity_after).toPrecision(3)));
  await expect(page.getByRole('row', { name: /people estimated to within 10/ }).getByRole('cell').last()).toHaveText(percent(found.within_10_percent));
  await expectNoSideways(page);
  await expectAccessible(page, 'fusion-web');
});

test('a ledger is begun, grows, refuses, and tells when it was changed', async ({ page, server }) => {
  // Two secrets, of which the second decides; and a later extract of the same people, one of whom is gone.
  const lines = table().trim().split('\n').map((line, i) => `${line},${i === 0 ? 'ward' : i % 2 ? 'A' : 'B'}`);
  server.write('kept.csv', lines.join('\n') + '\n');
  mkdirSync(join(server.data, 'later'));
  server.write('later/kept.csv', lines.slice(0, -1).join('\n') + '\n');
  protect(server, 'kept.csv', 'mondrian', 'kept-one.csv', 'ward,diagnosis');
  protect(server, 'later/kept.csv', 'optimal', 'later/kept-two.csv', 'ward,diagnosis');
  execFileSync(program, ['ledger', 'init', 'site.ledger'], { cwd: server.data });
  await server.open(page, '/ledger?file=site.ledger');
  await expect(page.getByText('Every entry is where it was written, and signed.')).toBeVisible();
  await expect(page.getByText('No release was added yet.')).toBeVisible();
  execFileSync(program, ['report', 'kept-one.csv', '--out', 'kept-one.report.html'], { cwd: server.data });
  await page.reload();
  await page.getByLabel('Which release').selectOption('kept-one.csv');
  await expect(page.getByLabel('Whose data is it')).toHaveValue('patients');
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('It is entry 1 of site.ledger')).toBeVisible();
  await expect(page.getByText('No earlier release was attacked together with it.')).toBeVisible();
  await expect(page.getByText('with the earlier ones', { exact: true })).toHaveCount(0);
  expect(readFileSync(join(server.data, 'site.ledger'), 'utf8')).toContain(sha256(join(server.data, 'kept-one.report.html')));
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('row');
  await expect(entries).toHaveCount(2); // with the header
  await expect(entries.nth(1)).toContainText('kept-one.csv');

  // The second release of the same people, which the first makes unsafe.
  renameSync(join(server.data, 'kept-one.csv'), join(server.data, 'elsewhere'));
  await page.getByLabel('Which release').selectOption('later/kept-two.csv');
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('Not added: earlier releases of the same people are missing, entry 1 of the ledger.')).toBeVisible();
  await expect(page.getByLabel('Go on without the missing files; the ledger says so')).not.toBeChecked();
  renameSync(join(server.data, 'elsewhere'), join(server.data, 'kept-one.csv'));
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('Not added: together with 1 earlier release it gives away')).toBeVisible();
  let refusal = '';
  try {
    shell('pratique ledger add site.ledger later/kept-two.csv --population patients --releases . --json', server.data);
  } catch (error) {
    expect((error as { status: number }).status).toBe(1);
    refusal = (error as { stdout: string }).stdout;
  }
  const { breach } = JSON.parse(refusal) as { breach: number };
  expect(breach).toBeGreaterThan(0);
  expect(breach).toBeLessThan(0.2);
  await expect(page.getByRole('row', { name: /people whose diagnosis is certain/ }).getByRole('cell').last()).toHaveText(percent(breach));
  await expect(page.getByRole('row', { name: /people whose ward is certain/ })).toBeVisible();
  await expect(entries).toHaveCount(2);
  await expectNoSideways(page);
  await expectAccessible(page, 'ledger-refused');

  // The steward may allow it, and then it is written down that she did.
  await page.getByRole('slider', { name: 'People who may be given away' }).fill('0.2');
  await page.getByRole('button', { name: 'Add to site.ledger' }).click();
  await expect(page.getByText('It is entry 2 of site.ledger')).toBeVisible();
  await expect(entries).toHaveCount(3);

  // A head that was saved is compared with what became of the ledger, and stays when it does not fit.
  await page.getByText('Was something cut off its end?').click();
  await page.getByRole('button', { name: 'Save the head' }).click();
  await expect(page.getByText('It has only grown since site.ledger.head was saved.')).toBeVisible();
  const path = join(server.data, 'site.ledger');
  const text = readFileSync(path, 'utf8');
  const head = readFileSync(`${path}.head`, 'utf8');
  writeFileSync(path, text.trim().split('\n').slice(0, -1).join('\n') + '\n');
  await page.reload();
  await expect(page.getByText('It is not what site.ledger.head was saved of: cut off')).toBeVisible();
  await page.getByText('Was something cut off its end?').click();
  await expect(page.getByRole('button', { name: 'Save the head' })).toBeHidden();
  expect(readFileSync(`${path}.head`, 'utf8')).toBe(head);
  // One that was kept elsewhere says the same.
  rmSync(`${path}.head`);
  await page.reload();
  await page.getByText('Was something cut off its end?').click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Compare with a kept head …' }).click();
  await (await chooser).setFiles({ name: 'from-the-safe.json', mimeType: 'application/json', buffer: Buffer.from(head) });
  await expect(page.getByText('It is not what site.ledger.kept.head was saved of: cut off')).toBeVisible();

  // Somebody rounds a figure in the file.
  writeFileSync(path, text.replace('"rows":240', '"rows":241'));
  expect(readFileSync(path, 'utf8')).not.toBe(text);
  await page.reload();
  await expect(page.getByText('Something was changed. Do not trust this file.')).toBeVisible();
  await shot(page, 'ledger-changed');
});

test('a report is written, read and taken away', async ({ page, server }) => {
  mkdirSync(join(server.data, 'told'));
  server.write('told.csv', table());
  // A map of another table of this name must not take its place.
  server.write('told/told.csv', table());
  server.write('told-register.csv', table().replaceAll(/,[a-z]+$/gm, ''));
  for (const file of ['told.csv', 'told/told.csv']) execFileSync(program, ['tables', 'explore', file, ...roles, '--ks', '4', '--methods', 'mondrian', '--out', `maps/${file}`], { cwd: server.data });
  protect(server, 'told.csv', 'mondrian', 'told-one.csv');
  await server.open(page, '/risk?file=told.csv');
  await page.getByLabel("The adversary's list").selectOption('told-register.csv');
  await page.goto(`${server.origin}/release?file=told-one.csv`);
  await expect(page.getByText('Everything that was promised holds.')).toBeVisible();
  await page.getByLabel('Released to').fill('the registry of gout');
  await page.getByLabel('What for').fill('a count by age');
  await page.getByLabel('Who answers for it').fill('Dr Quill');
  await page.getByRole('button', { name: 'Write the report' }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Read it (new tab)' }).click();
  const report = await opened;
  for (const said of ['the registry of gout', 'a count by age', 'Dr Quill']) await expect(report.getByText(said).first()).toBeVisible();
  await shot(report, 'report');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the report' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(readFileSync(join(server.data, 'told-one.report.html'), 'utf8'));
  // The command under it, in a shell, writes the same words.
  const command = (await commands(page)).find((one) => one.startsWith('pratique report'))!;
  expect(command).toContain('--ru-map maps/told.csv/ru-map.json');
  // The list that was attacked with, where this program's report takes one.
  const listed = (await (await page.request.get(`${server.origin}/api/v1/commands`)).json()) as { verb: string; options: { name: string }[] }[];
  const takesList = listed.find((one) => one.verb === 'report')!.options.some((one) => one.name === 'adversary');
  expect(command.includes('--adversary told-register.csv')).toBe(takesList);
  shell(command.replace('told-one.report.html', 'told-again.html'), server.data);
  expect(readFileSync(join(server.data, 'told-again.html'), 'utf8')).toContain('the registry of gout');
});

test('codes are protected so that no two of them single a patient out', async ({ page, server }) => {
  // 90 patients; codes 100 to 108 are common, every patient has one of 45 rare ones.
  const rows = Array.from({ length: 90 }, (_, i) => [`${100 + (i % 3)}`, `${103 + (i % 2)}`, `${700 + (i % 45)}`].map((code) => `p${i},${code}`)).flat();
  server.write('ward-codes.csv', `patient,code\n${rows.join('\n')}\n`);
  await server.open(page, '/codes?file=ward-codes.csv');
  await expect(page.getByText('90 patients, 50 different codes, 3.0 per patient.')).toBeVisible();
  await page.getByLabel('Leave out rare codes').check();
  await page.getByRole('button', { name: 'Protect', exact: true }).click();
  await expect(page.getByRole('row', { name: /in crowds under 5 by 2 codes/ }).getByRole('cell').last()).toHaveText('0');
  const released = readFileSync(join(server.data, 'ward-codes-suppress-k5-m2.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
  const sets = new Map<string, string[]>();
  for (const [patient, code] of released) sets.set(patient!, [...(sets.get(patient!) ?? []), code!].sort());
  const support = new Map<string, number>();
  for (const codes of sets.values())
    codes.forEach((one, i) => [one, ...codes.slice(i + 1).map((other) => `${one} ${other}`)].forEach((known) => support.set(known, (support.get(known) ?? 0) + 1)));
  expect(support.size).toBeGreaterThan(2);
  expect(Math.min(...support.values())).toBeGreaterThanOrEqual(5);
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Everything that was promised holds.')).toBeVisible();
  await expectNoSideways(page);
  await shot(page, 'codes-release');
});

test('the small world on the page is that of its files', async ({ page, server }) => {
  await server.open(page, '/trails');
  await page.getByRole('button', { name: 'Make and attack it' }).click();
  const before = page.getByRole('img', { name: /^Before: 12 people/ });
  await expect(before).toBeVisible();
  // Where everybody was seen, from the two lists; a trail that one person and one sample have is a match.
  const trails = (file: string): string[] => {
    const seen = new Map<string, string[]>();
    for (const line of readFileSync(join(server.data, 'small-world', file), 'utf8').trim().split('\n').slice(1)) {
      const [place, who] = line.split(',');
      seen.set(who!, [...(seen.get(who!) ?? []), place!].sort());
    }
    return [...seen.values()].map((places) => places.join(' '));
  };
  const [people, samples] = [trails('identified.csv'), trails('deidentified.csv')];
  const once = (list: string[], trail: string): boolean => list.filter((one) => one === trail).length === 1;
  const certain = samples.filter((trail) => once(samples, trail) && once(people, trail)).length;
  const links = samples.reduce((sum, trail) => sum + people.filter((one) => one === trail).length, 0);
  await expect(before).toHaveAccessibleName(`Before: ${people.length} people, ${samples.length} samples, ${links} possible links of which ${certain} are certain`);
  await page.getByRole('button', { name: 'Protect it' }).click();
  await expect(page.getByRole('img', { name: /^After: .* 0 are certain/ })).toBeVisible();
  await page.getByRole('link', { name: 'Verify this release' }).click();
  await expect(page.getByText('Everything that was promised holds.')).toBeVisible();
});
