// Planner and analysis for a program that runs the engine itself (emulator-bridge/python): a question a line on standard input, an answer
// a line on standard output, until that ends.
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { expandAsked, type Fault } from '#analysis/expand-asked';
import { canonicalJson } from '#analysis/identity';
import { MAX_RUNS } from '#analysis/limits';
import { Cell, ExperimentRecord, RunRef, TraceRecord } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import { WeightsRecord } from '#protocol/weights';
import { runIdOf } from '../identity.ts';
import { Desk, OwnTrace, Told } from './at-hand.ts';
import { reportText, resultOf, tableOf } from './whole.ts';

const Owner = TraceRecord.pick({ id: true, name: true, licence: true, source: true });
const Brought = { traces: z.array(OwnTrace).default([]), weights: z.array(WeightsRecord).default([]) };

const Experiment = {
  spec: ExperimentSpec,
  cells: z.array(Cell),
  runs: z.array(RunRef),
  engine_version: z.string().optional(),
  created_at: z.string().optional(),
};

const Question = z.discriminatedUnion('ask', [
  Told.extend({ ask: z.literal('begin') }),
  z.object({ ask: z.literal('plan'), spec: z.unknown(), ...Brought }),
  // What somebody else has made of a spec: whether each run is in its place, and is what it is called by.
  z.object({
    ask: z.literal('bundle'),
    spec: z.unknown(),
    runs: z.array(z.object({ run: z.string(), cell: z.string(), role: z.string(), repetition: z.number() })),
    manifests: z.array(z.object({ run: z.string(), manifest: z.unknown() })),
    ...Brought,
  }),
  z.object({ ask: z.literal('result'), ...Experiment, ...Brought }),
  z.object({ ask: z.literal('report'), ...Experiment, ...Brought }),
  // Of an export (docs/exports.md), which is everything already.
  z.object({
    ask: z.literal('table'),
    experiment: ExperimentRecord.extend({ engine_version: z.string().nullable(), trace_owners: z.array(Owner) }),
  }),
]);
type Question = z.infer<typeof Question>;
type Asked<T extends Question['ask']> = Extract<Question, { readonly ask: T }>;

const briefly = ({ id, name, origin, info, technology, place, licence, source }: TraceRecord) => ({
  id,
  name,
  origin,
  mean_mbps: info.mean_mbps,
  period_ms: info.period_ms,
  technology,
  place,
  licence,
  source,
});

/** What cannot be run; `needs`: but for a server, as a whole sentence. */
class NotPlanned extends Error {
  override readonly name = 'NotPlanned';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[], needs: string | null = null) {
    super(needs ?? faults[0]?.detail ?? 'the spec is not valid');
    this.faults = faults;
  }
}

async function plan(desk: Desk, { spec: asked, traces, weights }: Asked<'plan'>): Promise<object> {
  const planned = await expandAsked(asked, desk.with(traces, weights));
  if (!planned.ok) throw new NotPlanned(planned.faults, planned.needs);
  const { expansion } = planned;
  const runs = [];
  for (const { manifest, canonical, cell, role, repetition } of expansion.runs) {
    if (manifest.engine !== 'virtual')
      throw new NotPlanned([], 'Runs in real time are made by a server’s programs: see Client.');
    if (manifest.flows.some(({ cca }) => cca.program !== undefined))
      throw new NotPlanned([], 'Own algorithms are run by a server: see Client.');
    if (runs.length === MAX_RUNS) throw new NotPlanned([{ where: '', detail: `more than ${MAX_RUNS} runs` }]);
    runs.push({ id: runIdOf(canonical), manifest: canonical, cell, role, repetition });
  }
  return { spec: expansion.spec, cells: expansion.cells, runs };
}

const placeOf = ({ cell, role, repetition }: Pick<RunRef, 'cell' | 'repetition'> & { readonly role: string }): string =>
  JSON.stringify([cell, role, repetition]);

async function bundle(desk: Desk, question: Asked<'bundle'>): Promise<object> {
  const planned = await expandAsked(question.spec, desk.with(question.traces, question.weights));
  if (!planned.ok) throw new NotPlanned(planned.faults, planned.needs);
  const { spec, cells, runs } = planned.expansion;
  const places = new Set(Array.from(runs, placeOf));
  const stranger = question.runs.find((run) => !places.delete(placeOf(run)));
  if (stranger !== undefined) throw new Error(`its spec has no such run: ${placeOf(stranger)}`);
  if (places.size > 0) throw new Error(`${places.size} of the runs that its spec means are not there`);
  const forged = question.manifests.find(({ run, manifest }) => runIdOf(canonicalJson(manifest)) !== run);
  if (forged !== undefined) throw new Error(`run ${forged.run} is not what its manifest says`);
  return { spec, cells };
}

async function answer(question: Question, begun: Desk | null): Promise<{ readonly desk: Desk; readonly said: object }> {
  if (question.ask === 'begin') {
    const desk = await Desk.of(question);
    return { desk, said: { traces: desk.shipped.map(briefly) } };
  }
  if (begun === null) throw new Error('what there is was not told yet');
  if (question.ask === 'plan') return { desk: begun, said: await plan(begun, question) };
  if (question.ask === 'bundle') return { desk: begun, said: await bundle(begun, question) };
  if (question.ask === 'table') {
    const { trace_owners: owners, ...experiment } = question.experiment;
    return { desk: begun, said: { table: tableOf(experiment, owners) } };
  }
  const { traces } = begun.with(question.traces, question.weights);
  if (question.ask === 'report') return { desk: begun, said: { html: reportText(question, begun.engine, traces) } };
  return { desk: begun, said: resultOf(question, begun.engine, traces) };
}

/** What is wrong, in a form for programs. */
function told(error: unknown): object {
  if (!(error instanceof NotPlanned)) return { error: error instanceof Error ? error.message : String(error) };
  return { error: error.message, faults: error.faults };
}

let desk: Desk | null = null;
for await (const line of createInterface({ input: process.stdin })) {
  let said: object;
  try {
    ({ desk, said } = await answer(Question.parse(JSON.parse(line)), desk));
  } catch (error) {
    said = told(error);
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
