import { importTrace } from '#bridge/traces';
import type { LinkSummary } from '#protocol/summary';
import type { TraceInfo } from '#protocol/trace';
import { recording } from '../lib/recordings.mjs';
import type { Bench } from './bench.ts';
import { kernel, repeatsOf, type KernelCell } from './kernel.ts';
import { OURS } from './pairs.ts';
import { simulate } from './scenario.ts';
import { paramsWith } from './switches.ts';
import { figure, type Row } from './table.ts';
import { comparedFigures, judge } from './verdict.ts';

const LEAST_QUEUE_BYTES = 3000;
const PACKET_BYTES = 1500;

interface Variation {
  readonly morePackets?: number;
  readonly params?: Readonly<Record<string, number>>;
}
const QUEUE_VARIATIONS: readonly Variation[] = [-2, -1, 1, 2].map((morePackets) => ({ morePackets }));
/**
 * Without the fq scheduler the kernel paces its payload at a rate meant for whole packets: 1500/1448 faster than BBR's 1 %
 * margin wants, 2.56 % above the bandwidth, less what its timers are late. The truth lies between the two.
 */
const PACE_VARIATIONS: readonly Variation[] = [0, -1, -2.56].map((pacing_margin_pct) => ({
  params: { pacing_margin_pct },
}));

/** What the measurement did not fix. */
const variationsOf = (cca: string): readonly Variation[] =>
  cca === 'bbr' ? [...QUEUE_VARIATIONS, ...PACE_VARIATIONS] : QUEUE_VARIATIONS;

/** The five recordings × three queue limits × three algorithms; two of the recordings are shipped. */
export async function compareOverTraces(bench: Bench, ccas: ReadonlySet<string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { trace, cells } of kernel.over_traces.traces) {
    const file = recording(trace);
    if (file === undefined) {
      console.log(`${trace} is not shipped and not here: its cells are skipped.\n`);
      continue;
    }
    const { info } = await importTrace(file, bench.dir);
    for (const cell of cells)
      if (ccas.has(OURS.get(cell.cca) ?? cell.cca)) rows.push(await compare(trace, cell, info, bench));
  }
  return rows;
}

async function compare(trace: string, theirs: KernelCell, info: TraceInfo, bench: Bench): Promise<Row> {
  const { base_rtt_ms, start_s, flow_s } = kernel.over_traces;
  const bdpBytes = (info.mean_mbps * 1e3 * base_rtt_ms) / 8;
  const queueBytes = Math.max(LEAST_QUEUE_BYTES, Math.floor(theirs.bdp * bdpBytes));
  const run = async ({ morePackets = 0, params = {} }: Variation): Promise<LinkSummary> => {
    const summary = await simulate(
      {
        cca: theirs.cca,
        capacity: { kind: 'trace', sha256: info.sha256, name: trace, offset_ms: 0 },
        queueBytes: queueBytes + morePackets * PACKET_BYTES,
        baseRttMs: base_rtt_ms,
        startS: start_s,
        endS: start_s + flow_s,
        params: paramsWith(bench.switches, OURS.get(theirs.cca) ?? theirs.cca, params),
      },
      bench.dir,
    );
    const link = summary.links.find(({ direction }) => direction === 'forward');
    if (link === undefined) throw new Error('the run has no forward link');
    return link;
  };
  const outcomeOf = ({ utilisation, queueing_delay }: LinkSummary) => ({
    utilisation: 100 * (utilisation ?? NaN),
    meanMs: queueing_delay.mean_ms ?? NaN,
  });

  const link = await run({});
  const ours = outcomeOf(link);
  const once = { utilisation: theirs.util_pct, meanMs: theirs.mean_ms };
  const again = repeatsOf(trace, theirs);
  let verdict = judge(ours, [], once, again);
  if (verdict === 'DIFF') {
    const varied = await Promise.all(
      variationsOf(theirs.cca).map(async (variation) => outcomeOf(await run(variation))),
    );
    verdict = judge(ours, varied, once, again);
  }
  const { utilisation, meanMs } = ours;
  return {
    where: `${trace}, ${theirs.bdp} BDP`,
    cca: theirs.cca,
    figures: {
      'utilisation %': figure(utilisation, theirs.util_pct, { again: again.map((run) => run.utilisation) }),
      'mean ms': figure(meanMs, theirs.mean_ms, { again: again.map((run) => run.meanMs) }),
      'p95 ms': figure(link.queueing_delay.p95_ms, theirs.p95_ms),
      'dropped %': figure((100 * link.dropped_packets) / link.arrived_packets, theirs.dropped_pct, { digits: 2 }),
    },
    verdict,
    compared: verdict === 'DIFF' ? comparedFigures(ours, once) : [],
  };
}
