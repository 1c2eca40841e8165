// The tagging page: what is marked on it is what the command line finds, and corrections are kept and learned from.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOf, toLines, trimmedPlace, wordsOf } from '../src/lib/notes';
import { expect, program, test } from './workbench';

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
