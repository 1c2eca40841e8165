// The pages of kinds beside tables: DNA, answers with noise, hospitals together. Each by the same parts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, expect, expectAccessible, expectNoSideways, makeRelease, shell, shot, test } from './workbench';

/** Twelve people, two by two with the same letters but for one place each. */
const letters = ['AACCGGTTAACC', 'AACCGGTTAACG', 'TTCCGGTTAACC', 'TTCCGGTTAACG', 'AACCGGAAAACC', 'AACCGGAAAACG'];
const fasta = letters.flatMap((line, i) => [`>p${i}a\n${line}TT\n`, `>p${i}b\n${line}TA\n`]).join('');

test('DNA: sent, attacked, protected so that nobody stands alone, verified and released', async ({ page, server }) => {
  server.write('people.csv', 'name,ssn\nAnn,1\nBob,2\n');
  // SHA-256 of Ann1, worked out beside the program.
  const { createHash } = await import('node:crypto');
  server.write('study.csv', `pseudonym\n${createHash('sha256').update('Ann1').digest('hex')}\n${createHash('sha256').update('Zed9').digest('hex')}\n`);
  await server.open(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file …' }).click();
  await (await chooser).setFiles({ name: 'dna.fasta', mimeType: 'text/plain', buffer: Buffer.from(fasta) });
  await expect(page.getByRole('heading', { name: 'Genomes in dna.fasta' })).toBeVisible();

  const risk = page.getByRole('region', { name: 'Risk before' });
  await risk.getByRole('radio', { name: /^Whose pseudonym is this/ }).check();
  for (const [label, text] of [['pseudonyms', 'study.csv'], ['column', 'pseudonym'], ['register (optional)', 'people.csv'], ['on (optional)', 'name,ssn']] as const) await risk.getByLabel(label, { exact: true }).fill(text);
  await risk.getByRole('button', { name: 'Attack' }).click();
  await expect(risk.getByText('1 of 2 pseudonyms are turned back')).toBeVisible();

  const section = page.getByRole('region', { name: 'Protect', exact: true });
  await section.getByLabel('size of the crowd (k)').fill('3');
  await section.getByRole('button', { name: 'Protect' }).click();
  // Everybody's letters differ from everybody else's; afterwards each stands there three times or more.
  await expect(section.getByRole('row', { name: 'people whose sequence fits one entry only 12 0' })).toBeVisible();
  await expectNoSideways(page);
  await expectAccessible(page, 'genomes');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'genomes');
  await section.getByRole('link', { name: 'Verify and release this' }).click();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  const release = await makeRelease(page);
  expect(release).toBe('dna-dnala-k3.fasta');
  const counts = new Map<string, number>();
  for (const line of readFileSync(join(server.data, release), 'utf8').split('\n').filter((one) => one && !one.startsWith('>'))) counts.set(line, (counts.get(line) ?? 0) + 1);
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(3);
  await page.getByRole('button', { name: 'Write the report' }).click();
  await expect(page.getByRole('link', { name: 'Read it (new tab)' })).toBeVisible();
});

test('options of a method are on the page, those of others are not, and systems are compared', async ({ page, server }) => {
  server.write('few.vcf', '##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="g">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\n1\t10\tr1\tA\tC\t.\tPASS\t.\tGT\t0/0\t0/1\t1/1\n1\t20\tr2\tG\tT\t.\tPASS\t.\tGT\t0/1\t0/0\t1/1\n');
  await server.open(page, '/genomes?file=few.vcf');
  const section = page.getByRole('region', { name: 'Protect', exact: true });
  await expect(section.getByRole('radio')).toHaveCount(2); // places hidden, shares of alleles
  await section.getByRole('radio', { name: /^Shares of alleles/ }).check();
  await expect(section.getByLabel('ledger (optional)')).toBeVisible();
  await section.getByRole('radio', { name: /^Places hidden/ }).check();
  await section.getByText('More options').click();
  await expect(section.getByLabel('ledger (optional)')).toHaveCount(0);
  await section.getByLabel('loci (optional)').fill('1:10');
  await section.getByRole('button', { name: 'Protect' }).click();
  await expect(section.getByText('Nobody became equal to anybody')).toBeVisible();
  await expect(section.getByRole('link', { name: 'Verify and release this' })).toHaveAttribute('href', /\.vcf$/);

  await page.getByText('Which systems of protection hold?').click();
  await page.getByLabel('people (optional)').fill('150');
  await page.getByLabel('hospitals (optional)').fill('4');
  await page.getByRole('button', { name: 'Attack them all' }).click();
  const table = page.getByRole('region', { name: 'Systems and attacks' });
  await expect(table.locator('tbody tr')).toHaveCount(4);
  const command = (await commands(page)).find((one) => one.includes('susceptibility'))!;
  // Random numbers are no names computed again, whatever the world.
  expect(command).toContain('--people 150 --hospitals 4');
  await expect(table.locator('tbody tr', { hasText: 'DENOM' }).locator('td').nth(3)).toHaveText('nobody');
});

