// The trails' page: pictures that are those of their files.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { percent } from '../src/lib/format';
import { commands, expect, program, shell, shot, test } from './workbench';

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
