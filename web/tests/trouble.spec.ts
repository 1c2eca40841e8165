// What goes wrong in real life: reloads, two tabs, broken files, a server that dies.
import { execFileSync } from 'node:child_process';
import { protect, table } from './people';
import { expect, expectNoSideways, program, Server, shot, test, watch } from './workbench';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Long enough to be interrupted: worlds by chance, a hundred thousand of them. */
const longJob = '/commands?noun=trails&verb=simulate';
async function startLong(page: import('@playwright/test').Page): Promise<void> {
  await page.getByText('More options').click();
  await page.getByLabel('subjects (optional)').fill('20000');
  await page.getByLabel('runs (optional)').fill('100000');
  await page.getByLabel('seed (optional)').fill('1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
}

test('a job survives a reload, is seen in a second tab, and can be cancelled there', async ({ page, context, server }) => {
  await server.open(page, longJob);
  await startLong(page);
  await page.goto(`${server.origin}/jobs`);
  await page.getByRole('link', { name: 'Make random worlds' }).first().click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await shot(page, 'job-running');

  const other = await context.newPage();
  await other.goto(`${server.origin}/jobs`);
  await expect(other.getByRole('progressbar')).toBeVisible();
  await shot(other, 'jobs');
  await other.getByRole('button', { name: /^Cancel/ }).click();
  await expect(other.locator('.badge', { hasText: 'cancelled' }).first()).toBeVisible();
  // The first tab hears of it by itself.
  await expect(page.getByText('cancelled. Nothing was written.')).toBeVisible();
});

test('what another version of the program found is not taken for an answer', async ({ page, server }) => {
  server.write('versions.csv', 'age,sex\n20,F\n21,M\n22,F\n');
  await server.open(page, '/columns?file=versions.csv');
  await expect(page.getByText('3 rows, 2 columns.')).toBeVisible();
  const looks = async () => ((await (await page.request.get(`${server.origin}/api/v1/jobs`)).json()) as { verb: string; arguments: string[] }[]).filter((job) => job.verb === 'profile' && job.arguments.includes('versions.csv')).length;
  const once = await looks();
  await page.reload();
  await expect(page.getByText('3 rows, 2 columns.')).toBeVisible();
  expect(await looks()).toBe(once);
  // As if the program had been replaced since.
  await page.route('**/api/v1/jobs', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: ((await response.json()) as object[]).map((job) => ({ ...job, version: '0.0.1' })) });
  });
  await page.reload();
  await expect.poll(looks).toBe(2 * once);
  await expect(page.getByText('3 rows, 2 columns.')).toBeVisible();
});

test('the map fills in, survives a reload, and keeps its points when it is cancelled', async ({ page, server }) => {
  // Cutting is done at once; joining neighbours takes the square of 60,000.
  server.write('many.csv', 'age,weight\n' + Array.from({ length: 60_000 }, (_, i) => `${20 + (i % 61)},${(40 + i / 1000).toFixed(3)}\n`).join(''));
  await server.open(page, '/columns?file=many.csv');
  for (const column of ['age', 'weight']) await page.getByRole('group', { name: `What is ${column}?` }).getByText('Others may know it').click();
  await page.goto(`${server.origin}/protect?file=many.csv`);
  for (const way of ['Same detail for all', 'Detail where there is room']) await page.getByRole('checkbox', { name: way }).uncheck();
  await page.getByText('More ways').click();
  for (const way of ['Join neighbours', 'Split the crowd']) await page.getByRole('checkbox', { name: way }).check();
  await page.getByRole('button', { name: 'Draw the map' }).click();
  const points = page.getByRole('status').filter({ hasText: /^([1-9]|1[0-7]) of 18 points$/ });
  await expect(points).toBeVisible();
  // The first is shown before it is done.
  await expect(page.getByRole('link', { name: 'Compare Cut into groups, k 2', exact: true })).toBeVisible();
  await page.reload();
  await expect(points).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Drawing the map' })).toBeVisible();
  await shot(page, 'protect-running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Drawing the map: cancelled.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Compare Cut into groups, k 2', exact: true })).toBeVisible();
  await expect(points).toBeVisible();
  await page.reload();
  await expect(points).toBeVisible();
  await expect(page.getByRole('link', { name: 'Compare Cut into groups, k 2' })).toBeVisible();
});

