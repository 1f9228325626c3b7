// What samples of runs come to, of this browser's and of the site's: frames as they are sent, a run at a glance, and figures over time.
import { Spark } from '#analysis/spark';
import { cellSampled } from '#analysis/pooled-samples';
import { resultsOf } from '#analysis/results';
import { FAMILIES } from '#analysis/sampled';
import { merged } from '#analysis/sampled-parts';
import { finish } from '#analysis/steps';
import { NO_STORY } from '#analysis/trace-marks';
import { FORWARD_LINK_STREAM } from '#protocol/columns';
import type { RunSpark } from '#protocol/api';
import type { RunManifest } from '#protocol/manifest';
import type { CellSampled, RunSampled, SampleFamily } from '#protocol/sampled';
import { fillStore, type RunFrames } from '../../share/frozen-feeds';
import { SampleStore } from '../../live/sample-store';
import { siteBytes, siteJson } from '../site';
import { database, type KeptExperiment } from './database';
import type { Desk } from './desk';
import { listing } from './library';
import { unpacked } from './packing';
import { refsOf } from './records';

/** null: they are neither kept here nor on the site. */
export async function framesOf(run: string, signal?: AbortSignal): Promise<RunFrames | null> {
  const own = await (await database()).get('frames', run);
  if (own !== undefined) return { control: own.control, samples: await unpacked(own.samples) };
  const [control, samples] = await Promise.all([
    siteJson(`/runs/${run}/control`, signal),
    siteBytes(`/runs/${run}/samples`, signal),
  ]);
  return control === null || samples === null ? null : { control, samples };
}

const AT_ONCE = (flush: () => void): void => flush();

async function storeOf(run: string): Promise<SampleStore | null> {
  const frames = await framesOf(run);
  if (frames === null) return null;
  const store = new SampleStore(AT_ONCE);
  fillStore(store, frames);
  return store;
}

const PARTS = 60;
const COLUMNS = ['capacity_mbps', 'delivered_mbps', 'queue_bytes'] as const;

export async function sparkOf(run: string, duration_s: number): Promise<RunSpark | null> {
  const link = (await storeOf(run))?.streams.get(FORWARD_LINK_STREAM);
  if (link === undefined || link.rows === 0) return null;
  const spark = new Spark(COLUMNS.length, PARTS, duration_s);
  spark.add(
    link.time.subarray(0, link.rows),
    COLUMNS.map((name) => link.column(name)),
  );
  const [capacity_mbps = [], delivered_mbps = [], queue_bytes = []] = spark.means();
  return { run, capacity_mbps, delivered_mbps, queue_bytes };
}

async function sampledOf(run: string, manifest: RunManifest, families: readonly SampleFamily[]) {
  const store = await storeOf(run);
  if (store === null) return null;
  const column = (stream: number, name: string) => {
    const found = store.streams.get(stream);
    const values = found?.column(name);
    return found === undefined || values === undefined || found.rows === 0
      ? null
      : { time: found.time, values, rows: found.rows };
  };
  return merged(families.map((family) => finish(FAMILIES[family].steps(manifest, column, NO_STORY))));
}

/** Of the runs that have ended and count, in the order of the cells. */
export async function sampledCells(
  experiment: KeptExperiment,
  desk: Desk,
  families: readonly SampleFamily[],
): Promise<CellSampled[]> {
  const { ccas } = await listing();
  const { cells, spec } = experiment;
  const found: CellSampled[] = [];
  for (const { cell, samples } of resultsOf({ cells: [...cells], runs: refsOf(experiment, desk), spec }, ccas)) {
    const parts: (RunSampled | null)[] = [];
    for (const { run } of samples.solo) {
      const manifest = desk.runs.get(run)?.manifest;
      parts.push(manifest === undefined ? null : await sampledOf(run, manifest, families));
    }
    found.push(cellSampled(cell.key, parts));
  }
  return found;
}
