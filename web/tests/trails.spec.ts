// The trails' page: pictures that are those of their files.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { percent } from '../src/lib/format';
import { commands, expect, makeRelease, program, shell, shot, test } from './workbench';

test('the small world on the page is that of its files', async ({ page, server }) => {
  await server.open(page, '/trails');
  await page.getByRole('button', { name: 'Make and attack it' }).click();
  const before = page.getByRole('img', { name: /^Before: 12 people/ });
  await expect(before).toBeVisible();
  // Where everybody was seen, from the two lists; a trail that one person and one sample have is a match.
  const trails = (file: string): string[] => {
    const seen = new Map<string, string[]>();
    for (const line of readFileSync(join(server.data, 'small-world', '12-people-4-hospitals-1', file), 'utf8').trim().split('\n').slice(1)) {
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
  // Another world has pictures of its own, and its address leads back to it.
  const first = await before.getAttribute('aria-label');
  await page.getByRole('button', { name: 'Another world' }).click();
  await expect(page.getByRole('img', { name: /^After/ })).toHaveCount(0);
  await expect(before).toBeVisible();
  expect(await before.getAttribute('aria-label')).not.toBe(first);
  const second = (await before.getAttribute('aria-label'))!;
  await page.reload();
  await expect(page.getByRole('img', { name: second })).toBeVisible();
  await page.goto(`${server.origin}/trails`);
  await expect(page.getByRole('img', { name: first! })).toBeVisible();
  await expect(page.getByRole('img', { name: /^After: .* 0 are certain/ })).toBeVisible();
  // So has another size of the crowd.
  await page.getByRole('slider', { name: 'Crowd for each sample (k)' }).fill('2');
  await expect(page.getByRole('img', { name: /^After/ })).toHaveCount(0);
  await page.getByRole('slider', { name: 'Crowd for each sample (k)' }).fill('3');
  await page.getByRole('link', { name: 'Verify this release' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
});

test('lists of one’s own are attacked, protected, verified and released', async ({ page, server }) => {
  execFileSync(program, ['trails', 'simulate', '--subjects', '60', '--locations', '4', '--access', 'uniform:0.5', '--runs', '1', '--seed', '2', '--world', 'own'], { cwd: server.data });
  await server.open(page, '/trails');
  const lists = { identified: 'own/identified.csv', deidentified: 'own/deidentified.csv' };
  for (const [name, button] of [['Attack your own lists', 'Attack'], ['Protect your own lists', 'Protect']] as const) {
    const card = page.locator('details', { has: page.locator('summary', { hasText: name }) });
    await card.locator('summary').first().click();
    for (const [label, path] of Object.entries(lists)) await card.getByLabel(label, { exact: true }).fill(path);
    if (button === 'Protect') await card.getByLabel('size of the crowd (k)').fill('3');
    await card.getByRole('button', { name: button, exact: true }).click();
    await expect(card.getByText('All figures')).toBeVisible();
  }
  await expect(page.getByRole('row', { name: /^samples that one person only fits \d+ 0$/ })).toBeVisible();
  await page.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  const release = await makeRelease(page);
  // As the definition says it: nobody's trail is held by fewer than three people's.
  const trails = (file: string): Set<string>[] => {
    const seen = new Map<string, Set<string>>();
    const [header, ...lines] = readFileSync(join(server.data, file), 'utf8').trim().split('\n').map((line) => line.split(','));
    const place = header!.indexOf('location');
    for (const line of lines) seen.set(line[1 - place]!, (seen.get(line[1 - place]!) ?? new Set()).add(line[place]!));
    return [...seen.values()];
  };
  const people = trails('own/identified.csv');
  const samples = trails(release);
  expect(samples.length).toBeGreaterThan(0);
  for (const sample of samples) expect(people.filter((person) => [...sample].every((place) => person.has(place))).length).toBeGreaterThanOrEqual(3);
});

test('a world of any name is attacked hospital by hospital', async ({ page, server }) => {
  rmSync(`${server.data}/sample-world`, { recursive: true, force: true }); // of another test
  execFileSync(program, ['generate', 'consortium', '--hospitals', '6', '--patients', '300', '--seed', '3', '--out', 'elsewhere'], { cwd: server.data });
  await server.open(page);
  await expect(page.getByRole('link', { name: 'Open its patients' })).toHaveAttribute('href', '/columns?file=elsewhere/patients.csv');
  await page.goto(`${server.origin}/trails`);
  await expect(page.getByText('The hospitals of the sample world in the folder elsewhere join')).toBeVisible();
  await page.getByRole('button', { name: 'Attack the sample world' }).click();
  await expect(page.getByRole('img', { name: /Share of samples re-identified/ })).toBeVisible();
  const command = (await commands(page)).find((one) => one.includes('--by-rank'))!;
  const found = JSON.parse(shell(`${command} --json`, server.data)) as { reidentified: number; by_rank: { locations: number; share: number }[] };
  expect(found.by_rank.map((rank) => rank.locations)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(found.reidentified).toBeGreaterThan(0);
  await page.getByText('The figures').click();
  await expect(page.getByRole('row').locator('td:last-child')).toHaveText(found.by_rank.map((rank) => percent(rank.share)));
  // Nobody is found at one hospital alone: every trail is the same there.
  expect(found.by_rank[0]!.share).toBe(0);
  await shot(page, 'trails-elsewhere');
});
