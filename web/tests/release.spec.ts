// What the pages say is what the program says: figures beside its JSON, commands run in a shell, files read back.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { protect, roles, sha256, table } from './people';
import { commands, expect, expectNoSideways, makeRelease, program, shell, shot, test, type Server } from './workbench';

/** What the page at hand made, by its job: the settings give it a name that nobody types. */
async function candidateOf(page: Page, server: Server, method: string): Promise<string> {
  const jobs = (await (await page.request.get(`${server.origin}/api/v1/jobs`)).json()) as { verb: string; request: { options: { method: string; out: string } } }[];
  return jobs.find((job) => job.verb === 'protect' && job.request.options.method === method)!.request.options.out;
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
  const candidate = await candidateOf(page, server, 'mondrian');
  const made = join(server.data, candidate);
  // Rows that were left out are counted once.
  await page.goto(`${server.origin}/compare?file=copied.csv&method=optimal&k=4`);
  await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
  expect(readFileSync(join(server.data, await candidateOf(page, server, 'optimal')), 'utf8').trim().split('\n').length - 1).toBe(240);
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
    mkdirSync(dirname(join(folder, candidate)), { recursive: true });
    for (const command of pasted) shell(command, folder);
    expect(sha256(join(folder, candidate))).toBe(sha256(made));

    // The project, downloaded, in place of the roles.
    await page.goto(`${server.origin}/protect?file=copied.csv`);
    await page.getByText('What happens to the columns, and where the settings are').click();
    const saving = page.getByRole('button', { name: 'Save the project' });
    const taking = page.getByRole('link', { name: 'Download copied.csv.project.yaml' });
    await expect(saving.or(taking)).toBeVisible();
    if (await saving.isVisible()) await saving.click();
    const download = page.waitForEvent('download');
    await taking.click();
    cpSync(await (await download).path(), join(folder, 'mine.yaml'));
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toContain('quasi_identifiers: ["age","sex","zip"]');
    shell(`pratique tables protect copied.csv --config mine.yaml --k 4 --method mondrian --seed ${seed} --out again.csv`, folder);
    expect(sha256(join(folder, 'again.csv'))).toBe(sha256(made));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a report is written, read and taken away', async ({ page, server }) => {
  mkdirSync(join(server.data, 'told'));
  server.write('told.csv', table());
  // Neither a map of another table of this name must take its place, nor one of other settings.
  server.write('told/told.csv', table());
  server.write('told-register.csv', table().replaceAll(/,[a-z]+$/gm, ''));
  const draw = (file: string, out: string, ...more: string[]) => execFileSync(program, ['tables', 'explore', file, ...roles, ...more, '--ks', '4', '--methods', 'mondrian', '--out', out], { cwd: server.data });
  draw('told.csv', 'maps/told.csv/a', '--l', '2', '--suppression', '0.05');
  draw('told.csv', 'maps/told.csv/b', '--l', '4');
  draw('told/told.csv', 'maps/told/told.csv/a', '--l', '2', '--suppression', '0.05');
  protect(server, 'told.csv', 'mondrian', 'told-one.csv');
  await server.open(page, '/risk?file=told.csv');
  await page.getByLabel("The adversary's list").selectOption('told-register.csv');
  await page.goto(`${server.origin}/release?file=told-one.csv`);
  await expect(page.getByText('Every claim holds.')).toBeVisible();
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
  // The one to hand out says nothing of the original, and lies with what leaves; the other stays.
  const ours = readFileSync(join(server.data, 'told-one.report.html'), 'utf8');
  await page.getByRole('button', { name: 'Write one to hand out' }).click();
  await expect(page.getByRole('region', { name: 'Download', exact: true }).getByRole('link', { name: 'told-one.public.html' })).toBeVisible();
  const handedOut = readFileSync(join(server.data, 'told-one.public.html'), 'utf8');
  expect(handedOut).toContain('the registry of gout');
  expect([ours, handedOut].map((text) => text.includes('which must not leave with the release'))).toEqual([true, false]);
  // The command under it, in a shell, writes the same words.
  const command = (await commands(page)).find((one) => one.startsWith('pratique report'))!;
  expect(command).toContain('--ru-map maps/told.csv/a/ru-map.json');
  // The list that was attacked with, where this program's report takes one.
  const listed = (await (await page.request.get(`${server.origin}/api/v1/commands`)).json()) as { verb: string; options: { name: string }[] }[];
  const takesList = listed.find((one) => one.verb === 'report')!.options.some((one) => one.name === 'adversary');
  expect(command.includes('--adversary told-register.csv')).toBe(takesList);
  shell(command.replace('told-one.report.html', 'told-again.html'), server.data);
  const again = readFileSync(join(server.data, 'told-again.html'), 'utf8');
  expect(again).toContain('the registry of gout');
  expect(again).not.toContain('drawn with other settings');
  // With the other map there is none.
  shell(command.replace('told-one.report.html', 'told-other.html').replace('told.csv/a/', 'told.csv/b/'), server.data);
  expect(readFileSync(join(server.data, 'told-other.html'), 'utf8')).toContain('drawn with other settings');
  // A click is not forgotten when the map is read only after it, and the command would be another by then.
  let arrive = (): void => {};
  const late = new Promise<void>((done) => (arrive = done));
  await page.route('**/maps/told.csv/a/ru-map.json', async (route) => {
    await late;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  await page.getByLabel('What for').fill('a second count');
  await page.getByRole('button', { name: 'Write it again' }).click();
  arrive();
  await expect(page.getByText('Writing the report: done')).toBeAttached();
  expect(readFileSync(join(server.data, 'told-one.report.html'), 'utf8')).toContain('a second count');
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
  const released = readFileSync(join(server.data, await candidateOf(page, server, 'suppress')), 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
  const sets = new Map<string, string[]>();
  for (const [patient, code] of released) sets.set(patient!, [...(sets.get(patient!) ?? []), code!].sort());
  const support = new Map<string, number>();
  for (const codes of sets.values())
    codes.forEach((one, i) => [one, ...codes.slice(i + 1).map((other) => `${one} ${other}`)].forEach((known) => support.set(known, (support.get(known) ?? 0) + 1)));
  expect(support.size).toBeGreaterThan(2);
  expect(Math.min(...support.values())).toBeGreaterThanOrEqual(5);
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  expect(await makeRelease(page)).toBe('ward-codes-suppress-k5-m2.csv');
  await expectNoSideways(page);
  await shot(page, 'codes-release');
});

test('codes: what lets an insider name somebody is red on the map, too', async ({ page, server }) => {
  // Every two of six codes are one patient's: five share each code, and nobody both.
  const codes = ['401.1', '250.0', '414.0', '428.0', '486', '599.0'];
  const rows = codes.flatMap((one, i) => codes.slice(i + 1).flatMap((other, j) => [`p${i}${j},${one}`, `p${i}${j},${other}`]));
  server.write('named-codes.csv', `patient,code\n${rows.join('\n')}\n`);
  await server.open(page, '/codes?file=named-codes.csv');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByText('Red marks with a cross let an insider name somebody.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Coarser codes everywhere, k 2, m 1/ }).locator('.bad')).toHaveText('100\u00a0%');
});

test('codes: the map offers settings, and a column that singles people out is warned about', async ({ page, server }) => {
  // 48 patients; four wards, in each of which a rare code has one patient of its own.
  const rows = Array.from({ length: 48 }, (_, i) => [`${401 + (i % 2)}.1`, `${250 + (i % 3)}.0`].map((code) => `p${i},${code},${Math.floor(i / 12) % 4},${i === 47 ? 'x' : 'y'}`)).flat();
  server.write('mapped-codes.csv', `patient,code,ward,odd\n${rows.join('\n')}\n`);
  await server.open(page, '/codes?file=mapped-codes.csv');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByRole('img', { name: /^Map of risk against utility/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Draw it again' })).toBeVisible();
  // What the page shows is what the command found.
  const table = page.getByRole('table', { name: 'Every setting of the map' });
  const found = JSON.parse(readFileSync(join(server.data, 'maps/mapped-codes.csv.codes', readdirSync(join(server.data, 'maps/mapped-codes.csv.codes'))[0]!, 'ru-map.json'), 'utf8')) as { points: { method: string; utility: number; risk: number }[] };
  await expect(table.getByRole('row')).toHaveCount(found.points.length + 1);
  expect(found.points.every((point) => point.risk === 0)).toBe(true);
  await expect(page.getByText('Red marks with a cross')).toHaveCount(0);
  await page.getByRole('button', { name: 'Choose Coarser codes everywhere, k 2, m 1' }).click();
  await expect(page.getByRole('radio', { name: /^Coarser codes everywhere/ })).toBeChecked();
  await page.getByRole('checkbox', { name: 'odd' }).check();
  await page.getByRole('button', { name: 'Protect', exact: true }).click();
  await expect(page.getByText(/^Whoever knows odd and a few codes singles out 1 of 48 released patients/)).toBeVisible();
  expect((await commands(page)).find((line) => line.includes('codes protect'))).toContain('--k 2 --m 1');
  await expectNoSideways(page);
  await shot(page, 'codes-map');
  // The report of the release shows it on the map.
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await makeRelease(page);
  await expect.poll(async () => (await commands(page)).join('\n')).toContain('--ru-map maps/mapped-codes.csv.codes/');
});
