// How the pictures of phases, pairs, parallels and triangles answer to whoever uses them; what they look like is in golden.test.tsx.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Blend } from '#analysis/weight-triangle';
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { LISTING } from '../gallery/ccas';
import { experimentFixture } from '../gallery/experiment-fixture';
import { RunFixture } from '../gallery/run-fixture';
import { traceFixture } from '../gallery/trace-fixture';
import type { ExperimentPlotData } from './data';
import { plot as pairs } from './experiment-pairs.plot';
import { plot as parallel } from './experiment-parallel.plot';
import { plot as triangle } from './experiment-triangle.plot';
import { plot as phase } from './replay-phase.plot';
import { parseOptions } from './options';
import { alongAxis, lineThrough, parallelFrame } from './ParallelPicture';
import type { Plot } from './registry';
import { blendAt, nameAt, placeOfBlend, stepped, triangleFrame } from './triangle-geometry';
import { getTheme } from '../theme/theme';

afterEach(cleanup);

const size = { width: 700, height: 320 };
const record = experimentFixture({
  traces: [traceFixture('lte', 18, 1)],
  ccas: ['curve', 'modelled', 'halving', 'delaying'],
  repetitions: 3,
  full: true,
});
const experiment = (more: Partial<ExperimentPlotData> = {}): ExperimentPlotData => ({
  ...{ record, ccas: LISTING, traces: new Map(), visibility: new Visibility(), selected: new Set<string>() },
  onSelect: () => undefined,
  ...more,
});
const run = (seconds: number) => {
  const samples = new RunFixture({ flows: [{ cca: 'curve' }, { cca: 'modelled', start_s: 1 }], duration_s: seconds });
  samples.finish();
  const view = new TimeView({ extent: [0, seconds] });
  const visibility = new Visibility();
  return { id: 'run', manifest: samples.manifest, samples, ccas: LISTING, meanCapacity: 18, view, visibility };
};

function draw<N extends 'run' | 'experiment'>(
  plot: Plot<N>,
  data: Parameters<Plot<N>['Component']>[0]['data'],
  raw = {},
) {
  const { Component } = plot;
  const { all } = parseOptions(plot.options, raw);
  const setOptions = vi.fn();
  const made = render(<Component {...{ data, size, setOptions }} options={all} theme={getTheme()} />);
  return { ...made, setOptions };
}

describe('phase plot', () => {
  it('shows the time that the panels show, and follows them', async () => {
    const data = run(4);
    draw(phase, data);
    expect(screen.getByText(/the sample every 0\.02\ss/)).toBeTruthy();
    const times = (): number[] =>
      [...phase.table(data, { axes: 'window' }, { range: [1, 2], hidden: new Set(['flow:1']) }).rows].map(([time]) =>
        Number(time),
      );
    expect(times().every((time) => time >= 1 && time <= 2)).toBe(true);
    data.view.show([1, 2]);
    expect(await screen.findByText(/the sample every 0\.01\ss/)).toBeTruthy();
  });
});

