// pratique report, opened from a file as whoever receives it does: no server, no script, no network.
import { test, expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { program, shot } from './workbench';

const evil = '<img src=x onerror=alert(1)>|`](javascript:alert(1))</script><script>alert(1)</script>';
let folder = '';

const pratique = (...words: string[]): void => void execFileSync(program, [...words, '--json'], { cwd: folder, stdio: 'pipe' });
const address = (name: string): string => pathToFileURL(join(folder, name)).href;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pratique-report-'));
  const people = Array.from({ length: 300 }, (_, i) => `P${i},${20 + (i % 60)},${i % 2 ? 'F' : 'M'},13${String(i % 12).padStart(3, '0')},${['flu', 'gout', evil, 'cough'][i % 4]}`);
  writeFileSync(join(folder, 'people.csv'), ['name,age,sex,zip,illness', ...people].join('\n') + '\n');
  const columns = ['people.csv', '--id', 'name', '--qi', 'age,sex,zip', '--sensitive', 'illness', '--hierarchy', 'age=interval:10,20,40', '--hierarchy', 'zip=prefix'];
  pratique('tables', 'explore', ...columns, '--l', '2', '--ks', '3,5', '--methods', 'mondrian,local', '--out', 'map');
  pratique('tables', 'protect', ...columns, '--method', 'mondrian', '--k', '5', '--l', '2', '--seed', '1', '--out', 'out.csv');
  writeFileSync(join(folder, 'codes.csv'), 'patient,code\n' + Array.from({ length: 200 }, (_, i) => `P${i},${250 + (i % 7)}\nP${i},${401 + (i % 3)}\n`).join(''));
  pratique('codes', 'protect', 'codes.csv', '--method', 'disassociation', '--k', '5', '--m', '2', '--out', 'apart.csv');
  const words = ['--recipient', evil, '--purpose', 'a study & more', '--approved-by', 'the steward', '--ru-map', 'map/ru-map.json'];
  pratique('report', 'out.csv', ...words, '--out', 'one.html');
  pratique('report', 'out.csv', 'apart.csv', ...words, '--out', 'two.html');
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const found = await axe.run(document, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] } });
    return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  });
}

for (const name of ['one', 'two']) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const media of ['screen', 'print'] as const) {
      test(`axe finds nothing in ${name}.html, ${colorScheme}, ${media}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme, media });
        await page.goto(address(`${name}.html`));
        if (media === 'screen') {
          await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
        }
        expect(await violations(page)).toEqual([]);
        await shot(page, `report-${name}-${colorScheme}-${media}`);
      });
    }
  }
}

test('on a phone nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address('two.html'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violations(page)).toEqual([]);
  await shot(page, 'report-two-phone');
});

test('without script everything is there, and nothing is asked of anybody', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  context.on('dialog', (dialog) => asked.push(`dialog ${dialog.message()}`));
  const page = await context.newPage();
  await page.goto(address('one.html'));
  await expect(page.getByRole('heading', { name: 'Limits and assumptions' })).toBeVisible();
  await expect(page.getByText(evil).first()).toBeVisible();
  await expect(page.locator('svg').first()).toBeVisible();
  expect(asked).toEqual([address('one.html')]);
  await context.close();
});

test('hostile names run nothing where scripts may run', async ({ page }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(address('one.html'));
  expect(await page.locator('img, iframe').count()).toBe(0);
  // What the report found, for programs; no browser runs it.
  await expect(page.locator('script')).toHaveCount(1);
  await expect(page.locator('script')).toHaveAttribute('type', 'application/json');
  expect(dialogs).toEqual([]);
});