test('a privacy budget is opened, asked, spent and never over', async ({ page, server }) => {
  // 400 people, two of each sex and age.
  server.write('cohort.csv', `person,age,sex\n${Array.from({ length: 400 }, (_, i) => `p${i},${i % 100},${i % 2 ? 'F' : 'M'}`).join('\n')}\n`);
  await server.open(page, '/privacy');
  const budget = page.locator('#budget');
  await budget.getByLabel('Table', { exact: true }).selectOption('cohort.csv');
  await budget.getByLabel('epsilon', { exact: true }).fill('1');
  await budget.getByLabel('delta (optional)').fill('0.00001');
  await budget.getByLabel('person (optional)').fill('person');
  await budget.getByRole('button', { name: 'Open it' }).click();
  await expect(page.getByRole('heading', { name: 'Differential privacy in cohort.budget.ledger' })).toBeVisible();
  await expect(budget.getByText('Epsilon 1, delta 0.00001, for 0 answers so far.')).toBeVisible();

  const question = page.locator('#question');
  await question.getByLabel('sql').fill('SELECT sex, COUNT(*) FROM data GROUP BY sex');
  await question.getByLabel('domain (optional)').fill('sex=F|M');
  await question.getByLabel('epsilon', { exact: true }).fill('0.25');
  // What it would be off by is told for nothing.
  await expect(question.getByText(/^count: off by \d+ or less/)).toBeVisible();
  await expect(budget.getByText('for 0 answers so far')).toBeVisible();
  await question.getByRole('button', { name: 'Ask, and spend it' }).click();
  const answer = question.getByRole('region', { name: 'The answer' });
  await expect(answer.getByRole('row')).toHaveCount(3);
  await expect(budget.getByText('for 1 answer so far')).toBeVisible();

  const release = page.locator('#protect');
  await release.getByRole('radio', { name: /^A synthetic table/ }).check();
  await release.getByLabel('domain (optional)').fill('age=0..99:10\nsex=F|M');
  await release.getByLabel('epsilon (optional)').fill('0.5');
  await release.getByRole('button', { name: 'Spend it, and make a candidate' }).click();
  await expect(release.getByText('Epsilon 0.5 was spent; 0.25 is left.')).toBeVisible();
  await release.getByRole('button', { name: 'Compare' }).click();
  await expect(release.getByText('For you alone: these figures')).toBeVisible();
  await expectNoSideways(page);
  await expectAccessible(page, 'privacy');
  // The ledger agrees, and a reload spends nothing.
  const spent = (): number => (JSON.parse(shell('pratique dp budget cohort.budget.ledger --json', server.data)) as { spent: number }).spent;
  expect(spent()).toBeCloseTo(0.75, 9);
  await page.reload();
  await expect(budget.getByText('for 2 answers so far')).toBeVisible();
  // More than is left is not asked.
  await question.getByLabel('sql').fill('SELECT COUNT(*) FROM data');
  await question.getByLabel('epsilon', { exact: true }).fill('0.5');
  await expect(question.getByText('More than is left: it would be refused.')).toBeVisible();
  await expect(question.getByRole('button', { name: 'Ask, and spend it' })).toBeDisabled();
  expect(spent()).toBeCloseTo(0.75, 9);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'privacy');
  const candidate = readFileSync(join(server.data, 'cohort.budget.ledger'), 'utf8').trim().split('\n').length;
  expect(candidate).toBe(4); // the ledger, its budget, two charges
});

test('a consortium is prepared: what each runs at home', async ({ page, server }) => {
  await server.open(page, '/consortium');
  await page.getByLabel('Hospitals', { exact: true }).fill('North, South, East');
  await page.getByRole('slider', { name: 'Crowd for each sample (k)' }).fill('7');
  await page.getByRole('radio', { name: /^Dummies and check rounds/ }).check();
  await page.getByLabel('confidence', { exact: true }).fill('0.9');
  await page.getByRole('button', { name: 'Plan dummies and rounds' }).click();
  await page.getByRole('button', { name: 'Take these' }).click();
  const lines = await commands(page);
  const init = lines.find((line) => line.includes('consortium init'))!;
  expect(init).toMatch(/--sites North,South,East --k 7 --protocol stranon --alpha \d+ --beta \d+ --lock \d+ --out C$/);
  expect(lines.filter((line) => line.includes('consortium site'))).toHaveLength(3);
  // It runs as it stands there.
  shell(init, server.data);
  expect(readFileSync(join(server.data, 'C', 'consortium.yaml'), 'utf8')).toMatch(/k: 7/);
  await expectNoSideways(page);
  await expectAccessible(page, 'consortium');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSideways(page);
  await shot(page, 'consortium');
});
