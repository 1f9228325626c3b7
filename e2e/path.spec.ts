// A path is put together from boxes, and packets go through it.
import { TraceList, TraceRecord } from '#protocol/api';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { saveFigure } from './support/downloads.ts';

test('an element is added to the path, set, moved and taken away again', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  const usual = await api.measure({
    name: 'Usual path',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    buffers: [{ bdp: 1 }],
    duration_s: 10,
  });
  await page.goto(`${sharedServer.url}/new?from=${usual.id}`);
  await page.getByRole('button', { name: 'More settings' }).click();
  const boxes = page.getByRole('list', { name: 'Path of the data' }).getByRole('listitem');
  const add = page.getByRole('button', { name: 'Add an element to the path of the data' });
  await expect(boxes).toHaveText(['Random loss', 'Bottleneck', 'Delay', 'Add']);

  await test.step('a policer of 5 Mbps and a duplicator, which changes its mind', async () => {
    await add.click();
    await page.getByRole('menuitem', { name: 'Policer' }).click();
    await page.getByRole('button', { name: 'Parameters of Policer' }).click();
    const rate = page.getByRole('dialog').getByRole('textbox', { name: /^Rate/ });
    await rate.fill('5');
    await rate.press('Tab');
    await page.getByRole('button', { name: 'Apply' }).click();
    await add.click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Policer', 'Duplicate', 'Bottleneck', 'Delay', 'Add']);
    await page.getByRole('button', { name: 'Move later: Policer' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Duplicate', 'Policer', 'Bottleneck', 'Delay', 'Add']);
    await page.getByRole('button', { name: 'Remove: Duplicate' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Policer', 'Bottleneck', 'Delay', 'Add']);
  });

  const policed = await test.step('the run goes through it', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/e\//);
    const record = await api.ended(/\/e\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '');
    const { summary } = await api.run(record.runs[0]?.id ?? '');
    const [link] = summary?.links ?? [];
    expect(link?.path?.map(({ element }) => element)).toEqual(['loss', 'policer', 'bottleneck', 'delay']);
    expect(link?.path?.[1]?.lost_packets).toBeGreaterThan(0);
    // Its bucket holds 0.1 MB at first: over 10 s that is 0.08 Mbps more.
    expect(summary?.receivers[0]?.throughput_mbps).toBeLessThan(5.1);
    expect(summary?.receivers[0]?.throughput_mbps).toBeGreaterThan(2);
    return record.id;
  });

  await test.step('its page has a panel and a box for each element, and its file their columns', async () => {
    const { runs } = await api.experiment(policed);
    const run = runs[0]?.id ?? '';
    await page.goto(`${sharedServer.url}/r/${run}`);
    const figure = page.getByRole('figure', { name: 'Along the path' });
    for (const name of ['Random loss', 'Policer', 'Bottleneck', 'Delay'])
      await expect(figure.getByText(name, { exact: true })).toBeVisible();
    // What did nothing is said rather than drawn, until all is asked for.
    const idle = figure.getByText('lost, copied, held: 0 throughout');
    await expect(idle).toHaveCount(1);
    await figure.getByText('All values').click();
    await expect(idle).toHaveCount(0);
    const boxes = page.getByRole('list', { name: 'Path of the data, element by element' }).getByRole('listitem');
    await expect(boxes).toHaveCount(4);
    await expect(boxes.nth(1)).toContainText(/PolicerEntered[\d,\s]+Lost[\d,\s]+/u);
    await expect(boxes.nth(1)).toContainText('dropped');
    const csv = (await api.file(`/runs/${run}/export?format=csv`)).toString();
    expect(csv.split('\n', 1)[0]).toContain('forward1_policer_tokens_bytes');
  });

  await test.step('whoever runs it again sees the path, and comes back to the usual one', async () => {
    await page.goto(`${sharedServer.url}/new?from=${policed}`);
    await expect(boxes).toHaveText(['Random loss', 'Policer', 'Bottleneck', 'Delay', 'Add']);
    await page.getByRole('button', { name: 'Back to the usual path' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Bottleneck', 'Delay', 'Add']);
    await expect(page.getByRole('button', { name: 'Back to the usual path' })).toHaveCount(0);
  });
});

test('further bottlenecks are set in the form: a rate or a trace, a discipline, a limit', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  const trace = 'second-bottleneck.trace';
  const usual = await api.measure({
    name: 'One bottleneck',
    traces: [{ rate_mbps: 24 }],
    ccas: [{ id: 'cubic' }],
    buffers: [{ bdp: 1 }],
    duration_s: 5,
  });
  // 8 Mbps: two opportunities in each third millisecond.
  const upload = await page.request.post(`${sharedServer.url}/api/v1/traces?name=${trace}`, {
    headers: { 'content-type': 'application/octet-stream' },
    data: '3\n3\n',
  });
  const { id } = TraceRecord.parse(await upload.json());
  await page.goto(`${sharedServer.url}/new?from=${usual.id}`);
  await page.getByRole('button', { name: 'More settings' }).click();
  const boxes = page.getByRole('list', { name: 'Path of the data' }).getByRole('listitem');
  const dialog = page.getByRole('dialog', { name: 'Further bottleneck' });

  await test.step('one of 8 Mbps with CoDel and room for 20 packets', async () => {
    await page.getByRole('button', { name: 'Add an element to the path of the data' }).click();
    await page.getByRole('menuitem', { name: 'Bottleneck' }).click();
    await dialog.getByRole('textbox', { name: /^Rate/ }).fill('8');
    await dialog.getByRole('button', { name: /Queue discipline/ }).click();
    await page.getByRole('option', { name: 'CoDel', exact: true }).click();
    await dialog.getByRole('button', { name: /Queue limit in/ }).click();
    await page.getByRole('option', { name: 'packets' }).click();
    await dialog.getByRole('textbox', { name: /^Queue limit$/ }).fill('20');
    await dialog.getByRole('textbox', { name: /^Queue limit$/ }).press('Tab');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(boxes).toHaveText(['Random loss', 'Bottleneck, 8 Mbps', 'Bottleneck', 'Delay', 'Add']);
  });

  await test.step('then a trace instead', async () => {
    await page.getByRole('button', { name: 'Parameters of Bottleneck' }).click();
    await expect(dialog.getByRole('textbox', { name: /^Queue limit$/ })).toHaveValue('20');
    await dialog.getByText('Trace', { exact: true }).click();
    const filter = dialog.getByRole('searchbox', { name: 'Filter traces' });
    if (await filter.isVisible()) await filter.fill('second-bottleneck');
    await dialog.getByRole('button', { name: /Trace/ }).click();
    await page.getByRole('option', { name: trace }).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(boxes).toHaveText(['Random loss', `Bottleneck, ${trace}`, 'Bottleneck', 'Delay', 'Add']);
  });

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/e\//);
  const record = await api.ended(/\/e\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '');
  const { manifest, summary } = await api.run(record.runs[0]?.id ?? '');
  expect(manifest.forward.path?.[1]).toMatchObject({
    element: 'bottleneck',
    capacity: { kind: 'trace', sha256: id, name: trace },
    queue: { id: 'codel', limit_packets: 20 },
  });
  // Where packets wait is the narrower one.
  expect(summary?.receivers[0]?.throughput_mbps).toBeLessThan(8.1);
  expect(summary?.receivers[0]?.throughput_mbps).toBeGreaterThan(6);
});

test('a flow enters the path where its form says, by the numbers of the boxes', async ({ page, sharedServer }) => {
  const api = new Api(sharedServer);
  // The link's own loss is in front without being named.
  const { id } = await api.measure({
    name: 'Cross traffic',
    traces: [{ rate_mbps: 24 }],
    ccas: [{ id: 'cubic' }],
    duration_s: 5,
    elements: {
      forward: [{ element: 'policer', params: { rate_mbps: 5 } }, { element: 'bottleneck' }, { element: 'delay' }],
    },
    flows: [{ cca: '$cca' }, { cca: '$cca', joins: 1 }],
  });
  await page.goto(`${sharedServer.url}/new?from=${id}`);
  const flow = page.getByRole('group', { name: 'Flow 2' });
  const place = flow.getByRole('button', { name: /Enters the path at/ });
  const boxes = page.getByRole('list', { name: 'Path of the data' }).getByRole('listitem');
  await expect(boxes).toHaveText(['Random loss', 'Policer', 'Bottleneck', 'Delay', 'Add']);
  await expect(place).toHaveText('3: Bottleneck');

  await test.step('only what enters behind the policer is faster than it', async () => {
    const { runs } = await api.experiment(id);
    const { summary } = await api.run(runs[0]?.id ?? '');
    const [policed, free] = summary?.receivers ?? [];
    expect(policed?.throughput_mbps).toBeLessThan(5.2);
    expect(free?.throughput_mbps).toBeGreaterThan(10);
  });

  await test.step('at the beginning both are policed', async () => {
    await place.click();
    await page.getByRole('option', { name: 'the beginning' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/e\//);
    const again = await api.ended(/\/e\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '');
    const { manifest, summary } = await api.run(again.runs[0]?.id ?? '');
    expect(manifest.flows[1]?.joins).toBeUndefined();
    const together = (summary?.receivers ?? []).reduce((sum, { throughput_mbps }) => sum + throughput_mbps, 0);
    expect(together).toBeLessThan(5.3);
  });
});

test('recorded delays are pasted or opened from a file, and refused with their line', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  const usual = await api.measure({
    name: 'Before it was recorded',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    duration_s: 2,
    elements: {
      forward: [{ element: 'jitter', params: {} }, { element: 'bottleneck' }, { element: 'delay' }],
    },
  });
  await page.goto(`${sharedServer.url}/new?from=${usual.id}`);
  const boxes = page.getByRole('list', { name: 'Path of the data' }).getByRole('listitem');
  const open = () => page.getByRole('button', { name: 'Parameters of Jitter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Parameters of Jitter' });
  const delays = dialog.getByRole('textbox', { name: 'Recorded delays' });
  const apply = dialog.getByRole('button', { name: 'Apply' });

  await test.step('nothing is applied until there are delays', async () => {
    await open();
    await expect(delays).toHaveCount(0);
    await dialog.getByText('recorded', { exact: true }).click();
    await expect(apply).toBeDisabled();
    await delays.fill('0,5\n10,fast');
    await expect(dialog.getByRole('alert')).toHaveText('line 2: “fast” is not a number');
    await expect(apply).toBeDisabled();
    await delays.fill('5\n7\n6');
    await expect(dialog.getByText('3 delays, 5 to 7 ms, anew after 3 s')).toBeVisible();
    await expect(apply).toBeEnabled();
  });

  await test.step('a file, with its name', async () => {
    const choose = async (name: string, text: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'Choose a file …' }).click();
      await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    };
    await choose('huge.csv', '5\n'.repeat(600_000));
    await expect(dialog.getByRole('alert')).toContainText('huge.csv has 1.20 MB; the most is 1.00 MB');
    await choose('late.csv', '0,5\n10,6\n10,7\n');
    await expect(dialog.getByRole('alert')).toHaveText(
      'late.csv: line 3: the time 10 is not after the one before it, 10',
    );
    await choose('ping.csv', 'time_ms,delay_ms\n1700000000000,9\n1700000000100,9\n');
    await expect(dialog.getByText('ping.csv: 2 delays, 9 to 9 ms, anew after 0.2 s')).toBeVisible();
    await apply.click();
    await expect(boxes).toHaveText(['Random loss', 'Jitter, recorded', 'Bottleneck', 'Delay', 'Add']);
  });

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/e\//);
  const id = /\/e\/([a-z0-9]+)/.exec(page.url())?.[1] ?? '';
  const record = await api.ended(id);
  const { manifest, summary } = await api.run(record.runs[0]?.id ?? '');
  expect(manifest.forward.path?.[1]?.recorded).toEqual({ name: 'ping.csv', times_ms: [0, 100], delays_ms: [9, 9] });
  expect(summary?.links[0]?.path?.[1]?.figures?.['delay_mean_ms']).toBe(9);

  await test.step('the permalink has them, and its form; drawn again they are gone', async () => {
    await page.goto(`${sharedServer.url}/new?from=${id}`);
    await open();
    await expect(delays).toHaveValue('0,9\n100,9');
    await dialog.getByText('uniform', { exact: true }).click();
    await apply.click();
    await expect(boxes).toHaveText(['Random loss', 'Jitter', 'Bottleneck', 'Delay', 'Add']);
  });
});

test('over a recording by others files and figures name its owner; a flow behind the link is told apart', async ({
  page,
  sharedServer,
}) => {
  const api = new Api(sharedServer);
  const { traces } = TraceList.parse(await (await page.request.get(`${sharedServer.url}/api/v1/traces`)).json());
  const recording = traces.find(({ licence }) => licence.startsWith('CC BY 4.0'));
  const licence = recording?.licence ?? 'no recording';
  const { id } = await api.measure({
    name: 'Over a recording',
    traces: [{ trace: recording?.id ?? '' }],
    ccas: [{ id: 'cubic' }],
    duration_s: 2,
    elements: {
      forward: [
        { element: 'bottleneck' },
        { element: 'bottleneck', capacity: { rate_mbps: 50 }, buffer: { bdp: 1 } },
        { element: 'delay' },
      ],
    },
    flows: [{ cca: '$cca' }, { cca: { id: 'bbr' }, joins: 1 }],
  });
  const { runs } = await api.experiment(id);

  await test.step('the figures of its run and of the experiment', async () => {
    await page.goto(`${sharedServer.url}/r/${runs[0]?.id ?? ''}`);
    await expect(page.getByText('BBR joins behind the link and shares nothing of its capacity')).toBeVisible();
    await expect(page.getByRole('figure', { name: 'Throughput' }).getByText('BBR (behind the link)')).toBeVisible();
    const table = page.getByRole('region', { name: 'Figures of each flow' });
    await expect(table.getByRole('row', { name: /BBR/ })).toContainText('beside the link');
    await expect(table.getByRole('row', { name: /CUBIC/i })).not.toContainText('beside the link');
    await expect(page.getByLabel('Summary', { exact: true })).toContainText('flow 1 alone passes the link');
    const svg = (await saveFigure(page, 'Throughput', 'SVG')).toString();
    // In the caption it may stand in several lines.
    expect(/<desc>(.*?)<\/desc>/s.exec(svg)?.[1]).toContain(licence);
    const { trace_source } = metadataOf(svg);
    expect(trace_source).toBe(recording?.source);
    const png = (await saveFigure(page, 'Throughput', 'PNG')).toString('utf8');
    expect(png).toContain(licence);
    await page.goto(`${sharedServer.url}/e/${id}`);
    const frontier = (await saveFigure(page, 'Throughput–delay frontier', 'SVG')).toString();
    expect(metadataOf(frontier)).toMatchObject({ trace_licence: licence, trace_source });
  });

  await test.step('the files of the experiment', async () => {
    const csv = (await api.file(`/experiments/${id}/export?format=csv`)).toString();
    expect(csv.split('\n', 1)[0]).toContain('trace_licence,trace_source');
    expect(csv).toContain(licence);
    expect(csv.split('\n', 1)[0]).toMatch(/jain_flows,flow0_passes_link,flow1_passes_link$/m);
    const json = (await api.file(`/experiments/${id}/export?format=json`)).toString();
    expect(JSON.parse(json)).toMatchObject({ trace_owners: [{ id: recording?.id, licence }] });
  });
});

/** What the file of a figure says of itself. */
function metadataOf(svg: string): Record<string, string> {
  const [, said = '{}'] = /<metadata>(.*)<\/metadata>/s.exec(svg) ?? [];
  const plain = said.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  return JSON.parse(plain) as Record<string, string>;
}
