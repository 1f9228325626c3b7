import type { Bench } from './bench.ts';
import { kernel } from './kernel.ts';
import { OURS } from './pairs.ts';
import { simulate } from './scenario.ts';
import { paramsWith } from './switches.ts';
import { figure, type Row } from './table.ts';
import { comparedFigures, delayAgrees, utilisationAgrees } from './verdict.ts';

/** The kernel's goodput counts TCP payload only. */
const PAYLOAD_SHARE = 1448 / 1500;

export async function compareConstantLink(bench: Bench, ccas: ReadonlySet<string>): Promise<Row[]> {
  const { rate_mbps, base_rtt_ms, queue_bytes, flow_s, cells } = kernel.constant_link;
  const rows: Row[] = [];
  for (const theirs of cells) {
    const cca = OURS.get(theirs.cca) ?? theirs.cca;
    if (!ccas.has(cca)) continue;
    const summary = await simulate(
      {
        cca: theirs.cca,
        capacity: { kind: 'constant', rate_mbps },
        queueBytes: queue_bytes,
        baseRttMs: base_rtt_ms,
        startS: 0,
        endS: flow_s,
        params: paramsWith(bench.switches, cca, {}),
      },
      bench.dir,
    );
    const goodput = (summary.receivers[0]?.throughput_mbps ?? NaN) * PAYLOAD_SHARE;
    const rtt = summary.senders[0]?.rtt.mean_ms ?? null;
    const percent = 100 / (rate_mbps * PAYLOAD_SHARE);
    const ours = { utilisation: goodput * percent, meanMs: (rtt ?? NaN) - base_rtt_ms };
    // the queue's share of the RTT is what the algorithm decides
    const once = { utilisation: theirs.goodput_mbps * percent, meanMs: theirs.mean_rtt_ms - base_rtt_ms };
    const passes = utilisationAgrees(ours.utilisation, once.utilisation) && delayAgrees(ours.meanMs, once.meanMs);
    rows.push({
      where: `constant ${rate_mbps} Mbps, ${base_rtt_ms} ms, ${queue_bytes / 1000} kB`,
      cca: theirs.cca,
      figures: {
        'goodput Mbps': figure(goodput, theirs.goodput_mbps, { digits: 2 }),
        'mean RTT ms': figure(rtt, theirs.mean_rtt_ms),
      },
      verdict: passes ? 'PASS' : 'DIFF',
      compared: passes ? [] : comparedFigures(ours, once),
    });
  }
  return rows;
}
