// What every figure is drawn as, compared as text (`golden/<id>.svg.txt`), so that no mark of it changes unseen.
// `npx vitest run web/src/plots/golden.test.tsx -u` writes them anew; a figure that is new has none until then, and fails.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawNow } from '../charts/frame-loop';
import { agentRun } from '../gallery/agent-fixture';
import { BUFFERS } from '../gallery/experiment-fixture';
import { SMALL_DATA, smallExperiment, smallRun } from '../gallery/small-data';
import { getTheme } from '../theme/theme';
import { plots } from './all-plots';
import { goldenPicture } from './golden-picture';
import { parseOptions } from './options';
import type { Need, PlotData, SomePlot } from './registry';

const WIDTH = 560;
const FOLDER = join(import.meta.dirname, 'golden');
const ENDING = '.svg.txt';
/** They are read as text: what is longer has too many points. */
const MOST_BYTES = 18_500;

/** Options other than the usual ones, where those leave a part of the picture out. */
const OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  parallel: { keep: 'utilisation:70-100' },
  ...Object.fromEntries(
    plots.filter(({ options }) => 'oracle' in options.shape).map(({ id }) => [id, { oracle: true }]),
  ),
};

/** Data other than the usual, where that has too little of what a figure is about. */
const DATA: Readonly<Record<string, () => PlotData[Need]>> = {
  around: () => smallRun([{ cca: 'curve' }], 500),
  // Closer in time than the points of this figure.
  plane: () => smallRun(undefined, 100),
  policy: () => agentRun([{ policy: 'trained', weights: '' }], 4, 100),
  sweep: () => smallExperiment({ ccas: ['curve', 'modelled'], sweep: [0, 20, 40] }),
  orders: () => smallExperiment({ ccas: ['curve', 'modelled', 'halving', 'delaying', 'lively'], buffers: BUFFERS }),
};

/** The light colours of the page's style sheet, which no style engine has read here. */
function setColours(): void {
  const tokens = readFileSync(join(import.meta.dirname, '../theme/tokens.css'), 'utf8');
  for (const [, name = '', value = ''] of tokens.matchAll(/^ {2}(--[\w-]+): ([^;]+);/gm))
    document.documentElement.style.setProperty(name, /^light-dark\(([^,]+),/.exec(value)?.[1] ?? value);
  document.documentElement.dataset['theme'] = 'light';
}

beforeEach(setColours);
afterEach(() => {
  cleanup();
  document.documentElement.removeAttribute('style');
  delete document.documentElement.dataset['theme'];
});

/** What it is drawn as once what it asks for has come. */
async function pictureOf({ needs, Component, options, id, height }: SomePlot, of?: PlotData[Need]): Promise<string> {
  const { all } = parseOptions(options, OPTIONS[id] ?? {});
  const theme = getTheme();
  const props = { data: of ?? (DATA[id] ?? SMALL_DATA[needs])(), options: all, setOptions: () => undefined, theme };
  const size = { width: WIDTH, height };
  // Which data goes with which figure is the registry's to know, and its types cannot say it of any of them.
  const Drawn = Component as React.FunctionComponent<typeof props & { size: typeof size }>;
  const { container } = render(<Drawn {...props} size={size} />);
  await waitFor(() => expect(container.querySelector('[class*="skeleton"]')).toBeNull());
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  act(drawNow);
  return goldenPicture(container, WIDTH, theme.surface);
}

describe('a figure is drawn as before', () => {
  it.each(plots.map((plot) => [plot.id, plot] as const))('%s', async (id, plot) => {
    const picture = await pictureOf(plot);
    expect(picture).toMatch(/<(path|circle|line) |<rect [^>]*x=/);
    expect(picture).not.toMatch(/NaN|Infinity|undefined/);
    expect(picture.length).toBeLessThan(MOST_BYTES);
    await expect(picture).toMatchFileSnapshot(`golden/${id}${ENDING}`);
  });
});

it('the 5 and 95 % of a link that hardly changes are written as one', async () => {
  const distribution = plots.find(({ id }) => id === 'distribution');
  if (distribution === undefined) throw new Error('there is no such figure');
  const { trace, ...rest } = SMALL_DATA.trace();
  const { mean_mbps } = trace.info;
  const labels = async (p5: number, p95: number): Promise<string[]> => {
    const info = { ...trace.info, p5_1s_mbps: p5 * mean_mbps, p95_1s_mbps: p95 * mean_mbps };
    const picture = await pictureOf(distribution, { ...rest, trace: { ...trace, info } });
    cleanup();
    return [...picture.matchAll(/>([^<>]*%)</g)]
      .map(([, label = '']) => label)
      .filter((label) => /^5\b|^95\b/.test(label));
  };
  expect(await labels(0.999, 1.001)).toEqual(['5, 95 %']);
  expect(await labels(0.5, 1.5)).toEqual(['5 %', '95 %']);
});

it('is kept only of figures that there are', () => {
  const ids = new Set(plots.map(({ id }) => `${id}${ENDING}`));
  expect(readdirSync(FOLDER).filter((file) => !ids.has(file))).toEqual([]);
});