test('two tabs see each other’s decisions and results', async ({ page, context, server }) => {
  server.write('tabs.csv', 'age,sex\n20,F\n20,F\n30,M\n31,M\n');
  await server.open(page, '/columns?file=tabs.csv');
  const other = await context.newPage();
  await other.goto(`${server.origin}/columns?file=tabs.csv`);
  await expect(other.getByRole('group', { name: 'What is age?' })).toBeVisible();
  await page.getByRole('group', { name: 'What is age?' }).getByText('Harmless').click();
  await expect(other.getByRole('group', { name: 'What is age?' }).getByLabel('Harmless')).toBeChecked();
  // The profile was computed once for both, and so was the look at the first rows; at most twice where both asked at once.
  const jobs = (await (await page.request.get(`${server.origin}/api/v1/jobs`)).json()) as { arguments: string[] }[];
  const profiles = jobs.map((job) => job.arguments.join(' ')).filter((words) => words.includes('tables profile tabs.csv'));
  expect(profiles.filter((words) => words.includes('--first')).length).toBeLessThanOrEqual(2);
  expect(profiles.filter((words) => !words.includes('--first')).length).toBeLessThanOrEqual(2);
});

test('a file that nothing can read is not sent, and what is not to be touched is not offered', async ({ page, server }) => {
  server.write('own.ledger', '');
  server.write('own.ledger.key', '');
  server.write('no-release.csv', 'age\n20\n');
  await server.open(page);
  const choose = async (name: string, content: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file …' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content, 'latin1') });
  };
  for (const [name, content, said] of [
    ['people.xlsx', 'PK\x03\x04', 'people.xlsx cannot be read as an Excel file'],
    ['locked.xlsx', '\xd0\xcf\x11\xe0', 'protected by a password'],
    ['people.xls', '\xd0\xcf\x11\xe0', 'people.xls cannot be read'],
    ['picture.jpg', '\xff\xd8', 'picture.jpg cannot be read'],
    ['people.json', '[]', 'people.json cannot be read'],
    ['renamed.csv', 'PK\x03\x04', 'renamed.csv is not text'],
    ['bad.parquet', 'PAR1xxxx', 'bad.parquet is not a Parquet file'],
  ] as const) {
    await choose(name, content);
    await expect(page.getByRole('alert')).toContainText(said, { ignoreCase: true });
    await expect(page.getByRole('alert')).toContainText('save it as CSV');
    expect(existsSync(join(server.data, name))).toBe(false);
  }
  await expect(page.getByText('own.ledger', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete own.ledger' })).toHaveCount(0);
  await expect(page.getByText('own.ledger.key')).toHaveCount(0);
  for (const name of ['own.ledger', 'own.ledger.key']) rmSync(join(server.data, name));

  await page.goto(`${server.origin}/release?file=no-release.csv`);
  await page.getByRole('link', { name: 'Make a release of it' }).click();
  await expect(page.getByRole('heading', { name: 'What is in no-release.csv?' })).toBeVisible();
});

test('an address without a file, or with one that is gone, leads on', async ({ page, server }) => {
  server.write('moved.csv', 'age,sex\n20,F\n');
  await server.open(page);
  for (const path of ['columns', 'hierarchy', 'rows', 'risk', 'protect', 'compare', 'release']) {
    await page.goto(`${server.origin}/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Which file?' })).toBeVisible();
    await page.goto(`${server.origin}/${path}?file=old/moved.csv`);
    await expect(page.getByRole('heading', { level: 1, name: 'There is no moved.csv' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Choose a file' }).click();
  await expect(page.getByRole('heading', { name: 'Choose what to release' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'There is no moved.csv' })).toBeVisible();
  // One that was put there since is found.
  server.write('late.csv', 'age,sex\n20,F\n21,M\n');
  await page.evaluate(() => history.pushState(null, '', '/columns?file=late.csv'));
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await expect(page.getByText('2 rows, 2 columns.')).toBeVisible();
});

test('a long name sticks out of no page on a phone', async ({ page, server }) => {
  const name = `${'discharges-of-the-regional-hospital-'.repeat(4)}2026`;
  server.write(`${name}.csv`, table());
  server.write('long-register.csv', table());
  protect(server, `${name}.csv`, 'mondrian', `${name}-k4.csv`);
  execFileSync(program, ['ledger', 'init', 'long.ledger'], { cwd: server.data });
  await page.setViewportSize({ width: 390, height: 844 });
  await server.open(page);
  for (const path of [`/`, `/columns?file=${name}.csv`, `/risk?file=${name}.csv`, `/risk?file=long-register.csv`, `/protect?file=${name}.csv`, `/compare?file=${name}.csv&method=mondrian&k=4`, `/release?file=${name}-k4.csv`, '/ledger?file=long.ledger', '/fusion', '/fusion?verb=web', '/fusion?verb=fred', '/fusion?verb=rules', '/jobs']) {
    await page.goto(server.origin + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectNoSideways(page);
  }
  await page.goto(`${server.origin}/ledger?file=long.ledger`);
  await page.getByLabel('Which release').selectOption(`${name}-k4.csv`);
  await page.getByText('What others know').click();
  await expectNoSideways(page);
  await shot(page, 'long-name');
});

test('what no release can hold is said before it is tried', async ({ page, server }) => {
  // 30 rows; the ward has two values and the shift three, one of them missing.
  server.write('wards.csv', `age,ward,shift\n${Array.from({ length: 30 }, (_, i) => `${20 + (i % 5)},${i % 2 ? 'A' : 'B'},${['day', 'night', ''][i % 3]}`).join('\n')}\n`);
  await server.open(page, '/columns?file=wards.csv');
  const kind = (column: string, name: string) => page.getByRole('group', { name: `What is ${column}?` }).getByText(name).click();
  await kind('age', 'Others may know it');
  await kind('ward', 'Must stay secret');
  await kind('shift', 'Harmless');
  // Widths that do not nest are not taken, and it is said why.
  const age = page.locator('li', { has: page.getByRole('heading', { name: 'age', exact: true }) });
  await age.getByLabel('Made coarser by').selectOption('interval');
  await age.getByLabel('Widths').fill('5,7');
  await expect(age.getByText('7 is not a larger multiple of 5')).toBeVisible();
  await age.getByLabel('Widths').fill('2,4');
  await age.getByLabel('Widths').press('Tab');
  await expect(age.getByText('is not a larger multiple')).toHaveCount(0);

  await page.goto(`${server.origin}/protect?file=wards.csv`);
  await expect(page.getByRole('region', { name: 'The same on the command line' })).toContainText('age=interval:2,4');
  await expect(page.getByText('The table has 30 rows: there can be no crowds of 50.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Different secrets in each crowd (l)' }).check();
  const slider = page.getByRole('slider', { name: 'Different secrets in each crowd (l)' });
  await expect(slider).toHaveValue('2');
  await slider.fill('4');
  await expect(page.getByText('Ward has only 2 different values, so no crowd can have 4. Choose 2 or fewer.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Draw the map' })).toBeDisabled();
  await slider.fill('2');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  // Each of three ways fails with crowds of 50 alone.
  await expect(page.getByText('3 settings are not possible')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '15 of 18 points' })).toBeVisible();
  await shot(page, 'protect-some-fail');

  // Nothing at all: an empty map says so.
  for (const k of ['2', '3', '5', '11', '25']) await page.getByRole('checkbox', { name: k, exact: true }).uncheck();
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await expect(page.getByText('Nothing you asked for is possible with this table.')).toBeVisible();

  // On the form of the command, too.
  await page.goto(`${server.origin}/commands?noun=tables&verb=protect`);
  await page.getByText('More options').click();
  await page.getByLabel('l (optional)', { exact: true }).fill('many');
  await expect(page.getByText('Write a number, 1 or more, such as 3; for a single column, 3@diagnosis.')).toBeVisible();
  await expect(page.getByText('To be corrected: l.')).toBeVisible();
});

test('a table that was replaced by one with other columns is not haunted by the old ones', async ({ page, server }) => {
  server.write('again.csv', 'age,sex,town\n20,F,Ayr\n21,M,Ayr\n');
  await server.open(page, '/columns?file=again.csv');
  for (const column of ['age', 'sex', 'town']) await page.getByRole('group', { name: `What is ${column}?` }).getByText('Others may know it').click();
  server.write('again.csv', 'age,county\n20,Kent\n21,Kent\n22,York\n');
  await page.reload();
  await expect(page.getByText('3 rows, 2 columns.')).toBeVisible();
  await page.getByRole('group', { name: 'What is county?' }).getByText('Others may know it').click();
  await page.getByRole('link', { name: 'See the risk' }).click();
  await expect(page.getByText('are unique: 3 of 3 people')).toBeVisible();
});

test.describe(() => {
  // A refused request is an error on the console of the browser, too.
  test.use({ expectFaults: true });
  test('a broken file is refused with what, where and how to mend it', async ({ page, server }) => {
    await server.open(page);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file …' }).click();
    await (await chooser).setFiles({ name: 'broken.csv', mimeType: 'text/csv', buffer: Buffer.from('age,sex\n31,F\n"unclosed,M\n') });
    const alert = page.getByRole('alert');
    await expect(alert).toBeVisible();
    await expect(alert).toContainText('broken.csv');
    await shot(page, 'broken-file');
    // Mended and sent again under the same name.
    await page.getByRole('link', { name: 'Choose another file' }).click();
    const again = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file …' }).click();
    await (await again).setFiles({ name: 'broken.csv', mimeType: 'text/csv', buffer: Buffer.from('age,sex\n31,F\n32,M\n') });
    await page.getByRole('button', { name: 'Replace it' }).click();
    await expect(page.getByText('2 rows, 2 columns.')).toBeVisible();
  });
  test('the server is killed and started again', async ({ browser }) => {
    const server = new Server();
    try {
      await server.start();
      const context = await browser.newContext();
      const others = watch(context, () => server.origin);
      const page = await context.newPage();
      await server.open(page, longJob);
      await startLong(page);
      await page.goto(`${server.origin}/jobs`);
      await page.getByRole('link', { name: 'Make random worlds' }).first().click();
      await expect(page.getByRole('progressbar')).toBeVisible();
      await server.kill();
      await expect(page.getByText('lost contact with the server; trying again …')).toBeVisible();
      await shot(page, 'server-away');

      await server.start(server.port);
      // Another run has another token; its address logs in.
      await server.open(page, '/jobs');
      await expect(page.locator('.badge', { hasText: 'interrupted' })).toBeVisible();
      await page.getByRole('link', { name: 'Make random worlds' }).first().click();
      await expect(page.getByText('the server stopped before this was finished')).toBeVisible();
      await shot(page, 'interrupted');
      await page.getByRole('button', { name: 'Run again' }).first().click();
      await expect(page.getByRole('progressbar')).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByText('cancelled. Nothing was written.')).toBeVisible();
      expect(others.filter((fault) => fault.startsWith('request to') || fault.startsWith('error:'))).toEqual([]);
      await context.close();
    } finally {
      await server.kill();
      rmSync(server.data, { recursive: true, force: true });
    }
  });

  test('without the token nobody gets in, and a token lets one in', async ({ browser, server }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.origin + '/jobs');
    await expect(page.getByRole('heading', { name: 'Who is there?' })).toBeVisible();
    await shot(page, 'login');
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Open the workbench' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Token').fill(server.token);
    await page.getByRole('button', { name: 'Open the workbench' }).click();
    await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
    await context.close();
  });
});

test('a command that the browser does not copy is selected, and nobody is told otherwise', async ({ page, server }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('denied')) } }));
  await server.open(page);
  const box = page.getByRole('region', { name: 'The same on the command line' });
  await box.getByRole('button', { name: 'Copy' }).click();
  await expect(box.getByRole('button', { name: 'Press Ctrl+C' })).toBeVisible();
  expect(await page.evaluate(() => String(getSelection()))).toContain('pratique ');
});
