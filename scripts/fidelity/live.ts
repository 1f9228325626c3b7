import { importTrace } from '#bridge/traces';
import type { RunSummary } from '#protocol/summary';
import type { TraceInfo } from '#protocol/trace';
import { Lanes } from './lanes.ts';
import { recording } from '../lib/recordings.mjs';
import type { Pair } from './pairs.ts';
import { simulate, type Scenario } from './scenario.ts';
import { LIVE_TOLERANCE, liveVerdict, meanOf, type LiveOutcome, type LiveVerdict } from './live-verdict.ts';

/** 3G, LTE, and 5G at two speeds; the first and the last are shipped. */
const TRACES = [
  '3g-hspa-citydrive.down.gz',
  'lte-taxi-nyc.down.gz',
  '5g-midband-irish-drive.rl',
  '5g-mmwave-walk-lumos101.rl.gz',
];
const LIMITS_BDP = [1, 2, 5, 10];
const BASE_RTT_MS = 20;
/** Into the trace: one begins with half a second of outage, which would decide by itself when a connection gets through. */
const START_S = 1;
/** The kernel's data leaves when its connection stands; ours needs none. */
const HANDSHAKE_S = BASE_RTT_MS / 1000;
const LEAST_QUEUE_BYTES = 3000;
/** Our own transport is run over UDP too where the trace is not faster than this on average. */
const UDP_UP_TO_MBPS = 200;

export interface LiveOptions {
  readonly repetitions: number;
  readonly seconds: number;
  /** Of TRACES and LIMITS_BDP the first so many. */
  readonly traces: number;
  readonly limits: number;
  readonly pairs: readonly Pair[];
  /** Whether ours is run in real time, too. */
  readonly udp: boolean;
  /** Real-time runs at a time. */
  readonly parallel: number;
}

/** What ran in real time, without the runs that the machine did not keep up with. */
interface Measured {
  readonly runs: readonly LiveOutcome[];
  readonly overruns: number;
}

