// The tagging page: what is marked on it is what the command line finds, and corrections are kept and learned from.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOf, toLines, trimmedPlace, wordsOf } from '../src/lib/notes';
import { expect, expectAccessible, expectNoSideways, makeRelease, program, shell, shot, test } from './workbench';

test('spans count code points, whatever the text', () => {
  const points = [...'😀 “Zoë”, x'];
  expect(wordsOf(points)).toEqual([{ start: 0, end: 1 }, { start: 2, end: 8 }, { start: 9, end: 10 }]);
  expect(trimmedPlace(points, 2, 8)).toEqual({ start: 3, end: 6 });
  const span = { start: 3, end: 6, type: 'name', certainty: 0.9 };
  expect(piecesOf(points, [span], null).map((piece) => piece.text)).toEqual(['😀 “', 'Zoë', '”, x']);
  expect(JSON.parse(toLines([{ id: '1', text: 'x', spans: [span] }])).spans).toEqual([{ start: 3, end: 6, type: 'name' }]);
});

test('a note is read, corrected by keyboard, and learned from', async ({ page, server }) => {
  await server.open(page, '/notes');
  await page.getByRole('button', { name: 'Make sample notes' }).click();
  const note = page.getByRole('application', { name: /correct it with the keyboard/ });
  await expect(note).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('Finding identifiers …')).toHaveCount(0, { timeout: 20_000 });
  // The marks are those of the command line.
  execFileSync(program, ['notes', 'tag', 'sample-notes.jsonl', '--out', 'again.jsonl'], { cwd: server.data });
  const lines = (file: string) => readFileSync(join(server.data, file), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { text: string; spans: { start: number; end: number; type: string }[] });
  const [first] = lines('sample-notes.jsonl');
  const told = lines('again.jsonl')[0]!.spans;
  await expect(note.locator('mark').first()).toHaveAttribute('title', /% certain$/);
  expect((await note.locator('mark').allTextContents()).join('')).toBe(told.map((span) => [...first!.text].slice(span.start, span.end).join('')).join(''));
  // A word is marked, and a mark is taken away, by the keyboard alone.
  await note.focus();
  await page.keyboard.press('j');
  await expect(page.getByText(/: profession, 100\s% certain/)).toBeVisible();
  const marked = () => (existsSync(join(server.data, 'sample-notes.marked.jsonl')) ? lines('sample-notes.marked.jsonl')[0]!.spans : []);
  await expect.poll(() => marked().some((span) => span.type === 'profession' && span.start === 0)).toBe(true);
  await page.keyboard.press('Delete');
  await expect.poll(() => marked().length > 0 && !marked().some((span) => span.start === 0)).toBe(true);
  // Undone by keyboard, and done again.
  await page.keyboard.press('Control+z');
  await expect.poll(() => marked().some((span) => span.type === 'profession' && span.start === 0)).toBe(true);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => marked().length > 0 && !marked().some((span) => span.start === 0)).toBe(true);
  // Four notes are enough to train on, and the effect is told.
  for (let i = 0; i < 4; ++i) {
    await page.keyboard.press('Enter');
    await page.keyboard.press('PageDown');
  }
  await page.getByRole('button', { name: 'Train and find again' }).click();
  await expect(page.getByText(/^F1 of [01]\.\d\d by cross-validation over 4 notes/)).toBeVisible({ timeout: 30_000 });
  // It is there again after a reload.
  await page.reload();
  await expect(page.getByText(/^4 notes corrected/)).toBeVisible({ timeout: 20_000 });
});

test('notes go the way of every kind: attacked, protected, attacked again, verified and released', async ({ page, server }) => {
  execFileSync(program, ['generate', 'notes', '--notes', '40', '--seed', '3', '--out', 'ward.jsonl'], { cwd: server.data });
  const read = (file: string) => readFileSync(join(server.data, file), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { id: string; text: string; spans: { start: number; end: number; type: string }[] });
  const notes = read('ward.jsonl');
  // Who wrote the notes marked every identifier; names that stand in full make the adversary's list.
  const marked = notes.flatMap((note) => note.spans.map((span) => ({ type: span.type, text: [...note.text].slice(span.start, span.end).join('') })));
  const names = [...new Set(marked.filter((one) => one.type === 'name' && /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(one.text)).map((one) => one.text))];
  expect(names.length).toBeGreaterThan(3);
  server.write('known.csv', `name,age\n${names.map((name) => `${name},50`).join('\n')}\n`);
  await server.open(page, '/notes?file=ward.jsonl');
  const risk = page.getByRole('region', { name: 'Risk before' });
  await risk.getByLabel("The adversary's list").selectOption('known.csv');
  await risk.getByRole('button', { name: 'Attack' }).click();
  const told = JSON.parse(shell('pratique notes attack ward.jsonl --register known.csv --json', server.data)) as { leaks: number };
  expect(told.leaks).toBeGreaterThanOrEqual(names.length);
  await expect(risk.getByRole('row', { name: `identifiers of the list that stand in the notes ${told.leaks.toLocaleString('en')}` })).toBeVisible();

  const protect = page.getByRole('region', { name: 'Protect', exact: true });
  // What does not go together is said in the words of the page.
  await protect.getByLabel('mode (optional)').selectOption('statistical');
  await protect.getByRole('button', { name: 'Protect' }).click();
  await expect(protect.getByRole('alert')).toContainText('Use “generalise”');
  await expect(protect.getByRole('alert')).not.toContainText('--');
  await protect.getByLabel('mode (optional)').selectOption('full');
  await protect.getByRole('button', { name: 'Protect' }).click();
  // What is left is said, and is what the program finds.
  const left = protect.getByRole('row', { name: /^identifiers of the list that stand in the notes/ });
  await expect(left).toBeVisible();
  const made = new URL((await protect.getByRole('link', { name: 'Verify and release this' }).getAttribute('href'))!, server.origin).searchParams.get('file')!;
  const after = JSON.parse(shell(`pratique notes attack ${made} --register known.csv --json`, server.data)) as { before: { leaks: number }; after: { leaks: number } };
  expect(after.after.leaks).toBeLessThan(after.before.leaks / 10);
  await expect(left).toHaveAccessibleName(`identifiers of the list that stand in the notes ${after.before.leaks} ${after.after.leaks}`);
  await expectAccessible(page, 'notes');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'notes');
  await page.setViewportSize({ width: 1280, height: 900 });
  await protect.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  const released = read(await makeRelease(page));
  expect(released).toHaveLength(notes.length);
  // Of what names somebody by itself nothing is left in any note, whatever they are called now.
  const whole = released.map((note) => note.text).join('\n');
  for (const one of marked.filter((mark) => ['ssn', 'phone', 'email', 'mrn', 'url'].includes(mark.type))) expect(whole).not.toContain(one.text);
  await page.getByRole('button', { name: 'Write the report' }).click();
  await expect(page.getByRole('link', { name: 'Read it (new tab)' })).toBeVisible();
});
