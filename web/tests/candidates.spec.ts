// Nothing a steward relies on is overwritten: candidates are apart from releases, settings never share a file, and what
// is in a ledger stays.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { protect, sha256, table } from './people';
import { commands, expect, expectAccessible, expectNoSideways, makeRelease, shell, test } from './workbench';

const settings = 'id=name&qi=age,sex,zip&sensitive=diagnosis&hierarchy=age%3Dinterval:5%5C,10,zip%3Dprefix&l=2&suppression=0.02';

test('settings that differ in anything never share a file, a link or a map', async ({ page, server }) => {
  server.write('apart.csv', table());
  await server.open(page);
  const places = new Set<string>();
  const maps = new Set<string>();
  // Roles, hierarchies, suppression, l and t, one at a time.
  const variants = [settings, settings.replace('age,sex,zip', 'age,sex').replace('&l=', '&insensitive=zip&l='), settings.replace('5%5C,10', '10'), settings.replace('0.02', '0.03'), settings.replace('l=2', 'l=3'), `${settings}&t=0.5`];
  for (const variant of variants) {
    await page.goto(`${server.origin}/protect?file=apart.csv&${variant}`);
    const line = page.getByRole('region', { name: 'The same on the command line' }).locator('.line').first();
    await expect(line).toContainText('--out maps/apart.csv/');
    maps.add(/maps\/apart\.csv\/[0-9a-f]+/.exec((await line.textContent())!)![0]);
  }
  for (const variant of variants.slice(2, 4)) {
    await page.goto(`${server.origin}/compare?file=apart.csv&method=mondrian&k=4&${variant}`);
    await expect(page.getByRole('heading', { name: 'Some rows' })).toBeVisible();
    places.add(/candidates\/[0-9a-f]+\/apart\.csv/.exec((await commands(page))[0]!)![0]);
  }
  expect(maps.size).toBe(variants.length);
  expect(places.size).toBe(2);
  for (const place of places) expect(existsSync(join(server.data, place))).toBe(true);
  // A link of another is no decision: there is no project yet.
  expect(existsSync(join(server.data, 'apart.csv.project.yaml'))).toBe(false);
});

test('a candidate becomes a release under a name that nothing has, byte for byte', async ({ page, server }) => {
  server.write('named.csv', table());
  server.write('named-mondrian-k4-l2.csv', 'mine\n');
  await server.open(page, `/compare?file=named.csv&method=mondrian&k=4&${settings}`);
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  const candidate = new URL(page.url()).searchParams.get('file')!;
  // The name that is offered is free; one that is taken is refused, here and by the program.
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('named-mondrian-k4-l2-2.csv');
  await name.fill('named-mondrian-k4-l2.csv');
  await expect(page.getByText('A file has this name. Choose another: a release never replaces one.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make it a release' })).toBeDisabled();
  expect(() => shell(`pratique keep ${candidate} --out named-mondrian-k4-l2.csv`, server.data)).toThrow(/nothing is replaced here/);
  await expectAccessible(page, 'candidate');
  await name.fill('autumn.csv');
  expect(await makeRelease(page)).toBe('autumn.csv');
  expect(sha256(join(server.data, 'autumn.csv'))).toBe(sha256(join(server.data, candidate)));
  expect(readFileSync(join(server.data, 'named-mondrian-k4-l2.csv'), 'utf8')).toBe('mine\n');
  const manifest = JSON.parse(readFileSync(join(server.data, 'autumn.csv.manifest.json'), 'utf8')) as { output: { path: string }; options: { out: string } };
  expect([manifest.output.path, manifest.options.out]).toEqual(['autumn.csv', 'autumn.csv']);
  // The program agrees, and can make it again.
  expect(JSON.parse(shell('pratique verify autumn.csv --json', server.data))).toMatchObject({ holds: true });
  expect(JSON.parse(shell('pratique repeat autumn.csv --json', server.data))).toMatchObject({ same: true });
  // Candidates are shown as such.
  await page.goto(server.origin);
  await page.getByRole('heading', { name: 'Candidates' }).click();
  await expect(page.getByText(`in ${candidate.slice(0, candidate.lastIndexOf('/'))}`)).toBeVisible();
});

