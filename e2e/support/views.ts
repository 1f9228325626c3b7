// Every page there is, with something on it.
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { ExperimentSpecInput } from '#protocol/spec';
import type { Api } from './api.ts';

export const VIEWED: ExperimentSpecInput = {
  name: 'Something to look at',
  traces: [{ trace: 'Cellular walk, LTE-like' }, { trace: 'Step between 12 and 48 Mbps' }],
  ccas: [{ id: 'newreno' }, { id: 'cubic' }, { id: 'bbr' }, { id: 'optimal' }, { id: 'oracle' }],
  buffers: [{ bdp: 1 }, { bdp: 5 }, { infinite: true }],
  repetitions: 2,
  full_scores: true,
  duration_s: 10,
};

/** The first example of an own algorithm. */
const TEMPLATE = readFileSync(new URL('../../emulator-bridge/engine/own/examples/aimd.ts', import.meta.url), 'utf8');

const WHAT_IF: ExperimentSpecInput = {
  name: 'What if',
  traces: [{ trace: 'Cellular walk, LTE-like' }],
  ccas: [{ id: 'bbr' }],
  buffers: [{ bdp: 2 }],
  duration_s: 20,
};

/** A desk and a phone. */
export const SIZES = [
  { name: 'desk', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;

export interface View {
  readonly name: string;
  readonly path: string;
  /** Is there when the page has all that it shows. */
  readonly shows: (page: Page) => Promise<void>;
  /** A selector of what each machine says differently. */
  readonly varies?: string;
  /** It says which stacks cannot be run here. */
  readonly tellsStacks?: true;
}

const drawn = (page: Page): Promise<void> => expect(page.locator('figure').first()).toBeVisible();
const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

export async function viewsOf(api: Api, viewed = VIEWED): Promise<View[]> {
  const experiment = await api.measure(viewed);
  const run = experiment.runs.find(({ role }) => role === 'baseline_pair')?.id ?? '';
  const other = experiment.runs.find(({ role, id }) => role === 'solo' && id !== run)?.id ?? '';
  const own = await api.keep(TEMPLATE);
  // Others may have uploaded some to this server, which come first.
  const [trace, second] = (await api.traces()).filter(({ origin }) => origin === 'library');
  const tags = ['thesis', 'to-be-shown-again'];
  await api.label('experiment', experiment.id, { tags, starred: true, note: '# Why\n\n- **Cubic** beside `bbr`' });
  await api.label('run', run, { tags, note: 'The queue stands.' });
  await api.label('trace', trace?.id ?? '', { tags: ['thesis'], starred: true });
  const note = 'What a share says of itself.\n\nIn two paragraphs.';
  const share = await api.freeze({ address: `/overlay?runs=${run},${other}`, title: 'Two runs, frozen', note });
  return [
    {
      name: 'home',
      path: '/',
      shows: (page) =>
        expect(page.getByRole('region', { name: 'Live sample' }).locator('canvas').first()).toBeVisible(),
    },
    { name: 'traces', path: '/traces', shows: (page) => expect(page.getByRole('table')).toBeVisible() },
    {
      name: 'trace',
      path: `/traces/${trace?.id ?? ''}`,
      shows: (page) => expect(page.locator('figure canvas').first()).toBeVisible(),
    },
    {
      name: 'compare',
      path: `/traces/compare?ids=${trace?.id ?? ''},${second?.id ?? ''}`,
      shows: (page) => expect(page.locator('figure canvas').first()).toBeVisible(),
    },
    { name: 'make', path: '/traces/make', shows: drawn },
    {
      name: 'edit',
      path: `/traces/${trace?.id ?? ''}/edit?steps=cut:0,30000_outage:5000,2000,insert_scale:0.5`,
      shows: (page) => expect(page.locator('figure canvas').first()).toBeVisible(),
    },
    {
      name: 'new',
      path: `/new?from=${experiment.id}`,
      shows: (page) => expect(page.getByRole('checkbox').first()).toBeVisible(),
      tellsStacks: true,
    },
    { name: 'experiment', path: `/e/${experiment.id}`, shows: drawn },
    { name: 'run', path: `/r/${run}`, shows: drawn },
    {
      name: 'runs',
      path: '/runs?q=cca:bbr%20trace:walk&sort=-delay',
      shows: async (page) => {
        await expect(page.getByRole('table')).toBeVisible();
        // Rows are made when the table is first asked for; until all are there it says so.
        await expect(page.getByText(/^Still reading/)).toHaveCount(0);
      },
    },
    {
      name: 'what-if',
      path: `/what-if?spec=${encodeURIComponent(JSON.stringify(WHAT_IF))}`,
      shows: (page) => expect(page.locator('figure canvas').first()).toBeVisible(),
    },
    {
      name: 'write',
      path: '/write',
      shows: async (page) => {
        await expect(page.getByText('AIMD runs: 2 parameters, 1 internal.')).toBeVisible();
        await expect(page.getByRole('region', { name: 'What came of it' })).toContainText('BBR');
        // What is drawn when it is seen stands above many values: whoever is quick is past it before it is there.
        await page.getByRole('heading', { name: /^Values/ }).scrollIntoViewIfNeeded();
        await expect(page.getByRole('button', { name: 'Congestion window against RTT as a table' })).toBeVisible();
        await page.evaluate(() => window.scrollTo(0, 0));
        await expect(page.locator('figure canvas').first()).toBeVisible();
      },
    },
    {
      name: 'read',
      path: `/write/${own.id}`,
      shows: (page) => expect(page.getByRole('textbox', { name: 'Text of AIMD' })).toBeVisible(),
    },
    { name: 'learn', path: '/learn', shows: heading('Lessons') },
    {
      name: 'lesson',
      path: '/learn/bufferbloat-on-lte',
      shows: (page) => expect(page.locator('figure canvas').first()).toBeVisible(),
    },
    { name: 'teacher', path: '/learn/teacher', shows: (page) => expect(page.getByRole('table')).toBeVisible() },
    { name: 'embed', path: `/embed/e/${experiment.id}/scores`, shows: drawn },
    { name: 'overlay', path: `/compare?runs=${run},${other}`, shows: drawn },
    { name: 'side-by-side', path: `/compare?runs=${run},${other}&view=grid`, shows: drawn },
    {
      name: 'regression',
      path: `/compare?regress=${experiment.id},${experiment.id}`,
      shows: (page) => expect(page.getByRole('region', { name: 'What moved' })).toBeVisible(),
    },
    { name: 'share', path: `/s/${share.slug}`, shows: drawn },
    { name: 'shares', path: '/s', shows: heading('Frozen shares') },
    {
      name: 'studies',
      path: '/studies',
      shows: (page) => expect(page.getByRole('button', { name: /^Run / }).first()).toBeVisible(),
    },
    { name: 'study', path: '/studies/zeus', shows: drawn },
    {
      name: 'ccas',
      path: '/ccas',
      shows: (page) => expect(page.getByRole('link', { name: 'BBRv3', exact: true })).toBeVisible(),
      tellsStacks: true,
    },
    { name: 'cca', path: '/ccas/cubic?p=beta:0.5&over=usual', shows: drawn },
    { name: 'cca-pair', path: '/ccas/prague?with=kernel-bbr', shows: drawn },
    {
      name: 'settings',
      path: '/settings',
      shows: (page) => expect(page.getByRole('textbox', { name: 'Webhook' })).toBeVisible(),
    },
    {
      name: 'doctor',
      path: '/doctor',
      varies: 'main ul, main section p',
      shows: (page) =>
        expect(
          page
            .getByRole('listitem')
            .filter({ hasText: /node|core/i })
            .first(),
        ).toBeVisible(),
    },
    { name: 'not-found', path: '/nowhere', shows: heading(/no page/) },
  ];
}
