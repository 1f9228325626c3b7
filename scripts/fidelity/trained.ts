// The agents that were trained here beside what they have to beat, over the traces that they have not practised on (docs/training.md): the engine's own
// runs, worked out here again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { importTrace } from '#bridge/traces';
import type { Finding } from '#protocol/fidelity';
import type { Bench } from './bench.ts';
import { judged } from './deviations.ts';
import { bandText, numberText } from './finding.ts';
import type { Lanes } from './lanes.ts';
import { mean, runOverLink, type LinkRun } from './link-run.ts';

const FOLDER = fileURLToPath(new URL('../../emulator-bridge/native/weights', import.meta.url));
const SUFFIX = '.training.json';
/** Where runs begin in their traces, and how packets are acknowledged, is another here than in the training's own judgement. */
const NEAR = 0.1;

const Training = z.object({
  plan: z.object({
    loop: z.string(),
    judging: z.object({
      metric: z.enum(['orca', 'deepcc', 'aurora']),
      against: z.object({ id: z.string() }),
      traces: z.array(z.string()),
      spec: z.object({
        base_rtt_ms: z.array(z.number()),
        buffers: z.array(z.object({ bdp: z.number() })),
        loss: z.array(z.number()).default([0]),
        duration_s: z.number(),
      }),
    }),
  }),
  verdict: z.object({ difference: z.number() }),
});
type Training = z.infer<typeof Training>;

const Library = z.array(z.object({ file: z.string(), name: z.string() }));

const trainings = (): Training[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => Training.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))));

/** Of what was sent. */
const lostShare = ({ summary: { senders } }: LinkRun): number =>
  (senders[0]?.retransmitted_packets ?? Number.NaN) / (senders[0]?.sent_packets ?? Number.NaN);

/** The paper's reward of a run as a whole; DeepCC's target is 50 ms, and Aurora's link as if it had carried 300 packets a second. */
const METRICS: Readonly<Record<Training['plan']['judging']['metric'], (run: LinkRun, rttMs: number) => number>> = {
  orca: (run, rttMs) => {
    const used = run.link.utilisation ?? Number.NaN;
    const lost = lostShare(run);
    return (
      used *
      (1 - (5 * lost) / (1 - lost)) *
      Math.min(1, (1.25 * rttMs) / (run.summary.senders[0]?.rtt.mean_ms ?? Number.NaN))
    );
  },
  deepcc: ({ link, summary }) =>
    (link.utilisation ?? Number.NaN) * ((summary.senders[0]?.rtt.mean_ms ?? Number.NaN) <= 50 ? 1 : -1),
  aurora: (run) =>
    (run.link.utilisation ?? Number.NaN) -
    ((run.summary.senders[0]?.rtt.mean_ms ?? Number.NaN) + 2000 * lostShare(run)) / 3000,
};

/** Two-sided: how often the mean is as far from 0 if each difference had either sign (exact; at most 2^16 of them). */
export function signFlipP(differences: readonly number[]): number {
  const seen = Math.abs(mean(differences)) - 1e-15;
  let asFar = 0;
  const all = 2 ** differences.length;
  for (let signs = 0; signs < all; signs++)
    if (
      Math.abs(mean(differences.map((value, at) => (Math.floor(signs / 2 ** at) % 2 === 0 ? value : -value)))) >= seen
    )
      asFar += 1;
  return asFar / all;
}

async function checkTrained(
  { plan: { loop, judging }, verdict }: Training,
  { shipped, bench, lanes }: { shipped: string; bench: Bench; lanes: Lanes },
): Promise<Finding> {
  const { base_rtt_ms: rtts, buffers, loss: losses, duration_s: seconds } = judging.spec;
  const library = Library.parse(JSON.parse(readFileSync(join(shipped, 'library.json'), 'utf8')));
  const difference = async (name: string): Promise<number> => {
    const file = library.find((entry) => entry.name === name)?.file;
    if (file === undefined) throw new Error(`${loop} is judged over ${name}, and no shipped trace is called so`);
    const { info } = await importTrace(join(shipped, file), bench.dir);
    const capacity = { kind: 'trace' as const, sha256: info.sha256, name, offset_ms: 0 };
    const cells = rtts.flatMap((rttMs) => buffers.flatMap(({ bdp }) => losses.map((loss) => ({ rttMs, bdp, loss }))));
    const worth = (cca: string): Promise<number[]> =>
      Promise.all(
        cells.map(async ({ rttMs, bdp, loss }) => {
          const queueBytes = (bdp * info.mean_mbps * 1e3 * rttMs) / 8;
          const plan = {
            flows: [{ cca }],
            capacity,
            queueBytes,
            loss,
            rttMs,
            seconds,
            samplePeriodMs: 100,
            linuxReceiver: true,
            ackEvery: 2,
          };
          return METRICS[judging.metric](await lanes.run(() => runOverLink(plan, bench)), rttMs);
        }),
      );
    const [trained, other] = await Promise.all([worth(loop), worth(judging.against.id)]);
    return mean(trained) - mean(other);
  };
  const differences = await Promise.all(judging.traces.map(difference));
  const p = signFlipP(differences);
  const near = { low: verdict.difference - NEAR, high: verdict.difference + NEAR };
  return judged(
    {
      section: 'behaviour',
      id: `behaviour/${loop}/trained-agent-over-held-out-traces`,
      ccas: [loop, judging.against.id],
      what: `${loop} with the agent trained here less ${judging.against.id}, reward of the run as a whole, over ${judging.traces.length} traces that it has not practised on`,
      expected: `${bandText(near)}, p below 0.05`,
      measured: `${numberText(mean(differences))}, p ${p.toPrecision(2)}`,
      source: `emulator-bridge/native/weights/${loop}.md`,
    },
    [
      { name: 'difference', band: near, value: mean(differences) },
      { name: 'p', band: { high: 0.05 }, value: p },
    ],
    bench,
  );
}

/** Of the shipped agents whose loops are among these algorithms. */
export const checkTrainedAgents = (
  ccas: ReadonlySet<string>,
  where: { shipped: string; bench: Bench; lanes: Lanes },
): Promise<Finding[]> =>
  Promise.all(
    trainings()
      .filter(({ plan }) => ccas.has(plan.loop))
      .map((training) => checkTrained(training, where)),
  );
