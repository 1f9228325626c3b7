import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importTrace } from '#bridge/traces';
import type { RunSummary } from '#protocol/summary';
import type { TraceInfo } from '#protocol/trace';
import { OURS, simulate } from './scenario.ts';
import { LIVE_TOLERANCE, liveVerdict, type LiveOutcome, type LiveVerdict } from './live-verdict.ts';

/** 3G, LTE, and 5G at two speeds. */
const TRACES = [
  '3g-hspa-citydrive.down.gz',
  'lte-taxi-nyc.down.gz',
  '5g-midband-irish-drive.rl',
  '5g-mmwave-walk-lumos101.rl.gz',
];
const LIMITS_BDP = [1, 2, 5, 10];
const BASE_RTT_MS = 20;
const LEAST_QUEUE_BYTES = 3000;

export interface LiveOptions {
  readonly repetitions: number;
  readonly seconds: number;
  /** Of TRACES and LIMITS_BDP the first so many. */
  readonly traces: number;
  readonly limits: number;
}

interface Cell {
  readonly where: string;
  readonly cca: string;
  readonly ours: LiveOutcome;
  readonly kernel: readonly LiveOutcome[];
  /** Real-time runs that the machine did not keep up with: their figures are not the kernel's. */
  readonly overruns: number;
  readonly verdict: LiveVerdict;
}

function outcomeOf({ links, senders }: RunSummary): LiveOutcome {
  const link = links.find(({ direction }) => direction === 'forward');
  if (link === undefined) throw new Error('the run has no forward link');
  return {
    utilisation: 100 * (link.utilisation ?? NaN),
    meanMs: link.queueing_delay.mean_ms ?? NaN,
    p95Ms: link.queueing_delay.p95_ms ?? NaN,
    lossPercent: (100 * link.dropped_packets) / (senders[0]?.sent_packets ?? NaN),
  };
}

async function compare(name: string, info: TraceInfo, bdp: number, cca: string, dir: string, options: LiveOptions) {
  const bdpBytes = (info.mean_mbps * 1e3 * BASE_RTT_MS) / 8;
  const scenario = {
    capacity: { kind: 'trace' as const, sha256: info.sha256, name, offset_ms: 0 },
    queueBytes: Math.max(LEAST_QUEUE_BYTES, Math.floor(bdp * bdpBytes)),
    baseRttMs: BASE_RTT_MS,
    startS: 0,
    endS: options.seconds,
  };
  const ours = outcomeOf(await simulate({ ...scenario, cca: OURS.get(cca) ?? cca }, dir));
  const kernel: LiveOutcome[] = [];
  let overruns = 0;
  for (let i = 0; i < options.repetitions; i++) {
    const summary = await simulate({ ...scenario, cca: `kernel-${cca}` }, dir);
    if (summary.lateness?.overrun === true) overruns++;
    else kernel.push(outcomeOf(summary));
  }
  return { where: `${name}, ${bdp} BDP`, cca, ours, kernel, overruns, verdict: liveVerdict(ours, kernel) };
}

/** Runs this machine's own kernel over the recordings, in real time, beside ours in virtual time. */
export async function compareLive(recordings: string, dir: string, options: LiveOptions): Promise<boolean> {
  const names = TRACES.slice(0, options.traces).filter((name) => existsSync(join(recordings, name)));
  if (names.length === 0) throw new Error(`there are no recordings in ${recordings}`);
  const cells: Cell[] = [];
  console.log(
    `Our algorithms in virtual time beside this machine's kernel over TUN, ${options.seconds} s each, ${BASE_RTT_MS} ms base RTT.\n` +
      `Each figure: ours (the kernel's, least to greatest of its repetitions). Tolerance: ${LIVE_TOLERANCE}.\n`,
  );
  for (const name of names) {
    const { info } = await importTrace(join(recordings, name), dir);
    for (const bdp of LIMITS_BDP.slice(0, options.limits))
      for (const cca of OURS.keys()) {
        const cell = await compare(name, info, bdp, cca, dir, options);
        console.log(lineOf(cell));
        cells.push(cell);
      }
  }
  const count = (verdict: LiveVerdict): number => cells.filter((cell) => cell.verdict === verdict).length;
  console.log(
    `\n${cells.length} cells: ${count('PASS')} agree, ${count('DIFF')} differ, ` +
      `${count('overrun')} could not be measured because the machine did not keep up.`,
  );
  return count('DIFF') === 0;
}

function lineOf({ where, cca, ours, kernel, overruns, verdict }: Cell): string {
  const figure = (key: keyof LiveOutcome, digits: number): string => {
    const theirs = kernel.map((run) => run[key].toFixed(digits));
    const range = [...new Set([theirs.toSorted((a, b) => +a - +b)[0], theirs.toSorted((a, b) => +b - +a)[0]])];
    return `${ours[key].toFixed(digits)} (${range.filter((text) => text !== undefined).join('–')})`;
  };
  const figures = [
    `${figure('utilisation', 1)} %`,
    `mean ${figure('meanMs', 1)} ms`,
    `p95 ${figure('p95Ms', 1)} ms`,
    `loss ${figure('lossPercent', 2)} %`,
  ];
  const late = overruns === 0 ? '' : `  (${overruns} overruns left out)`;
  return `${where.padEnd(38)} ${cca.padEnd(6)} ${figures.map((text) => text.padEnd(24)).join(' ')} ${verdict}${late}`;
}
