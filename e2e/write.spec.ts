// One's own algorithm: written, broken, mended, shared, read by somebody else before it runs, and put into an experiment on the server.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Api } from './support/api.ts';
import { NewExperiment } from './support/new-experiment.ts';

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

test.skip(
  !existsSync(here('build/native/bin/paceline.wasm')),
  'the engine was not built as WebAssembly: its compiler is not here',
);

const TEMPLATE = readFileSync(here('emulator-bridge/engine/own/examples/aimd.ts'), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const textOf = (page: Page) => page.getByRole('textbox', { name: /^Text of / });
const stateOf = (page: Page) => page.getByRole('status', { name: 'State of the text' });
const firstFigure = (page: Page) => page.getByRole('figure', { name: 'Throughput' }).locator('canvas').first();
const cameOf = (page: Page) => page.getByRole('region', { name: 'What came of it' });

/** Replaces the whole text, as one who pastes. */
async function paste(page: Page, text: string): Promise<void> {
  await textOf(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const noSideways = async (page: Page): Promise<void> => {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
};

for (const [device, options] of [
  ['a desk', {}],
  ['a phone', PHONE],
] as const)
  test(`on ${device}: written from the template, broken, mended, shared, read elsewhere, run on the server`, async ({
    visitor,
    server,
  }) => {
    const page = await visitor(options);
    await page.goto(`${server.url}/write`);
    await expect(stateOf(page)).toContainText('AIMD runs: 2 parameters, 1 internal.');
    await expect(firstFigure(page)).toBeVisible();
    await expect(cameOf(page)).toContainText('Cubic');
    await noSideways(page);

    // Its own name and another answer to a loss.
    const mine = TEMPLATE.replace("'AIMD'", "'Gentle'").replace('default: 0.5', 'default: 0.8');
    await paste(page, mine);
    await expect(stateOf(page)).toContainText('Gentle runs');
    await expect(cameOf(page)).toContainText('Gentle');
    await expect(page).toHaveURL(/mine=My\+algorithm/);

    // Broken while typing: where, in words and as a mark; what ran last stays in sight.
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(';\nnowhere.to_be_found();');
    await expect(stateOf(page)).toContainText(/Line \d+: .*nowhere/);
    await expect(page.locator('.cm-lint-marker-error')).toHaveCount(1);
    await expect(firstFigure(page)).toBeVisible();
    await expect(page.locator('[data-late]')).toBeVisible();
    // Nothing of it is lost by a reload; mended, it runs again.
    await page.reload();
    await expect(stateOf(page)).toContainText(/Line \d+: .*nowhere/);
    await paste(page, mine);
    await expect(stateOf(page)).toContainText('Gentle runs');
    await expect(page.locator('.cm-lint-marker-error')).toHaveCount(0);
    await expect(page.locator('[data-late]')).toHaveCount(0);

    await expect(cameOf(page)).toContainText('Gentle');
    const increase = page.getByRole('slider', { name: 'Increase', exact: true });
    await increase.press('ArrowRight');
    await expect(cameOf(page)).toContainText('Gentle · before');
    await expect(page).toHaveURL(/increase/);

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const link = await page.getByRole('dialog').getByRole('region', { name: 'Link' }).textContent();
    expect(link).toMatch(/\/write\/own-[0-9a-f]{40}$/);

    const reader = await visitor(options);
    await reader.goto(link ?? '');
    await expect(reader.getByRole('heading', { level: 1, name: 'Gentle' })).toBeVisible();
    await expect(textOf(reader)).toContainText("name: 'Gentle'");
    await expect(reader.getByText('Nothing of it has run yet')).toBeVisible();
    await noSideways(reader);
    await reader.getByRole('button', { name: 'Run it here' }).click();
    await expect(firstFigure(reader)).toBeVisible();
    await expect(cameOf(reader)).toContainText('Gentle');

    await reader.getByRole('link', { name: 'New experiment with it' }).click();
    const form = new NewExperiment(reader);
    await form.chooseTraces(['Cellular walk, LTE-like']);
    await form.fill('Duration', '10');
    await form.fullScores(true);
    await expect.poll(() => form.plannedRuns()).toBeGreaterThan(0);
    const id = await form.run();
    const api = new Api(server);
    await expect.poll(async () => (await api.experiment(id)).state, { timeout: 120_000 }).toBe('done');
    const { runs } = await api.experiment(id);
    expect(new Set(runs.map(({ role }) => role))).toContain('baseline_pair');
    await expect(reader.getByText('Gentle').first()).toBeVisible();
  });

test('an endless loop ends after its budget, wherever it is, and the text stays', async ({ page, server }) => {
  await page.goto(`${server.url}/write`);
  await expect(stateOf(page)).toContainText('AIMD runs');
  const inAck = TEMPLATE.replace('onAck(ack) {', 'onAck(ack) {\n        for (;;) {}');
  await paste(page, inAck);
  await expect(stateOf(page)).toContainText(/Line \d+: it took more steps than a call may/);
  await expect(textOf(page)).toContainText('for (;;) {}');
  await paste(page, `for (;;) {}\n${TEMPLATE}`);
  await expect(stateOf(page)).toContainText(/Line 1: it took more steps than it may before the first call/);
  // Few steps, each of which takes long: no count of them helps, and the worker is ended.
  const slow = 'const all = new Uint8Array(8e6);\nfor (let i = 0; i < 1e5; i++) all.fill(i).sort();';
  await paste(page, `${slow}\n${TEMPLATE}`);
  await expect(stateOf(page)).toContainText('it was not read within 5 s');
  await paste(page, TEMPLATE.replace('onAck(ack) {', `onAck(ack) {\n${slow}`));
  await expect(stateOf(page)).toContainText('kept the engine busy for 5 s');
  await expect(textOf(page)).toContainText('all.fill(i).sort();');
  // The page is as quick as ever, and the engine sound.
  await paste(page, TEMPLATE);
  await expect(stateOf(page)).toContainText('AIMD runs');
  await expect(cameOf(page)).toContainText('AIMD');
  await page.getByRole('slider', { name: 'Base RTT', exact: true }).press('ArrowRight');
  await expect(cameOf(page)).toContainText('AIMD · before');
});

test('an error in a run is told at its line, and shown there', async ({ page, server }) => {
  await page.goto(`${server.url}/write`);
  await expect(stateOf(page)).toContainText('AIMD runs');
  const wrong = TEMPLATE.replace('if (!loss.new_episode) return;', 'loss.nothing.at_all();');
  const line = wrong.slice(0, wrong.indexOf('loss.nothing')).split('\n').length;
  await paste(page, wrong);
  await expect(stateOf(page)).toContainText(`Line ${line}: `);
  await stateOf(page).getByRole('button', { name: 'Show' }).click();
  await expect(page.locator('.cm-line.cm-broken')).toContainText('loss.nothing.at_all()');
  await expect(textOf(page)).toBeFocused();
});

test('nothing of a hostile link runs before its reader agrees, and then nothing gets out', async ({ page, server }) => {
  const hostile = TEMPLATE.replace("'AIMD'", `'<img src=x onerror=alert(1)>'`)
    .replace(/summary: .*/, "summary: '<script>alert(2)</script>',")
    .replace('create({', "create({ handshake_rtt_ms: rtt, ...setup }) { throw new Error('I have run'); },\n  other({");
  const { id } = await new Api(server).keep(hostile);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/write/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: '<img src=x onerror=alert(1)>' })).toBeVisible();
  await expect(textOf(page)).toContainText('I have run');
  await page.waitForLoadState('networkidle');
  // There is not even an engine that could run it.
  expect(page.workers()).toEqual([]);
  expect(asked.filter((path) => path.startsWith('/engine/'))).toEqual([]);
  await expect(page.getByRole('alert')).toHaveCount(0);

  // Neither the address of an algorithm nor that of a what-if runs it any sooner.
  await page.goto(`${server.url}/ccas/${id}`);
  await expect(page).toHaveURL(/\/write\/own-/);
  await expect(page.getByText('Nothing of it has run yet')).toBeVisible();
  const spec = { name: 'What if', traces: [{ rate_mbps: 20 }], ccas: [{ id }], buffers: [{ bdp: 2 }], duration_s: 5 };
  await page.goto(`${server.url}/what-if?spec=${encodeURIComponent(JSON.stringify(spec))}`);
  await expect(page.getByText('Somebody wrote an algorithm of this run')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('link', { name: /^Read own-/ }).click();

  await page.getByRole('button', { name: 'Run it here' }).click();
  await expect(page.getByRole('alert')).toContainText('I have run');
  const before = asked.length;
  await page.getByRole('slider', { name: 'Base RTT', exact: true }).press('ArrowRight');
  expect(asked.slice(before).filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
});

test('by keyboard alone: found, written, completed, left and shared', async ({ page, server }) => {
  await page.goto(`${server.url}/ccas`);
  await expect(page.getByRole('link', { name: 'Write your own' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('searchbox', { name: 'Search and commands' })).toBeFocused();
  await page.keyboard.type('your own algorithm');
  await expect(page.getByRole('menuitem', { name: /Your own algorithm/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(stateOf(page)).toContainText('AIMD runs');
  await textOf(page).focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('\n// a word more\nconst unused = (ack: Ack) => ack.new');
  await expect(page.getByRole('option', { name: /^newest_number/ })).toBeVisible();
  // The list takes no key that was on its way before it came.
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toContainText('ack.newest_number');
  await expect(stateOf(page)).toContainText('AIMD runs');
  // Tab is the page's: nobody is kept in the text.
  await page.keyboard.press('Tab');
  await expect(textOf(page)).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(textOf(page)).toBeFocused();
  const keep = page.getByRole('button', { name: 'Keep on the server' });
  await keep.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('“AIMD” is kept on the server as version 1.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Versions' })).toBeVisible();
});

test('texts are renamed, doubled, deleted and brought back; examples are others; another tab is told', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/write`);
  await expect(stateOf(page)).toContainText('AIMD runs');
  await paste(page, TEMPLATE.replace("'AIMD'", "'One'"));
  await expect(stateOf(page)).toContainText('One runs');
  await page.getByRole('button', { name: 'Mine: My algorithm' }).click();
  await page.getByRole('button', { name: 'Rename My algorithm' }).click();
  await page.getByRole('textbox', { name: 'New name' }).fill('First');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('button', { name: 'Duplicate First' }).click();
  const list = page.getByRole('list', { name: 'Texts in this browser' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Delete First 2' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  // The first Escape may be that of the tip on the button that has come under the mouse.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Mine: First' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'Policy' }).click();
  await expect(stateOf(page)).toContainText('Hand-set policy runs');
  await page.goBack();
  await expect(stateOf(page)).toContainText('One runs');

  const second = await page.context().newPage();
  await second.goto(`${server.url}/write?mine=First`);
  await expect(stateOf(second)).toContainText('One runs');
  await second.getByRole('textbox', { name: /^Text of / }).focus();
  await second.keyboard.press('ControlOrMeta+End');
  await second.keyboard.type('\n// from the other tab');
  await expect(page.getByText('Another tab has changed this text')).toBeVisible();
  await expect(textOf(page)).toContainText('// from the other tab');
  await page.getByRole('button', { name: 'Keep what was here, too' }).click();
  await expect(page.getByRole('button', { name: /^Mine: First 3/ })).toBeVisible();
  await expect(textOf(page)).not.toContainText('// from the other tab');
});

test('where the browser keeps nothing, the page says so and loses nothing while it is open', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.goto(`${server.url}/write`);
  await expect(stateOf(page)).toContainText('AIMD runs');
  await paste(page, TEMPLATE.replace("'AIMD'", "'Unkept'"));
  await expect(page.getByText('This browser has no room left')).toBeVisible();
  await expect(stateOf(page)).toContainText('Unkept runs');
});

test('what leaves the page: the text, the language, a skeleton in C++; a link of nothing says so', async ({
  page,
  server,
}) => {
  const { id } = await new Api(server).keep(TEMPLATE);
  await page.goto(`${server.url}/write/${id}`);
  const saved = async (entry: string): Promise<string> => {
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: entry }).click();
    return readFileSync(await (await coming).path(), 'utf8');
  };
  expect(await saved('The text')).toBe(TEMPLATE);
  expect(await saved('A C++ skeleton of it')).toContain('AIMD');
  const copy = page.getByRole('button', { name: 'Make a copy to change' });
  await expect(copy).toBeDisabled();
  await page.getByRole('button', { name: 'Run it here' }).click();
  await copy.click();
  await expect(stateOf(page)).toContainText('AIMD runs');
  expect(await saved('language.d.ts, for your own editor')).toContain('interface Controller');

  await page.goto(`${server.url}/write/own-${'0'.repeat(40)}`);
  await expect(page.getByRole('heading', { level: 1, name: 'This algorithm cannot be shown' })).toBeVisible();
  await expect(page.getByText('There is no such algorithm on this server')).toBeVisible();
  await page.goto(`${server.url}/write/nothing`);
  await expect(page.getByText('There is no such algorithm on this server')).toBeVisible();
});

test.describe('where the server has no engine for the page', () => {
  test.use({ expectedComplaints: [/paceline\.wasm/] });

  test('the page says so, and still edits and keeps what is typed', async ({ page, server }) => {
    await page.route('**/engine/paceline.wasm', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${server.url}/write`);
    await expect(page.getByText('The engine cannot be had in this page')).toBeVisible();
    await paste(page, '// a thought\n');
    await page.reload();
    await expect(textOf(page)).toContainText('// a thought');
  });
});
