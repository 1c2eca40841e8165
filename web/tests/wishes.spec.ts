// Wishes for single columns: how coarse they may become, how much they count; and what each column kept.
import { commands, expect, expectAccessible, expectNoSideways, test } from './workbench';

/** Four people, each alone; crowds of two need one of the columns hidden, and it does not matter which. */
const four = 'region,sex\nnorth,F\nnorth,M\nsouth,F\nsouth,M\n';
const settings = 'qi=region,sex&hierarchy=region=flat,sex=flat&ks=2&methods=optimal&suppression=0';

test('the column that counts more keeps its detail', async ({ page, server }) => {
  server.write('wishes.csv', four);
  for (const [kept, lost] of [
    ['sex', 'region'],
    ['region', 'sex'],
  ]) {
    await server.open(page, `/protect?file=wishes.csv&${settings}`);
    await page.getByText('Wishes for single columns').click();
    const column = page.getByRole('group', { name: kept });
    await column.getByLabel('Its detail counts').selectOption('ten times as much');
    await expect(page.getByText('Wishes for single columns (1)')).toBeVisible();
    expect((await commands(page))[0]).toContain(`--weight ${kept}=10`);
    if (kept === 'sex') {
      await expectAccessible(page, 'wishes');
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSideways(page);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    await page.getByRole('button', { name: /^Draw/ }).click();
    await expect(page.getByText('1 of 1 points')).toBeVisible();
    // The other column is lost whole: one of eleven parts.
    await expect(page.getByRole('row', { name: /^Compare Same detail for all/ })).toContainText('90.9');
    await page.getByRole('link', { name: /^Compare/ }).click();
    const quality = page.getByRole('region', { name: 'Quality by column' });
    await expect(quality.getByRole('listitem').filter({ hasText: kept })).toContainText('100 %');
    await expect(quality.getByRole('listitem').filter({ hasText: lost })).toContainText('0 %');
    await expect(quality.getByText('What a classifier still learns is shown here once')).toBeVisible();
  }
});

test('a column stays as fine as one wishes, or the page says that it cannot', async ({ page, server }) => {
  server.write('limits.csv', four);
  await server.open(page, `/protect?file=limits.csv&${settings}`);
  await page.getByText('Wishes for single columns').click();
  for (const name of ['region', 'sex']) await page.getByRole('group', { name }).getByLabel('No coarser than').selectOption('as it is');
  expect((await commands(page))[0]).toContain('--max-level region=0 --max-level sex=0');
  await page.getByRole('button', { name: /^Draw/ }).click();
  await expect(page.getByText('Nothing you asked for is possible with this table.')).toBeVisible();
  await expect(page.getByText(/keeps how coarse a column may become of region, sex/)).toBeVisible();
  // One limit less, and the other column is hidden.
  await page.getByRole('group', { name: 'sex' }).getByLabel('No coarser than').selectOption('no limit');
  await page.getByRole('button', { name: /^Draw/ }).click();
  await page.getByRole('link', { name: /^Compare/ }).click();
  const quality = page.getByRole('region', { name: 'Quality by column' });
  await expect(quality.getByRole('listitem').filter({ hasText: 'region' })).toContainText('100 %');
});

test('what a classifier still learns', async ({ page, server }) => {
  // The state follows from the region alone, which is kept; everybody's number is lost.
  const rows = Array.from({ length: 80 }, (_, i) => `${i % 2 ? 'north' : 'south'},${i},${i % 2 ? 'ill' : 'well'}`);
  server.write('learns.csv', `region,number,state\n${rows.join('\n')}\n`);
  await server.open(page, '/compare?file=learns.csv&qi=region,number&sensitive=state&hierarchy=region=flat,number=flat,state=flat&method=optimal&k=2&label=state');
  const quality = page.getByRole('region', { name: 'Quality by column' });
  await expect(quality.getByText('Trained to tell state, it is right in 100 % of the cases with the release, 100 % with the original')).toBeVisible();
});
