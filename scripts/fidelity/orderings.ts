// Which algorithm is ahead of which over 5G, as the papers found it: a queue of 5 BDP, 20 ms of base RTT.
import { join } from 'node:path';
import { METRICS } from '#analysis/metrics';
import { importTrace } from '#bridge/traces';
import { ORDERINGS, type Outcome, type Outcomes } from './ordering-claims.ts';
import type { Bench } from './bench.ts';
import { judged } from './deviations.ts';
import type { Finding } from '#protocol/fidelity';
import { numberText } from './finding.ts';
import type { Lanes } from './lanes.ts';
import { recording } from '../lib/recordings.mjs';
import { mean, runOverLink, type FlowOfRun } from './link-run.ts';
import { rates } from './measures.ts';

const RTT_MS = 20;
const LIMIT_BDP = 5;
/** Zeus' ten, on which the orderings are about. */
export const ZEUS = [
  'newreno',
  'cubic',
  'bbr',
  'ledbat',
  'copa',
  'vivace',
  'allegro',
  'proteus-p',
  'proteus-s',
  'verus',
];
/** Its steps are drawn: a single run says little. */
const YIELDING_SEEDS = [1, 2, 3, 4, 5];

/** Others' recordings of 5G; those of Lumos5G are shipped. */
export const RECORDINGS_OF_5G = [
  '5g-midband-irish-drive.rl',
  '5g-drive-verizon-2304.rl.gz',
  '5g-mmwave-drive-lumos103.rl.gz',
  '5g-mmwave-handover-udp1.rl',
  '5g-mmwave-walk-lumos101.rl.gz',
];

const nameOf = (file: string): string => file.replace(/\.rl.*$/, '');
export const isRecordingOf5g = (name: string): boolean => RECORDINGS_OF_5G.some((file) => nameOf(file) === name);

/** Of the shipped traces: models of the five on which Zeus found its orderings, and the fall of Reminis' first figure. */
const SHIPPED = [
  'city-drive',
  'beachfront-walk',
  'rural-macro',
  'urban-macro',
  'street-canyon',
  'drop-1gbps-to-nothing',
];

export interface TraceFile {
  readonly name: string;
  readonly path: string;
}

/** The traces that come with the project and are of 5G, and the other recordings where they are there. */
export function tracesOf(shipped: string): TraceFile[] {
  return [
    ...SHIPPED.map((name) => ({ name, path: join(shipped, `${name}.trace.gz`) })),
    ...RECORDINGS_OF_5G.flatMap((file) => {
      const path = recording(file);
      return path === undefined ? [] : [{ name: nameOf(file), path }];
    }),
  ];
}

export async function checkOrderings(
  { name, path }: TraceFile,
  { ccas, seconds, bench, lanes }: { ccas: ReadonlySet<string>; seconds: number; bench: Bench; lanes: Lanes },
): Promise<Finding[]> {
  const { info } = await importTrace(path, bench.dir);
  const capacity = { kind: 'trace' as const, sha256: info.sha256, name, offset_ms: 0 };
  const bdpBytes = (info.mean_mbps * 1e3 * RTT_MS) / 8;
  const over = (flows: readonly FlowOfRun[], queueBytes: number, more: { ackEvery?: number; seed?: number } = {}) =>
    lanes.run(() =>
      runOverLink(
        { flows, capacity, queueBytes, rttMs: RTT_MS, seconds, samplePeriodMs: 100, ackEvery: 2, ...more },
        bench,
      ),
    );
  const solo = async (cca: string, queueBytes: number): Promise<Outcome> => {
    const run = await over([{ cca }], queueBytes);
    return {
      utilisation: 100 * (run.link.utilisation ?? NaN),
      rttMs: run.summary.senders[0]?.rtt.mean_ms ?? NaN,
      packetMs: METRICS.packet_delay_mean.of(run.summary) ?? NaN,
      queueingMs: run.link.queueing_delay.mean_ms ?? NaN,
      mbps: run.summary.receivers[0]?.throughput_mbps ?? NaN,
    };
  };
  const where = `${name} (${info.mean_mbps.toFixed(0)} Mbps), ${LIMIT_BDP} BDP, ${RTT_MS} ms, ${seconds} s`;
  const [alone, yielding] = await Promise.all([
    Promise.all(
      ZEUS.filter((cca) => ccas.has(cca)).map(async (cca) => [cca, await solo(cca, LIMIT_BDP * bdpBytes)] as const),
    ),
    ccas.has('proteus-s') && ccas.has('cubic')
      ? Promise.all(
          // the authors' receiver acknowledges every packet; what waits for the next one looks like an RTT that varies
          YIELDING_SEEDS.map((seed) =>
            over([{ cca: 'cubic' }, { cca: 'proteus-s', startS: 5 }], LIMIT_BDP * bdpBytes, { ackEvery: 1, seed }),
          ),
        )
      : null,
  ]);
  const outcomes: Outcomes = new Map(alone);
  const findings = ORDERINGS.filter((claim) => claim.about.every((cca) => outcomes.has(cca))).map((claim) => {
    const { measured, figures } = claim.check(outcomes, name);
    const id = `orderings/${claim.id}/${name}`;
    const { about, expected, source } = claim;
    return judged(
      { section: 'orderings', id, ccas: [...about], what: `${where}: ${claim.what}`, expected, measured, source },
      figures,
      bench,
    );
  });
  if (yielding !== null) {
    const shares = yielding.map((run) => {
      const [cubic = NaN, scavenger = NaN] = rates(run, 5);
      return (100 * cubic) / (cubic + scavenger);
    });
    const share = mean(shares);
    const span = [Math.min(...shares), Math.max(...shares)].map(numberText).join('–');
    findings.push(
      judged(
        {
          section: 'orderings',
          id: `orderings/proteus-s-yields/${name}`,
          ccas: ['proteus-s', 'cubic'],
          what: `${where}: Proteus-S joins Cubic after 5 s: Cubic’s share of what both get`,
          expected: '≥ 85 %',
          measured: `${numberText(share)} % (${shares.length} seeds: ${span} %)`,
          source: 'Proteus, SIGCOMM 2020; reference 5.4',
        },
        [{ name: 'share %', band: { low: 85 }, value: share }],
        bench,
      ),
    );
  }
  return findings;
}
