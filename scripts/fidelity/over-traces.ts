import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importTrace } from '#bridge/traces';
import type { TraceInfo } from '#protocol/trace';
import { kernel, type KernelCell } from './kernel.ts';
import { simulate } from './scenario.ts';
import { delayAgrees, figure, utilisationAgrees, type Row } from './table.ts';

const LEAST_QUEUE_BYTES = 3000;

/** The five recordings × three queue limits × three algorithms. */
export async function compareOverTraces(recordings: string, tracesDir: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { trace, cells } of kernel.over_traces.traces) {
    const file = join(recordings, trace);
    if (!existsSync(file)) {
      console.log(`${file} is not there: its cells are skipped.\n`);
      continue;
    }
    const { info } = await importTrace(file, tracesDir);
    for (const cell of cells) rows.push(await compare(trace, cell, info, tracesDir));
  }
  return rows;
}

async function compare(trace: string, theirs: KernelCell, info: TraceInfo, tracesDir: string): Promise<Row> {
  const { base_rtt_ms, start_s, flow_s } = kernel.over_traces;
  const bdpBytes = (info.mean_mbps * 1e3 * base_rtt_ms) / 8;
  const summary = await simulate(
    {
      cca: theirs.cca,
      capacity: { kind: 'trace', sha256: info.sha256, name: trace, offset_ms: 0 },
      queueBytes: Math.max(LEAST_QUEUE_BYTES, Math.floor(theirs.bdp * bdpBytes)),
      baseRttMs: base_rtt_ms,
      startS: start_s,
      endS: start_s + flow_s,
    },
    tracesDir,
  );
  const link = summary.links.find(({ direction }) => direction === 'forward');
  if (link === undefined) throw new Error('the run has no forward link');
  const delay = link.queueing_delay;
  const utilisation = 100 * (link.utilisation ?? NaN);
  const dropped = (100 * link.dropped_packets) / link.arrived_packets;
  return {
    where: `${trace}, ${theirs.bdp} BDP`,
    cca: theirs.cca,
    figures: {
      'utilisation %': figure(utilisation, theirs.util_pct),
      'mean ms': figure(delay.mean_ms, theirs.mean_ms),
      'p95 ms': figure(delay.p95_ms, theirs.p95_ms),
      'dropped %': figure(dropped, theirs.dropped_pct, 2),
    },
    pass: utilisationAgrees(utilisation, theirs.util_pct) && delayAgrees(delay.mean_ms, theirs.mean_ms),
  };
}
