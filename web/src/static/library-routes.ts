// What the site has of traces and runs, where a question is for a part of what its files have whole.
import { oracleManifest } from '#analysis/oracle';
import { RUN_FIELD } from '#analysis/run-fields';
import { runTableOf, runValuesOf } from '#analysis/run-rows';
import { RunTableQuery } from '#analysis/run-table-query';
import { RunRecord, SparkList, type RunSpark } from '#protocol/api';
import { siteJson } from './site';
import { desk } from './kept/desk';
import { listing } from './kept/library';
import { framesMade } from './kept/queue';
import { runRecordOf } from './kept/records';
import { rowsInSight } from './kept/rows';
import { sparkOf } from './kept/samples';
import { doctor } from './machine';
import { siteRows } from './kept/site-runs';
import { invalid, Refused, unknown } from './refusals';
import { get, type LocalRoute } from './routes';

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '');
const MOST_VALUES = 100;

export async function runRecord(id: string): Promise<RunRecord | null> {
  const known = await desk();
  const own = known.runs.get(id);
  if (own !== undefined && known.homesOf(id).length > 0 && !own.ofSite) return runRecordOf(own, known);
  const found = await siteJson(`/runs/${id}`);
  return found === null ? null : RunRecord.parse(found);
}

/** Made at a glance from samples where this browser has run it; the site has its own with each experiment. */
async function sparks(runs: readonly string[]): Promise<RunSpark[]> {
  const known = await desk();
  const homes = new Map((await siteRows()).map(({ id, experiment }) => [id, experiment.id]));
  const found: RunSpark[] = [];
  const ofSite = new Map<string, Map<string, RunSpark>>();
  for (const run of runs) {
    const own = known.runs.get(run);
    const home = homes.get(run);
    if (own !== undefined && !own.ofSite) {
      const spark = own.state === 'done' ? await sparkOf(run, own.manifest.duration_s) : null;
      if (spark !== null) found.push(spark);
    } else if (home !== undefined) {
      let all = ofSite.get(home);
      if (all === undefined) {
        const listed = SparkList.nullable().parse(await siteJson(`/experiments/${home}/sparks`));
        all = new Map(listed?.sparks.map((spark) => [spark.run, spark]));
        ofSite.set(home, all);
      }
      const spark = all.get(run);
      if (spark !== undefined) found.push(spark);
    }
  }
  return found;
}

async function oracle(id: string, signal?: AbortSignal): Promise<Uint8Array> {
  const record = await runRecord(id);
  if (record === null) throw new Refused(unknown(`/runs/${id}`));
  const own = oracleManifest(record.manifest, await listing());
  if (own === null) throw new Refused(invalid('no flow of it passes the link whose capacity the oracle would be told'));
  return framesMade(own, signal);
}

export const libraryRoutes: readonly LocalRoute[] = [
  get('/ccas', () => listing()),
  get('/doctor', () => doctor()),
  get('/runs', async ({ query }) => {
    const asked = RunTableQuery.safeParse(Object.fromEntries(query));
    if (!asked.success) throw new Refused(invalid(asked.error.issues[0]?.message ?? 'the address means nothing'));
    const { rows, others } = await rowsInSight();
    const found = runTableOf(rows, asked.data, others);
    if ('problem' in found) throw new Refused(invalid(found.problem.detail, found.problem.faults));
    return found.table;
  }),
  get('/run-values', async ({ query }) => {
    const field = query.get('field') ?? '';
    const known = RUN_FIELD.get(field);
    const { rows, others } = await rowsInSight();
    return { field, values: known === undefined ? [] : runValuesOf(rows, known, MOST_VALUES, others) };
  }),
  get('/sparks', async ({ query }) => ({ sparks: await sparks(listOf(query.get('runs') ?? '')) })),
  get('/runs/:id', ({ params: { id = '' } }) => runRecord(id)),
  get('/runs/:id/logs', () => ({ logs: [] })),
  get('/runs/:id/measurements', async ({ path }) => (await siteJson(path)) ?? { measurements: [] }),
  get('/runs/:id/oracle', ({ params: { id = '' }, signal }) => oracle(id, signal)),
];