describe('triangle', () => {
  const frame = triangleFrame(700);

  it('finds the place of a blend and the blend of a place', () => {
    const blend: Blend = [0.5, 0.2, 0.3];
    for (const [i, value] of blendAt(placeOfBlend(blend, frame), frame).entries())
      expect(value).toBeCloseTo(blend[i] ?? 0, 9);
  });

  it('moves by keys along its edges and not beyond', () => {
    expect(stepped([0.4, 0.01, 0.59], 'ArrowRight', 0.02)?.[1]).toBe(0);
    expect(stepped([0.99, 0.01, 0], 'ArrowUp', 0.02)).toEqual([1, 0, 0]);
    expect(stepped([1, 0, 0], 'ArrowDown', 0.1)?.map((w) => Number(w.toFixed(3)))).toEqual([0.9, 0.05, 0.05]);
    expect(stepped([1, 0, 0], 'Tab', 0.1)).toBeNull();
  });

  it('writes a name where no point is', () => {
    const whole: Blend[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const middle = placeOfBlend([1 / 3, 1 / 3, 1 / 3], frame);
    expect(nameAt(whole, [], frame).map(Math.round)).toEqual(middle.map(Math.round));
    const away = nameAt(whole, [[1 / 3, 1 / 3, 1 / 3]], frame);
    expect(Math.hypot(away[0] - middle[0], away[1] - middle[1])).toBeGreaterThan(30);
  });

  it('changes the weights of the scenario that is looked at, one entry for keys that follow each other', async () => {
    const onWeights = vi.fn();
    draw(triangle, experiment({ scenario: 'bulk', onWeights }));
    const handle = await screen.findByRole('slider');
    expect(handle.getAttribute('aria-valuetext')).toMatch(/^throughput 75\.0\s%, delay⁻¹ 5\.00\s%, fairness 20\.0\s%$/);
    fireEvent.keyDown(handle, { key: 'ArrowLeft' });
    fireEvent.keyDown(handle, { key: 'ArrowLeft' });
    // Who has gone back in the history, or to another control, begins anew.
    window.dispatchEvent(new PopStateEvent('popstate'));
    fireEvent.keyDown(handle, { key: 'ArrowLeft' });
    fireEvent.blur(handle);
    fireEvent.keyDown(handle, { key: 'ArrowLeft' });
    expect(onWeights.mock.calls.map(([, dragging]) => dragging as boolean)).toEqual([false, true, false, false]);
    const weights = (onWeights.mock.calls[0]?.[0] as ReadonlyMap<string, Record<string, number>>).get('bulk');
    expect(weights?.['throughput']).toBeCloseTo(0.75, 9);
    expect(weights?.['delay']).toBeCloseTo(0.07, 9);
    // Three parts of fairness among its own flows to one beside the baseline, as before.
    expect((weights?.['intra'] ?? 0) / (weights?.['inter'] ?? 1)).toBeCloseTo(3, 9);
  });
});

describe('parallel coordinates', () => {
  it('lie on their sides where the page is narrow, and are dragged along', () => {
    for (const width of [350, 1000]) {
      const frame = parallelFrame(9, width);
      expect(frame.lying).toBe(width === 350);
      expect(alongAxis(frame, 3, frame.at(3, 0.25))).toBeCloseTo(25, 6);
      expect(alongAxis(frame, 3, [-500, 5000])).toBe(0);
    }
  });

  it('break a line where nothing was measured', () => {
    const frame = parallelFrame(4, 1000);
    expect(lineThrough([0.1, null, 0.2, 0.3], frame).replaceAll(/[\d.,]+/g, '')).toBe('MML');
  });

  it('select a cell by its line, and keep a part of an axis by keys', () => {
    const onSelect = vi.fn();
    const { setOptions } = draw(parallel, experiment({ onSelect }));
    const [line] = screen.getAllByRole('button', { name: /^Line of Curve, 1 BDP/ });
    if (line === undefined) throw new Error('there is a line for each cell');
    fireEvent.keyDown(line, { key: 'Enter' });
    expect(onSelect).toHaveBeenCalledWith([record.cells[0]?.key]);
    fireEvent.change(screen.getByRole('slider', { name: 'from' }), { target: { value: '80' } });
    expect(setOptions).toHaveBeenCalledWith({ keep: 'utilisation:80-100' });
  });
});

describe('pairs', () => {
  it('lead to the run, within the page unless another tab is asked for', () => {
    const onRun = vi.fn();
    draw(pairs, experiment({ onRun }));
    const [cell] = screen.getAllByRole('link', { name: /^Modelled, 5 BDP: .*; to its run$/ });
    if (cell === undefined) throw new Error('there is a cell for each pair');
    const id = cell.getAttribute('href')?.replace('/r/', '');
    expect(record.runs.find((one) => one.id === id)?.role).toBe('baseline_pair');
    fireEvent.click(cell);
    expect(onRun).toHaveBeenCalledWith(id);
    cell.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(cell, { ctrlKey: true });
    expect(onRun).toHaveBeenCalledTimes(1);
  });
});
