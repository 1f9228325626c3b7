// Two things of a data folder against each other: runs by what differs between them, experiments of one spec by what an engine moved.
import { resolve } from 'node:path';
import { bufferLabel } from '#analysis/limits';
import { manifestDifference } from '#analysis/manifest-difference';
import { formatMetric } from '#analysis/metric-text';
import { METRICS } from '#analysis/metrics';
import { regressionOf, regressionSentence, type Movement, type Regression } from '#analysis/regression';
import { summaryDifferences } from '#analysis/summary-difference';
import type { RunRecord } from '#protocol/api';
import { UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { table } from './table.ts';

interface Asked {
  readonly dataDir: string | undefined;
  readonly json: boolean;
}

/** The text that is printed. */
export async function compareStored([a, b]: readonly [string, string], { dataDir, json }: Asked): Promise<string> {
  const { openLab } = await import('../lab.ts');
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const lab = openLab({ dataDir: folder, workers: 1, log: createLog('warn') });
  try {
    const experiments = [isExperiment(lab, a), isExperiment(lab, b)];
    if (experiments[0] !== experiments[1])
      throw new UsageError('compare: one is a run and the other an experiment: two of a kind can be compared');
    if (experiments[0] === true) {
      const regression = regressionOf(await lab.experiments.whole(a), await lab.experiments.whole(b));
      return json ? `${JSON.stringify(regression, finite, 2)}\n` : regressionText(regression);
    }
    const runs = [lab.experiments.run(a), lab.experiments.run(b)] as const;
    return json ? runsJson(runs) : runsText(runs);
  } finally {
    await lab.close();
  }
}

function isExperiment(lab: Lab, id: string): boolean {
  try {
    lab.experiments.run(id);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'RUN_UNKNOWN') return true;
    throw error;
  }
}

/** JSON has no infinity: repetitions that are all alike. */
const finite = (_key: string, value: unknown): unknown => (value === Infinity ? 'infinite' : value);

const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : text);
const percentText = (percent: number | null): string =>
  percent === null ? '' : signed(`${percent.toPrecision(3)} %`, percent);

function regressionText(regression: Regression): string {
  const { sameSpec, engines, moved } = regression;
  const row = ({ cell, role, metric, before, after, percent, spreads }: Movement): string[] => [
    [cell.cca.id, bufferLabel(cell.buffer), cell.trace_name, ...(role === 'solo' ? [] : [role])].join(' · '),
    METRICS[metric].label,
    formatMetric(metric, before),
    formatMetric(metric, after),
    percentText(percent),
    spreads === null ? 'one run' : spreads === Infinity ? 'no spread' : `${spreads.toPrecision(3)} spreads`,
  ];
  return [
    `engine ${engines[0] ?? '?'} against ${engines[1] ?? '?'}\n`,
    sameSpec ? '' : '! these experiments do not have the same spec: only cells that both have are compared\n',
    moved.length === 0 ? '' : table([['cell', 'metric', 'before', 'after', '', ''], ...moved.map(row)]),
    `${regressionSentence(regression)}\n`,
  ].join('');
}

const differencesOf = (runs: readonly [RunRecord, RunRecord]) => ({
  manifests: manifestDifference(runs.map(({ manifest }) => manifest)),
  figures: summaryDifferences(
    runs.map(({ summary }) => summary),
    0,
  ),
});

function runsText(runs: readonly [RunRecord, RunRecord]): string {
  const { manifests, figures } = differencesOf(runs);
  const fields = manifests.groups.flatMap(({ fields: own }) => own);
  return [
    table([
      ['', runs[0].id, runs[1].id],
      ...fields.map(({ label, texts }) => [label, ...texts]),
      ...figures.map(({ id, metric, runs: [first, second] }) => [
        metric.label,
        first?.value === null || first === undefined ? '–' : formatMetric(id, first.value),
        second?.value === null || second === undefined ? '–' : formatMetric(id, second.value),
        percentText(second?.percent ?? null),
      ]),
    ]),
    `${manifests.equal.length} fields of their manifests are the same\n`,
  ].join('');
}

function runsJson(runs: readonly [RunRecord, RunRecord]): string {
  const { manifests, figures } = differencesOf(runs);
  return `${JSON.stringify(
    {
      runs: runs.map(({ id }) => id),
      differs: manifests.groups,
      equal: manifests.equal.length,
      figures: figures.map(({ id, metric, runs: values }) => ({ metric: id, unit: metric.unit, runs: values })),
    },
    null,
    2,
  )}\n`;
}
