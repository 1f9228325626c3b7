// The algorithms: one is found by what it does, its run plays with its phases, a parameter is changed, another stands beside it, and an
// experiment begins with it.
import { expect, test } from './fixtures.ts';
import { paceline } from './support/cli.ts';
import { Panels } from './support/panels.ts';

test('an algorithm is found, watched, changed, compared and taken to an experiment', async ({
  page,
  sharedServer,
  visitor,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${sharedServer.url}/ccas`);
  const search = page.getByRole('searchbox', { name: 'Search algorithms' });

  await test.step('by what it does and by its family, both in the address', async () => {
    await search.fill('saw-tooth halves');
    await expect(page.getByRole('link', { name: 'NewReno', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Copa', exact: true })).toBeHidden();
    await search.fill('');
    await page.getByRole('button', { name: /^Model-based/ }).click();
    await expect(page).toHaveURL(/family=model/);
    await page.reload();
    await expect(page.getByRole('link', { name: 'BBRv3', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Cubic', exact: true })).toBeHidden();
    await search.fill('no such thing anywhere');
    await expect(page.getByRole('heading', { name: 'No algorithm is like that' })).toBeVisible();
    await search.fill('');
  });

  await test.step('its run stands still where one asks for less motion, and names the phase at the playhead', async () => {
    await page.getByRole('link', { name: 'BBR', exact: true }).click();
    await expect(page).toHaveURL(/\/ccas\/bbr$/);
    await expect(page.getByRole('heading', { level: 1, name: 'BBR' })).toBeVisible();
    await new Panels(page).ready();
    const now = page.getByRole('group', { name: 'Phases of BBR' }).locator('[data-now] dt');
    await expect(now).toContainText('PROBE_BW');
    // Ten seconds after the start the least round trip is looked for.
    await page.goto(`${sharedServer.url}/ccas/bbr?at=10.3`);
    await expect(now).toContainText('PROBE_RTT');
    await page.goto(`${sharedServer.url}/ccas/bbr?at=0.1`);
    await expect(now).toContainText('STARTUP');
  });

  await test.step('a parameter runs it again; old and new are drawn over each other, and the address says so', async () => {
    await page.goto(`${sharedServer.url}/ccas/cubic`);
    await page.getByText('Parameters of Cubic').click();
    const beta = page.getByRole('textbox', { name: 'Decrease factor' });
    await beta.fill('0.5');
    await beta.press('Enter');
    await expect(page).toHaveURL(/p=beta:0.5&over=usual/);
    const figures = page.getByRole('region', { name: 'Figures of the samples' });
    await expect(figures.getByRole('link')).toHaveText(['Cubic (beta 0.5)', 'Cubic']);
    const other = await visitor({ reducedMotion: 'reduce' });
    await other.goto(page.url());
    await expect(other.getByRole('textbox', { name: 'Decrease factor' })).toHaveValue('0.5');
    await expect(other.getByRole('region', { name: 'Figures of the samples' }).getByRole('link')).toHaveCount(2);
  });

  await test.step('another stands beside it on the same axes', async () => {
    await page.getByRole('button', { name: /Compare with/ }).click();
    await page.getByRole('option', { name: 'BBR', exact: true }).click();
    await expect(page).toHaveURL(/with=bbr/);
    await expect(page.getByRole('heading', { level: 1, name: 'Cubic beside BBR' })).toBeVisible();
    for (const name of ['How Cubic works', 'How BBR works'])
      await expect(page.getByRole('region', { name })).toBeVisible();
    await expect(page.getByRole('group', { name: /^Phases of/ })).toHaveCount(2);
    await expect(page.getByRole('region', { name: 'Figures of the samples' }).getByRole('link')).toHaveText([
      'Cubic (beta 0.5)',
      'BBR',
    ]);
  });

  await test.step('an experiment begins with it, and its samples stand in no list', async () => {
    await page.goto(`${sharedServer.url}/ccas/cubic?p=beta:0.5`);
    await page.getByRole('link', { name: 'Run an experiment with it' }).click();
    await expect(page.getByRole('region', { name: 'Algorithms' })).toContainText('1 chosen');
    await expect(page.getByRole('button', { name: 'Cubic', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/\/new$/);
    const listed = await (await fetch(`${sharedServer.url}/api/v1/experiments`)).text();
    expect(listed).not.toContain('Sample: Cubic');
  });
});

test('whoever comes for the first time sees it play, and what is no algorithm says so', async ({
  sharedServer,
  visitor,
}) => {
  const page = await visitor({ reducedMotion: 'no-preference' });
  await page.goto(`${sharedServer.url}/ccas/newreno`);
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).not.toBeNull();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await page.goto(`${sharedServer.url}/ccas#vivace`);
  await expect(page.getByRole('link', { name: 'PCC Vivace', exact: true })).toBeInViewport();
  await page.goto(`${sharedServer.url}/ccas/reno-of-1990`);
  await expect(page.getByRole('heading', { level: 1, name: 'This algorithm cannot be shown' })).toBeVisible();
  await page.goto(`${sharedServer.url}/ccas/cubic?p=beta:7,beta:fast,gamma:1&link=moon&with=nobody`);
  await expect(page.getByText('moon, beta:7, beta:fast, gamma:1')).toBeVisible();
  await expect(page.getByText('There is nothing to compare with')).toBeVisible();
});

test('the command line tells the same', async () => {
  const { stdout } = await paceline('ccas', 'copa', 'kernel-cubic');
  expect(stdout).toContain('There is a best rate for every queueing delay');
  expect(stdout).toContain('competitive');
  expect(stdout).toContain('https://www.usenix.org/conference/nsdi18/presentation/arun');
  await expect(paceline('ccas', 'nobody')).rejects.toMatchObject({ code: 2 });
});

test('what an agent does is seen over two of its inputs, moves with the replay, and a link leads to it', async ({
  page,
  sharedServer,
  visitor,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${sharedServer.url}/ccas/deepcc`);
  await new Panels(page).ready();
  const figure = page.getByRole('figure', { name: 'What the agent does' });
  await page.locator('[data-plot="policy"]').scrollIntoViewIfNeeded();
  const map = figure.getByRole('img', {
    name: /^Action over under the target and window, from [−\d.]+ to [−\d.]+; in the end DeepCC loop at /,
  });
  await expect(map).toBeVisible();
  await expect(figure).toContainText('DeepCC loop, trained here');

  await test.step('at another moment the agent has seen something else', async () => {
    const before = (await map.getAttribute('aria-label')) ?? '';
    await page.goto(`${sharedServer.url}/ccas/deepcc?at=2.5`);
    await page.locator('[data-plot="policy"]').scrollIntoViewIfNeeded();
    await expect(map).toBeVisible();
    await expect(map).not.toHaveAttribute('aria-label', before);
  });

  await test.step('other inputs are in the address', async () => {
    await figure.getByRole('combobox', { name: 'Across' }).selectOption({ label: 'throughput' });
    await expect(page).toHaveURL(/policy\.x=throughput/);
    const other = await visitor({ reducedMotion: 'reduce' });
    await other.goto(page.url());
    await other.locator('[data-plot="policy"]').scrollIntoViewIfNeeded();
    await expect(other.getByRole('img', { name: /^Action over throughput and window/ })).toBeVisible();
  });

  await test.step('whoever decides by a rule has none', async () => {
    await page.goto(`${sharedServer.url}/ccas/deepcc?p=policy:rule`);
    await new Panels(page).ready();
    await expect(page.locator('[data-plot="phase"]')).toBeAttached();
    await expect(page.locator('[data-plot="policy"]')).toHaveCount(0);
  });
});