test.describe(() => {
  test.use({ expectFaults: true });
  test('what is in a ledger is neither replaced nor deleted, and says so', async ({ page, server }) => {
    server.write('sealed.csv', table());
    protect(server, 'sealed.csv', 'mondrian', 'sealed-one.csv');
    shell('pratique ledger init sealed.ledger && pratique ledger add sealed.ledger sealed-one.csv --population sealed', server.data);
    const before = sha256(join(server.data, 'sealed-one.csv'));
    await server.open(page);
    const row = page.locator('.files li', { hasText: 'sealed-one.csv' }).first();
    await expect(row.getByText('in the ledger, entry 1')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Delete sealed-one.csv', exact: true })).toHaveCount(0);
    // Not only the page: the server itself, whoever asks it, and whatever the file is called.
    const api = `${server.origin}/api/v1`;
    const headers = { 'X-Pratique': '1' };
    shell('cp sealed-one.csv copy-of-it.csv', server.data);
    for (const file of ['sealed-one.csv', 'sealed-one.csv.manifest.json', 'copy-of-it.csv']) {
      expect((await page.request.delete(`${api}/files/${file}`, { headers })).status(), file).toBe(409);
      expect((await page.request.post(`${api}/set-aside/${file}`, { headers })).status(), file).toBe(409);
      const put = await page.request.put(`${api}/files/${file}?replace=1`, { headers, data: Buffer.from('a\n1\n') });
      expect(put.status()).toBe(409);
      expect(((await put.json()) as { detail: string }).detail).toContain('belongs to entry 1 of sealed.ledger');
    }
    const job = await page.request.post(`${api}/tables/protect`, { headers, data: { inputs: ['sealed.csv'], options: { id: ['name'], qi: ['age', 'sex', 'zip'], sensitive: ['diagnosis'], k: 2, method: 'mondrian', out: 'sealed-one.csv', force: true } } });
    expect(job.status()).toBe(409);
    expect(sha256(join(server.data, 'sealed-one.csv'))).toBe(before);
    await page.goto(`${server.origin}/release?file=sealed-one.csv`);
    await expect(page.getByText(/Recorded in sealed.ledger, entry 1: neither this page nor any job replaces or deletes it/)).toBeVisible();
    await expectNoSideways(page);
  });
});

test('a deletion is undone until the page is left', async ({ page, server }) => {
  server.write('gone.csv', 'age,sex\n20,F\n');
  await server.open(page);
  await page.getByRole('button', { name: 'Delete gone.csv' }).click();
  await expect(page.getByText('gone.csv was deleted.')).toBeVisible();
  expect(existsSync(join(server.data, 'gone.csv'))).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Delete gone.csv' })).toBeVisible();
  expect(readFileSync(join(server.data, 'gone.csv'), 'utf8')).toBe('age,sex\n20,F\n');
  // By the keyboard, too.
  await page.getByRole('button', { name: 'Delete gone.csv' }).click();
  await expect(page.getByText('gone.csv was deleted.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('button', { name: 'Delete gone.csv' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete gone.csv' }).click();
  await expect(page.getByText('gone.csv was deleted.')).toBeVisible();
  await page.locator('nav a[href="/jobs"]').click();
  await expect.poll(() => readdirSync(join(server.data, '.pratique/deleted')).length).toBe(0);
});

test('what the ledger would refuse is said before the release is made', async ({ page, server }) => {
  server.write('twice.csv', table());
  // Everybody's age, sex and postcode as they are beside a coarser version: together they isolate.
  protect(server, 'twice.csv', 'mondrian', 'twice-one.csv');
  shell('pratique ledger init twice.ledger && pratique ledger add twice.ledger twice-one.csv --population twice', server.data);
  await server.open(page, `/compare?file=twice.csv&method=optimal&k=4&${settings}`);
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  const trial = page.getByRole('region', { name: 'What the ledger would say' });
  const ledgers = trial.getByLabel('Which ledger');
  await expect(trial).toBeVisible();
  if (await ledgers.isVisible()) await ledgers.selectOption('twice.ledger');
  const verdict = trial.getByText(/twice.ledger would (take|refuse) it/);
  await expect(verdict).toBeVisible();
  const told = (await verdict.textContent())!.includes('would take');
  // Nothing was recorded, and the program says the same.
  const command = (await commands(page)).find((line) => line.includes('--try'))!;
  let said = '';
  try {
    said = shell(`${command} --json`, server.data);
  } catch (error) {
    said = (error as { stdout: string }).stdout;
  }
  expect(JSON.parse(said)).toMatchObject({ would_add: told, added: false });
  expect(JSON.parse(shell('pratique ledger list twice.ledger --json', server.data))).toMatchObject({ size: 2 });
});
