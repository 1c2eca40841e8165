// A file of many columns: seen at once, decided about many at a time, never all of them without an order.
import { cpus } from 'node:os';
import { expect, expectAccessible, expectNoSideways, shot, test } from './workbench';

/** 50 columns: five that say who somebody is, forty answers of which no three tell anybody apart, five secrets. */
function wide(rows: number): string {
  const header = ['name', 'age', 'sex', 'zip', 'diagnosis', ...Array.from({ length: 45 }, (_, i) => `item_${i}`)];
  const lines = Array.from({ length: rows }, (_, i) => [`N${i}`, 20 + ((i * 7) % 60), i % 2 ? 'F' : 'M', 10000 + ((i * 13) % 400), ['flu', 'gout', 'angina'][i % 3], ...Array.from({ length: 45 }, (_, j) => ((i * (j + 3) * 2654435761) >>> 7) % (4 + (j % 9)))].join(','));
  return `${header.join(',')}\n${lines.join('\n')}\n`;
}

test('fifty columns are seen at once, and decided about together', async ({ page, server }) => {
  server.write('wide.csv', wide(4000));
  await server.open(page, '/columns?file=wide.csv');
  // From the first rows, whatever the whole takes.
  await expect(page.getByText(/^(The first 2,000 rows, 50 columns; the rest is being read\.|4,000 rows, 50 columns\.)/)).toBeVisible();
  await expect(page.getByText('4,000 rows, 50 columns.')).toBeVisible();
  const jobs = (await (await page.request.get(`${server.origin}/api/v1/jobs`)).json()) as { verb: string; request: { options: { first?: number } } }[];
  expect(jobs.some((job) => job.verb === 'profile' && job.request.options.first === 2000)).toBe(true);

  // Found by name, filtered by kind, set together, undone.
  await page.getByLabel('Find').fill('item_4');
  const cards = page.locator('.columns-list > li');
  await expect(cards).toHaveCount(6); // item_4 and item_40 to item_44
  await page.getByLabel(/^All 6 columns shown/).check();
  const bar = page.getByRole('search', { name: 'Columns' });
  await bar.getByRole('button', { name: 'Must stay secret' }).click();
  for (const card of await cards.all()) await expect(card.getByLabel('Must stay secret')).toBeChecked();
  await page.getByLabel('Find').fill('');
  await page.getByLabel('Show', { exact: true }).selectOption('sensitive');
  await expect(cards.filter({ hasText: 'item_4' })).toHaveCount(6);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await expect(cards.filter({ hasText: 'item_4' })).toHaveCount(0);
  await page.getByLabel('Show', { exact: true }).selectOption('');

  // Many that others may know come in an order, with what each costs, and are cut off where one likes.
  await page.getByLabel('Find').fill('item');
  await page.getByLabel(/^All 45 columns shown/).check();
  await bar.getByRole('button', { name: 'Others may know it' }).click();
  const likely = page.getByRole('region', { name: /columns others may know: which of them, really/ });
  await expect(likely).toBeVisible();
  // What it is counts before what it singles out: age, sex and postcode stand before every item.
  const names = await likely.locator('li strong').allTextContents();
  for (const name of ['age', 'sex', 'zip']) expect(names.indexOf(name)).toBeLessThan(3);
  await expect(likely.locator('li', { hasText: 'sex' }).first()).toContainText('Costs up to 2 parts.');
  await likely.getByLabel('Keep the first').fill('1');
  // Two more are likely to be known by what they are: no click makes them harmless with all the others.
  await expect(likely.getByText('2 of the others stay: likely to be known by what they are.')).toBeVisible();
  await page.getByLabel('Find').fill('item_4');
  await expectAccessible(page, 'columns-wide');
  await likely.getByRole('button', { name: 'Make 45 columns harmless' }).click();
  await expect(likely).toHaveCount(0);
  await page.getByLabel('Find').fill('');
  await page.getByLabel('Show', { exact: true }).selectOption('quasi-identifier');
  await expect(cards.locator('h2')).toHaveText(['age', 'sex', 'zip']);
  await page.getByLabel('Show', { exact: true }).selectOption('');
  await page.getByLabel('Find').fill('item_4');
  await expectNoSideways(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'columns-wide');

  // What leaves as it is and singles people out is red on the map.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${server.origin}/protect?file=wide.csv`);
  await expect(page.locator('.reds')).toContainText('which no model holds');
  await expect(page.getByText(/; a search ends after 60 seconds/)).toBeVisible();
});

test('a quick command does not wait for a long one', async ({ page, server }) => {
  server.write('beside.csv', 'age,sex\n20,F\n21,M\n22,F\n');
  await server.open(page);
  const api = `${server.origin}/api/v1`;
  const headers = { 'X-Pratique': '1' };
  const long = async () => ((await (await page.request.post(`${api}/trails/simulate`, { headers, data: { inputs: [], options: { subjects: 20000, locations: 30, runs: 100000, seed: 1 } } })).json()) as { id: string }).id;
  // As many as run at once, and one more.
  const running = await Promise.all(Array.from({ length: Math.max(2, Math.floor(cpus().length / 2)) + 1 }, long));
  await page.goto(`${server.origin}/columns?file=beside.csv`);
  await expect(page.getByText('3 rows, 2 columns.')).toBeVisible();
  const states = await Promise.all(running.map(async (id) => ((await (await page.request.get(`${api}/jobs/${id}`)).json()) as { state: string }).state));
  expect(states).toContain('queued');
  for (const id of running) await page.request.delete(`${api}/jobs/${id}`, { headers });
});

