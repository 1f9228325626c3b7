// A laboratory that several share: its operator gives tokens, whose holders may what their roles may, until they are revoked.
import { expect, test } from './fixtures.ts';
import { axeFaults } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { PacelineServer } from './server.ts';

const OPERATORS = 'the-token-of-the-operator';
let lab: PacelineServer;
test.beforeAll(async () => {
  lab = await PacelineServer.start({ env: { PACELINE_TOKEN: OPERATORS } });
});
test.afterAll(() => lab.dispose());
// What is refused, and what is asked without a token, browsers log.
test.use({ reducedMotion: 'reduce', expectedComplaints: [/(401|403|422) \(|WebSocket connection/] });

test('a viewer is given a token, looks, is refused what changes anything, and is out when it is revoked', async ({
  page,
  visitor,
}) => {
  await page.goto(`${lab.url}/?token=${OPERATORS}`);
  await page.goto(`${lab.url}/settings`);
  const section = page.getByRole('region', { name: 'Who may use this server' });
  await expect(section).toContainText('You are signed in with the operator’s own token.');
  await expect(section).toContainText('Nobody has been given a token yet.');
  await section.getByRole('textbox', { name: 'Give a token to' }).fill('Ann');
  await section.getByRole('radio', { name: 'Viewer' }).check({ force: true });
  await section.getByRole('button', { name: 'Give it' }).click();
  const token = (await section.getByRole('status').locator('code').textContent()) ?? '';
  expect(token).toMatch(/^paceline_[\w-]{43}$/);
  await expect(section.getByRole('list', { name: 'Who has a token' })).toContainText(/Ann.*viewer.*never used/s);
  await section.getByRole('textbox', { name: 'Give a token to' }).fill('ann');
  await section.getByRole('button', { name: 'Give it' }).click();
  await expect(section).toContainText('there is a token called ann already');

  const ann = await visitor({ reducedMotion: 'reduce' });
  await ann.goto(`${lab.url}/?token=${token}`);
  await expect(ann.getByRole('link', { name: 'Looking only' })).toBeVisible();
  await expect(ann).toHaveURL(/\/$/);
  const form = new NewExperiment(ann);
  await form.open(lab.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Cubic']);
  await ann.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(ann.getByText('this takes an author’s token; Ann is a viewer').first()).toBeVisible();
  await ann.getByRole('link', { name: 'Looking only' }).click();
  await expect(ann.getByRole('region', { name: 'Who may use this server' })).toContainText(
    'You are signed in as Ann, a viewer.',
  );
  await expect(ann.getByRole('button', { name: 'Give it' })).toHaveCount(0);
  // What the button of the page before has told to screen readers is gone with that page.
  await ann.reload();
  await expect(ann.getByRole('region', { name: 'Who may use this server' })).toBeVisible();
  expect(await axeFaults(ann)).toEqual([]);
  await ann.setViewportSize({ width: 390, height: 844 });
  expect(await layoutFaults(ann)).toEqual([]);

  await section.getByRole('button', { name: 'What was done here' }).click();
  await expect(section.getByRole('listitem').filter({ hasText: 'POST /experiments' }).first()).toContainText(
    /Ann.*refused \(403\)/s,
  );
  await expect(section.getByRole('listitem').filter({ hasText: /POST \/tokens \(Ann, viewer\)/ })).toContainText(
    'The operator',
  );
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await layoutFaults(page)).toEqual([]);
    expect(await axeFaults(page)).toEqual([]);
    if (process.env['SHOTS'] !== undefined)
      await page.screenshot({ path: `${process.env['SHOTS']}/roles-${width}-${colorScheme}.png`, fullPage: true });
  }
  if (process.env['SHOTS'] !== undefined) await ann.screenshot({ path: `${process.env['SHOTS']}/roles-viewer.png` });

  await section.getByRole('button', { name: 'Revoke the token of Ann' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(section.getByRole('list', { name: 'Who has a token' })).toHaveCount(0);
  await ann.goto(`${lab.url}/traces`);
  await expect(ann.getByRole('heading', { name: 'This laboratory asks for its token' })).toBeVisible();

  await section.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'This laboratory asks for its token' })).toBeVisible();
  await page.goto(`${lab.url}/traces`);
  await expect(page).toHaveURL(/\/sign-in/);
});
