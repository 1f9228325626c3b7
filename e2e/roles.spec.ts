// A laboratory that several share: its operator gives tokens, whose holders may what their roles may, until they are revoked.
import { TestProxy } from '../server/src/testing/proxy.ts';
import { expect, test } from './fixtures.ts';
import { axeFaults } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { expectWellMade } from './support/sizes.ts';
import { PacelineServer } from './server.ts';

const OPERATORS = 'the-token-of-the-operator';
let lab: PacelineServer;
test.beforeAll(async () => {
  lab = await PacelineServer.start({ env: { PACELINE_TOKEN: OPERATORS } });
});
test.afterAll(() => lab.dispose());

// What is refused, and what is asked without a token, browsers log.
test.use({ reducedMotion: 'reduce', expectedComplaints: [/(400|401|403|422|507) \(|WebSocket connection/] });

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
  await expectWellMade(page, 'roles');
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

test('who has signed in at a proxy is known by name, and is what the operator says', async ({
  page,
  visitor,
  complaints,
}) => {
  const behind = await PacelineServer.start({
    env: { PACELINE_TOKEN: OPERATORS },
    flags: ['--trusted-proxy', '127.0.0.3', '--default-role', 'viewer'],
  });
  const proxy = await TestProxy.start(behind.url, {
    from: '127.0.0.3',
    says: (name) => ({ 'x-forwarded-user': name }),
  });
  try {
    await page.goto(`${behind.url}/?token=${OPERATORS}`);
    await page.goto(`${behind.url}/settings`);
    const section = page.getByRole('region', { name: 'Who may use this server' });
    await expect(section).toContainText(
      'Everybody else who signs in at the proxy in front of this server is a viewer.',
    );

    const ann = await visitor({ reducedMotion: 'reduce' });
    await ann.context().addCookies([{ name: 'visitor', value: 'ann@example.org', url: proxy.url }]);
    await ann.goto(`${proxy.url}/settings`);
    await expect(ann.getByRole('link', { name: 'ann@example.org Looking only' })).toBeVisible();
    const self = ann.getByRole('region', { name: 'Who may use this server' });
    await expect(self).toContainText('You are signed in as ann@example.org, a viewer.');
    await expect(self).toContainText('you sign out there');
    await expect(self.getByRole('button', { name: 'Sign out' })).toHaveCount(0);

    await section.getByRole('textbox', { name: 'Say what a person may' }).fill('ann@example.org');
    await section.getByRole('button', { name: 'Set the role' }).click();
    const list = section.getByRole('list', { name: 'What persons may' });
    await expect(list).toContainText(/ann@example.org.*author/s);
    await section.getByRole('textbox', { name: 'Say what a person may' }).fill('a,b');
    await section.getByRole('button', { name: 'Set the role' }).click();
    await expect(section).toContainText('a name has no commas');
    await ann.reload();
    await expect(ann.getByRole('banner').getByRole('link', { name: 'ann@example.org' })).toBeVisible();
    await expect(ann.getByText('Looking only')).toHaveCount(0);
    await expectWellMade(page, 'persons-operator');
    await expectWellMade(ann, 'persons-ann');
    await section.getByRole('button', { name: 'Forget the role of ann@example.org' }).click();
    await expect(list).toHaveCount(0);
    await ann.reload();
    await expect(ann.getByText('Looking only')).toBeAttached();
  } finally {
    // Pages may still ask.
    complaints.end();
    await proxy.close();
    await behind.dispose();
  }
});

test('who may hold only so much reads what they hold, is told what does not fit, and the operator sees who holds what', async ({
  page,
  visitor,
  request,
  complaints,
}) => {
  const bounded = await PacelineServer.start({
    env: { PACELINE_TOKEN: OPERATORS },
    flags: ['--max-data-each', '1.5M'],
  });
  try {
    const given = await request.post(`${bounded.url}/api/v1/tokens`, {
      headers: { authorization: `Bearer ${OPERATORS}` },
      data: { name: 'Bob', role: 'author' },
    });
    const bob = await visitor({ reducedMotion: 'reduce' });
    await bob.goto(`${bounded.url}/?token=${((await given.json()) as { token: string }).token}`);
    const form = new NewExperiment(bob);
    await form.open(bounded.url);
    await form.chooseTraces(['Constant, 48 Mbps']);
    await form.chooseAlgorithms(['Cubic']);
    await form.fill('Duration', '600');
    await expect(
      bob.getByText(/there is room for 1\.5 MB more: this may take up to .*, and will be refused/),
    ).toBeVisible();
    await form.bar.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(
      bob.getByText('each person may hold 1.5 MB here, which this would exceed: you hold 0 kB').first(),
    ).toBeVisible();
    await form.fill('Duration', '10');
    await expect(bob.getByText(/will be refused/)).toHaveCount(0);
    await form.run();
    await expect(bob.getByText('Done').first()).toBeVisible();

    await bob.goto(`${bounded.url}/settings`);
    const own = bob.getByRole('region', { name: 'Who may use this server' });
    await expect(own).toContainText(/You hold [\d.]+.kB of the 1\.50.MB that each may\./);
    await expect(own.getByRole('meter', { name: 'What you hold' })).toHaveAttribute('aria-valuetext', /kB of 1\.50.MB/);

    await page.goto(`${bounded.url}/?token=${OPERATORS}`);
    await page.goto(`${bounded.url}/settings`);
    await page.getByRole('button', { name: 'What each holds' }).click();
    await expect(page.getByText(/^Each may hold 1\.50.MB, but operators\.$/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'What each holds' })).toContainText(/Bob.*kB/s);
    await expectWellMade(page, 'holdings-operator');
    await expectWellMade(bob, 'holdings-bob');
  } finally {
    complaints.end();
    await bounded.dispose();
  }
});
