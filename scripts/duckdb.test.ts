// The queries of docs/exports.md, as they stand there, over what `paceline run` writes.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './lib/paths.mjs';

const SPEC = {
  duration_s: 3,
  repetitions: 2,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }, { id: 'bbr' }],
  buffers: [{ bdp: 1 }, { bdp: 4 }],
};
const RUNS = 8;
const folder = mkdtempSync(join(tmpdir(), 'paceline-duckdb-'));
const queries = [...readFileSync(`${ROOT}/docs/exports.md`, 'utf8').matchAll(/```sql\n(.+?)```/gs)].map(
  ([, text = '']) => text,
);

let connection: DuckDBConnection;
const ask = async (sql: string): Promise<Record<string, unknown>[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson();

beforeAll(async () => {
  const spec = join(folder, 'spec.json');
  writeFileSync(spec, JSON.stringify(SPEC));
  const words = ['run', spec, '--out', join(folder, 'results'), '--series', 'parquet'];
  await promisify(execFile)(process.execPath, [`${ROOT}/bin/paceline.mjs`, ...words]);
  // It is asked what it has by itself: it fetches nothing.
  const settings = { autoinstall_known_extensions: 'false', file_search_path: folder };
  connection = await (await DuckDBInstance.create(':memory:', settings)).connect();
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true });
});

describe('DuckDB answers', () => {
  it('all queries of the page, with something', async () => {
    expect(queries).toHaveLength(4);
    for (const query of queries)
      expect([query, (await ask(query)).length]).toEqual([query, expect.toSatisfy((rows) => Number(rows) > 3)]);
  });

  it('what the summary has', async () => {
    const [cells, seconds, , metadata] = await Promise.all(queries.map(ask));
    expect(cells).toHaveLength(4);
    expect(cells?.every(({ runs }) => Number(runs) === 2)).toBe(true);
    expect(new Set(cells?.map(({ cca }) => cca))).toEqual(new Set(['cubic', 'bbr']));
    expect(new Set(seconds?.map(({ run }) => run)).size).toBe(RUNS);
    // The last sample of a run falls on the end.
    expect(new Set(seconds?.map(({ second }) => Number(second)))).toEqual(new Set([0, 1, 2, 3]));
    const capacities = seconds?.map(({ capacity_mbps: mbps }) => Math.abs(Number(mbps) - 12) < 1e-6);
    expect(capacities?.every(Boolean)).toBe(true);
    expect(metadata).toHaveLength(RUNS);
    const [{ mean } = {}] = await ask(
      "SELECT avg(receiver0_throughput_mbps) AS mean FROM read_parquet('results/series/*.parquet', union_by_name = true)",
    );
    const [{ told } = {}] = await ask("SELECT avg(throughput_mbps) AS told FROM 'results/summary.csv'");
    expect(Math.abs(Number(mean) / Number(told) - 1)).toBeLessThan(0.05);
  });
});