test('a point is looked at while the map is drawn', async ({ page, server }) => {
  const names = Array.from({ length: 16 }, (_, i) => `c${i}`);
  const lines = Array.from({ length: 3000 }, (_, i) => names.map((_, j) => ((i * 2654435761 * (j + 7)) >>> 11) % 2).join(','));
  server.write('drawn.csv', `${names.join(',')}\n${lines.join('\n')}\n`);
  await server.open(page, `/protect?file=drawn.csv&qi=${names.join(',')}&hierarchy=${names.map((name) => `${name}=flat`).join(',')}&ks=5,11&methods=mondrian,optimal&time-limit=600`);
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await page.getByRole('link', { name: 'Compare Cut into groups, k 5' }).click();
  await expect(page.getByRole('heading', { name: 'Risk, before and after' })).toBeVisible();
  const jobs = (await (await page.request.get(`${server.origin}/api/v1/jobs`)).json()) as { id: string; verb: string; state: string }[];
  const search = jobs.find((job) => job.verb === 'explore')!;
  expect(search.state).toBe('running');
  await page.request.delete(`${server.origin}/api/v1/jobs/${search.id}`, { headers: { 'X-Pratique': '1' } });
});

test('a file is read as one says, with a preview, and the original stays', async ({ page, server }) => {
  server.write('odd.csv', 'Ann;03.05.1970;1.234,5;-9\nBob;28.12.1981;17,25;4\n');
  await server.open(page, '/import?file=odd.csv');
  await page.getByLabel('The first line has the names of the columns').uncheck();
  await page.getByLabel('Also means missing').pressSequentially('-9');
  await page.getByLabel('What column_2 is').selectOption('day-first');
  await page.getByLabel('What column_3 is').selectOption('comma');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('row', { name: 'Ann 1970-05-03 1234.5 (missing)' })).toBeVisible();
  // Undone and done again; what is typed into a field is one step.
  const last = page.getByLabel('What column_3 is');
  for (const [key, what] of [['Control+z', ''], ['Control+Shift+z', 'comma']] as const) {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press(key);
    await expect(last).toHaveValue(what);
  }
  for (let i = 0; i < 3; ++i) await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Also means missing')).toHaveValue('');
  for (let i = 0; i < 3; ++i) await page.getByRole('button', { name: 'Redo' }).click();
  await expect(last).toHaveValue('comma');
  await expectAccessible(page, 'import');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Write odd-read.csv and go on with it' }).click();
  await expect(page.getByRole('heading', { name: 'What is in odd-read.csv?' })).toBeVisible();
  expect(await (await page.request.get(`${server.origin}/api/v1/files/odd-read.csv`)).text()).toBe('column_1,column_2,column_3,column_4\nAnn,1970-05-03,1234.5,\nBob,1981-12-28,17.25,4\n');
  await page.goto(`${server.origin}/help`);
  await expect(page.getByText('A signed record of all releases that can only grow.', { exact: false })).toBeVisible();
  await expectAccessible(page, 'help');
});

test('people with several rows: what no model can hold is said before, and one row of each may be kept', async ({ page, server }) => {
  // 60 patients with two visits each, of which the second has another diagnosis.
  const rows = Array.from({ length: 120 }, (_, i) => `${100 + (i >> 1)},${20 + ((i >> 1) % 6)},${['flu', 'gout', 'angina'][((i >> 1) + (i % 2)) % 3]}`);
  server.write('stays.csv', `patient_nbr,age,diagnosis\n${rows.join('\n')}\n`);
  await server.open(page, '/protect?file=stays.csv&person=patient_nbr&id=patient_nbr&qi=age&sensitive=diagnosis&hierarchy=age%3Dinterval:2\\,4&ks=2&methods=mondrian');
  await expect(page.getByText('Somebody has several values of diagnosis, one for each row.')).toBeVisible();
  // So does the page before, in red; and a list of named people is held against people, not rows.
  server.write('stays-register.csv', 'name,age\nAnn,20\n');
  await page.goto(`${page.url().replace('/protect', '/risk')}&register=stays-register.csv`);
  await expect(page.getByText('Somebody has several values of diagnosis: whoever finds the person learns them all')).toBeVisible();
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await expect(page.getByText(/are found by name: 0 of 60/)).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Somebody has several values of diagnosis, one for each row.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask for at least 2 different secrets' })).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Different secrets in each crowd (l)' }).check();
  await expect(page.getByText('no crowd can be held to different secrets')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Draw the map' })).toBeDisabled();
  // The first row of each: sixty rows, and the models hold.
  await page.getByRole('link', { name: 'Keep one row of each person' }).click();
  await expect(page.getByLabel('Rows', { exact: true })).toHaveValue('0');
  await page.getByRole('button', { name: 'Write stays-first.csv and go on with it' }).click();
  await expect(page.getByText('60 rows, 3 columns.')).toBeVisible();
  const written = (await (await page.request.get(`${server.origin}/api/v1/files/stays-first.csv`)).text()).trim().split('\n').slice(1);
  expect(written).toEqual(rows.filter((_, i) => i % 2 === 0));
});
