// Excel files: read in the browser, and kept as CSV.
import { zipSync, strToU8 } from 'fflate';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './workbench';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
type Cell = string | number | { day: number } | { raw: string } | null;
const letter = (column: number): string => String.fromCharCode(65 + column);

/** A book as Excel writes it: texts shared or in their cell, numbers as they are, days as numbers in the style of dates. */
function book(sheets: Record<string, Cell[][]>): Buffer {
  const shared: string[] = [];
  const cell = (value: Cell, at: string): string => {
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'object' && 'raw' in value) return `<c r="${at}"><v>${value.raw}</v></c>`;
    if (typeof value === 'object') return `<c r="${at}" s="1"><v>${value.day}</v></c>`;
    const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    if (at.startsWith('A')) return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
    return `<c r="${at}" t="s"><v>${shared.push(`<si><t xml:space="preserve">${text}</t></si>`) - 1}</v></c>`;
  };
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${related}"><sheets>${Object.keys(sheets).map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.keys(sheets).map((_, i) => `<Relationship Id="rId${i + 1}" Type="${related}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}<Relationship Id="s" Type="${related}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="t" Type="${related}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  };
  Object.values(sheets).forEach((rows, i) => {
    files[`xl/worksheets/sheet${i + 1}.xml`] = `<worksheet xmlns="${main}"><sheetData>${rows.map((row, r) => `<row r="${r + 1}">${row.map((value, c) => cell(value, `${letter(c)}${r + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`;
  });
  files['xl/sharedStrings.xml'] = `<sst xmlns="${main}">${shared.join('')}</sst>`;
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)]))));
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file …' }).click();
  await (await chooser).setFiles({ name, mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', buffer });
}

test('an Excel file becomes a table: codes keep their zeros, dates and numbers are as Excel shows them', async ({ page, server }) => {
  await server.open(page);
  // 44197 days after the last of 1899 is the first of 2021; 5.7 is stored with 17 digits. A gap, and an empty line.
  await choose(page, 'people.xlsx', book({ Sheet1: [['name', 'zip', 'born', 'dose'], ['O"Hara, <Ann>', '02139', { day: 44197 }, { raw: '5.7000000000000002' }], [null], ['Bo', '10025', { day: 25569.5 }, null]], Notes: [] }));
  await expect(page.getByRole('heading', { name: 'What is in people.csv?' })).toBeVisible();
  expect(readFileSync(join(server.data, 'people.csv'), 'utf8')).toBe('name,zip,born,dose\n"O""Hara, <Ann>",02139,2021-01-01,5.7\nBo,10025,1970-01-01T12:00:00,\n');
  await expect(page.getByText('2 rows, 4 columns.')).toBeVisible();
});

test('of several sheets one is chosen, and lines above the header are told', async ({ page, server }) => {
  await server.open(page);
  await choose(page, 'study.xlsx', book({ Visits: [['id', 'age'], ['a', 20], ['b', 31]], 'Read me': [['Only words'], ['more']], Titled: [['Our study', null, null], ['id', 'age', 'sex'], ['a', 20, 'F']] }));
  const sheets = page.getByRole('group', { name: 'Sheets of study.xlsx' });
  await sheets.getByRole('button', { name: 'Titled (2 rows)' }).click();
  await expect(page.getByRole('alert')).toContainText('names only 1 of 3 columns');
  await choose(page, 'study.xlsx', book({ Visits: [['id', 'age'], ['a', 20], ['b', 31]], Other: [['x'], ['y']] }));
  await sheets.getByRole('button', { name: 'Visits (2 rows)' }).click();
  await expect(page.getByRole('heading', { name: 'What is in study-Visits.csv?' })).toBeVisible();
  expect(readFileSync(join(server.data, 'study-Visits.csv'), 'utf8')).toBe('id,age\na,20\nb,31\n');
});
