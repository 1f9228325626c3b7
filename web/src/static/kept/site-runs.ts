// Runs that the site has, by id: the same manifest is the same run, wherever it was made.
import { z } from 'zod';
import { RunRecord } from '#protocol/api';
import { RunTableRow } from '#protocol/run-table';
import { readJson, siteList } from '../files';
import { Refused, unknown } from '../refusals';

const Rows = z.object({ rows: z.array(RunTableRow) });

export const siteRows = async (): Promise<readonly RunTableRow[]> => {
  const found = await siteList('/runs');
  return found === null ? [] : Rows.parse(found).rows;
};

let known: Promise<ReadonlySet<string>> | null = null;

/** Of a run that is over and counts: how to read its record; undefined: the site has not got it. */
export async function runOfSite(): Promise<(id: string) => (() => Promise<RunRecord>) | undefined> {
  known ??= siteRows().then((rows) => new Set(rows.flatMap(({ id, state }) => (state === 'done' ? [id] : []))));
  const ids = await known;
  return (id) => (ids.has(id) ? () => recordOf(id) : undefined);
}

async function recordOf(id: string): Promise<RunRecord> {
  const found = await readJson(`/runs/${id}`);
  if (found === null) throw new Refused(unknown(`/runs/${id}`));
  return RunRecord.parse(found);
}
