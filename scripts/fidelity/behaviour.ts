import { BEHAVIOUR, type BehaviourCheck } from './behaviour-checks.ts';
import type { Bench } from './bench.ts';
import { judged } from './deviations.ts';
import type { Finding } from '#protocol/fidelity';
import { bandText, numberText } from './finding.ts';
import { mean, PACKET_BYTES, runOverLink, type FlowOfRun, type LinkRun } from './link-run.ts';
import { measure } from './measures.ts';

/** Which packets are lost decides a single run: a figure under random losses is the mean of so many. */
const SEEDS_OF_LOSS = 8;

const flowText = ({ cca, params = {}, startS = 0 }: FlowOfRun): string => {
  const given = Object.entries(params).map(([name, value]) => `${name} = ${value}`);
  const details = [...given, ...(startS === 0 ? [] : [`from ${startS} s`])];
  return details.length === 0 ? cca : `${cca} (${details.join(', ')})`;
};

/** The same for the same check, another for any other. */
function whatOf({ flows, link, queueBdp, loss, discipline, about }: BehaviourCheck, full = true): string {
  const path = `${link.rateMbps} Mbps, ${link.rttMs} ms, ${queueBdp} BDP${discipline === undefined ? '' : ` of ${discipline}`}`;
  const losses = loss === undefined ? '' : `, ${100 * loss} % random loss`;
  return `${flows.map(flowText).join(' + ')} over ${path}${losses}${about === undefined || !full ? '' : `: ${about}`}`;
}

const idOf = (check: BehaviourCheck, measured: string): string =>
  `behaviour/${check.flows[0]?.cca}/${whatOf(check, false)}/${measured}`.replaceAll(' ', '-');

/** The checks whose first flow is one of these algorithms. */
export const behaviourChecks = (ccas: ReadonlySet<string>): readonly BehaviourCheck[] =>
  BEHAVIOUR.filter(({ flows }) => ccas.has(flows[0]?.cca ?? ''));

export async function checkBehaviour(check: BehaviourCheck, bench: Bench): Promise<Finding[]> {
  const { flows, link, queueBdp, seconds, fromS, loss, discipline, source, expect } = check;
  const bdpBytes = (link.rateMbps * 1e3 * link.rttMs) / 8;
  const plan = {
    flows,
    capacity: { kind: 'constant', rate_mbps: link.rateMbps },
    queueBytes: Math.max(queueBdp * bdpBytes, 2 * PACKET_BYTES),
    rttMs: link.rttMs,
    seconds,
    ...(loss !== undefined && { loss }),
    ...(discipline !== undefined && { discipline }),
  } as const;
  const runs: LinkRun[] = [];
  for (let seed = 1; seed <= (loss === undefined ? 1 : SEEDS_OF_LOSS); seed++)
    runs.push(await runOverLink({ ...plan, seed }, bench));
  return Object.entries(expect).map(([measured, band]) => {
    const values = runs.map((run) => measure(run, measured, fromS));
    const value = mean(values);
    const span = [Math.min(...values), Math.max(...values)].map(numberText).join('–');
    return judged(
      {
        section: 'behaviour',
        id: idOf(check, measured),
        ccas: [flows[0]?.cca ?? ''],
        what: `${whatOf(check)}: ${measured}`,
        expected: bandText(band),
        measured: runs.length === 1 ? numberText(value) : `${numberText(value)} (${runs.length} seeds: ${span})`,
        source,
      },
      [{ name: measured, band, value }],
      bench,
    );
  });
}

/** The ids of all findings that the checks give. */
export const checkIds = (): string[] =>
  BEHAVIOUR.flatMap((check) => Object.keys(check.expect).map((measured) => idOf(check, measured)));