export interface LiveCell {
  readonly where: string;
  readonly cca: string;
  readonly kernel: Measured;
  readonly virtual: Measured;
  readonly udp: Measured | null;
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

async function measure(scenarios: readonly Scenario[], dir: string, lanes: Lanes): Promise<Measured> {
  const summaries = await Promise.all(scenarios.map((scenario) => lanes.run(() => simulate(scenario, dir))));
  const kept = summaries.filter(({ lateness }) => lateness?.overrun !== true);
  return { runs: kept.map(outcomeOf), overruns: summaries.length - kept.length };
}

async function compare(
  { where, pair, scenario }: { where: string; pair: Pair; scenario: Omit<Scenario, 'cca' | 'startS'> },
  meanMbps: number,
  dir: string,
  { repetitions, udp: wanted }: LiveOptions,
  lanes: { readonly virtual: Lanes; readonly live: Lanes },
): Promise<LiveCell> {
  // Repetitions differ by when they start within a round trip.
  const each = (firstS: number, more: Pick<Scenario, 'cca' | 'params' | 'udp'>) =>
    Array.from({ length: repetitions }, (_, i): Scenario => {
      const startS = firstS + (i * BASE_RTT_MS) / repetitions / 1000;
      return { ...scenario, ...more, startS };
    });
  const ours = { cca: pair.ours, params: pair.params };
  const [virtual, kernel, udp] = await Promise.all([
    measure(each(START_S + HANDSHAKE_S, ours), dir, lanes.virtual),
    measure(each(START_S, { cca: `kernel-${pair.kernel}` }), dir, lanes.live),
    !wanted || meanMbps > UDP_UP_TO_MBPS
      ? null
      : measure(each(START_S + HANDSHAKE_S, { ...ours, udp: true }), dir, lanes.live),
  ]);
  return { where, cca: pair.kernel, kernel, virtual, udp };
}

function scenarioOf(name: string, info: TraceInfo, bdp: number, seconds: number) {
  const bdpBytes = (info.mean_mbps * 1e3 * BASE_RTT_MS) / 8;
  return {
    capacity: { kind: 'trace' as const, sha256: info.sha256, name, offset_ms: 0 },
    queueBytes: Math.max(LEAST_QUEUE_BYTES, Math.floor(bdp * bdpBytes)),
    baseRttMs: BASE_RTT_MS,
    endS: START_S + seconds,
  };
}

/** Runs a kernel over the recordings, in real time unless its time is simulated, beside ours in virtual time and over UDP. */
export async function compareLive(dir: string, options: LiveOptions): Promise<readonly LiveCell[]> {
  const traces = TRACES.map((name) => ({ name, path: recording(name) }))
    .flatMap(({ name, path }) => (path === undefined ? [] : [{ name, path }]))
    .slice(0, options.traces);
  const lanes = { virtual: new Lanes(1), live: new Lanes(options.parallel) };
  console.log(
    `The kernel over TUN, and ours in virtual time${options.udp ? ' and over UDP' : ''}: ${options.repetitions} repetitions of ${options.seconds} s each, ` +
      `${BASE_RTT_MS} ms base RTT.\nEach figure: mean (least–greatest). Tolerance between means: ${LIVE_TOLERANCE}.\n` +
      `spread: the means differ by more, what the repetitions span does not.\n`,
  );
  const cells: LiveCell[] = [];
  for (const { name, path } of traces) {
    const { info } = await importTrace(path, dir);
    for (const bdp of LIMITS_BDP.slice(0, options.limits))
      for (const pair of options.pairs) {
        const scenario = scenarioOf(name, info, bdp, options.seconds);
        const cell = await compare(
          { where: `${name}, ${bdp} BDP`, pair, scenario },
          info.mean_mbps,
          dir,
          options,
          lanes,
        );
        print(cell);
        cells.push(cell);
      }
  }
  printCount(cells);
  return cells;
}

export const agrees = ({ kernel, virtual, udp }: LiveCell): boolean =>
  [virtual, udp].every((ours) => ours === null || liveVerdict(ours.runs, kernel.runs) !== 'DIFF');

function print({ where, cca, kernel, virtual, udp }: LiveCell): void {
  console.log(`${where}, ${cca}`);
  console.log(`  kernel   ${figuresOf(kernel)}`);
  console.log(`  virtual  ${figuresOf(virtual)} ${liveVerdict(virtual.runs, kernel.runs)}`);
  if (udp !== null) console.log(`  udp      ${figuresOf(udp)} ${liveVerdict(udp.runs, kernel.runs)}`);
}

function figuresOf({ runs, overruns }: Measured): string {
  const figure = (key: keyof LiveOutcome, digits: number, unit: string): string => {
    const values = runs.map((run) => run[key]);
    const [low, high] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)];
    return `${meanOf(runs, key).toFixed(digits)} ${unit}${low === high ? '' : ` (${low}–${high})`}`.padEnd(26);
  };
  const late = overruns === 0 ? '' : `(${overruns} overruns left out) `;
  if (runs.length === 0) return late;
  return `${figure('utilisation', 1, '%')} mean ${figure('meanMs', 1, 'ms')} p95 ${figure('p95Ms', 1, 'ms')} loss ${figure('lossPercent', 2, '%')} ${late}`;
}

function printCount(cells: readonly LiveCell[]): void {
  console.log('');
  for (const column of ['virtual', 'udp'] as const) {
    if (cells.every((cell) => cell[column] === null)) continue;
    const verdicts = cells.flatMap(({ kernel, [column]: ours }) =>
      ours === null ? [] : [liveVerdict(ours.runs, kernel.runs)],
    );
    const count = (verdict: LiveVerdict): number => verdicts.filter((v) => v === verdict).length;
    console.log(
      `${column}: ${verdicts.length} cells, ${count('PASS')} agree, ${count('spread')} within what repetitions span, ` +
        `${count('DIFF')} differ, ${count('overrun')} not measured because the machine did not keep up`,
    );
  }
}
