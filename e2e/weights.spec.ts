// A network that was trained elsewhere: from its file into an algorithm's parameters, into a run, and onto the page of that run.
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { Panels } from './support/panels.ts';

/** Says the same whatever it sees: a quarter of the window, at every step. */
const TIMID = {
  format: 'paceline-weights',
  version: 1,
  name: 'timid',
  algorithm: 'orca',
  inputs: ['delay_metric'],
  layers: [{ activation: 'tanh', weights: [[0]], bias: [-20] }],
};

// The browser logs every answer that is a refusal.
test.use({ expectedComplaints: [/status of 422/] });

test('a network is refused with its place, or takes part and is told from the algorithm without it', async ({
  page,
  server,
}) => {
  const api = new Api(server);
  const form = new NewExperiment(page);
  await form.open(server.url);
  await form.chooseTraces(['Constant, 48 Mbps']);
  await form.chooseAlgorithms(['Orca loop']);
  await form.chooseLimits(['5 BDP']);
  await form.fill('Duration', '6');
  await form.fullScores(false);

  await form.algorithms.getByRole('button', { name: 'Parameters of Orca loop' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('network', { exact: true }).click();
  const add = dialog.getByRole('button', { name: 'Add as another' });
  await expect(add).toBeDisabled();
  const choose = async (name: string, network: object): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Upload a file' }).click();
    await (
      await chooser
    ).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(network)) });
  };
  await choose('broken.json', { ...TIMID, layers: [{ activation: 'tanh', weights: [['much']], bias: [0] }] });
  await expect(dialog.getByRole('alert')).toContainText('layers[0].weights[0][0]: must be a number');
  await choose('other.json', { ...TIMID, algorithm: 'deepcc', inputs: ['window'], name: 'for another' });
  await expect(dialog.getByRole('alert')).toContainText('for another is for deepcc, not for orca');
  await expect(add).toBeDisabled();
  await choose('timid.json', TIMID);
  await expect(dialog.getByRole('button', { name: /timid \(2 weights/ })).toBeVisible();
  await add.click();

  const { runs } = await api.ended(await form.run());
  expect(runs).toHaveLength(2);
  const [timid, usual] = runs
    .map(({ id, summary }) => ({ id, utilisation: summary?.links[0]?.utilisation ?? NaN }))
    .sort((a, b) => a.utilisation - b.utilisation);
  expect(timid?.utilisation).toBeLessThan(0.5 * (usual?.utilisation ?? NaN));
  // Named by the beginning of its content hash, without the choice that goes without saying.
  await page.goto(`${server.url}/r/${timid?.id ?? ''}`);
  await new Panels(page).ready();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Orca loop \(weights [0-9a-f]{8}\)/);
});
