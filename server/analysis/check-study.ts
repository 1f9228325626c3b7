// What is wrong with the data of a study beyond its form: names of what there is not.
import { ccaLabel } from '#analysis/cca-label';
import { engineOf } from '#analysis/kinds';
import { bufferLabel } from '#analysis/limits';
import { queueLabel } from '#analysis/queue-label';
import { studyValue } from '#analysis/study-values';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import type { Claim, Measure, Study, StudyDimension, StudyVariant, Where } from '#protocol/study';

/** What an experiment can be asked by, as `study-measure` writes it; null: anything. */
function keysOf(spec: ExperimentSpec, by: StudyDimension, { ccas }: EngineListing): ReadonlySet<string> | null {
  switch (by) {
    case 'cca':
      return new Set(
        spec.ccas.flatMap((cca) => [cca.id, ccaLabel({ cca }, ccas.find(({ id }) => id === cca.id) ?? null)]),
      );
    case 'trace':
      return new Set(spec.traces.flatMap((trace) => ('trace' in trace ? [trace.trace] : [])));
    case 'limit':
      return new Set(spec.buffers.map(bufferLabel));
    case 'rtt':
      return new Set(spec.base_rtt_ms.map(String));
    case 'loss':
      return new Set(spec.loss.map(String));
    case 'discipline':
      return new Set([...spec.queues, ...spec.ccas.flatMap(({ queue }) => queue ?? [])].map(queueLabel));
    case 'sweep':
      return new Set(spec.sweep?.values.map(String) ?? []);
    case 'transport':
      return null;
  }
}

function* unknown(where: Where, spec: ExperimentSpec, engine: EngineListing): Generator<string> {
  for (const [dimension, chosen] of Object.entries(where)) {
    const keys = keysOf(spec, dimension as StudyDimension, engine);
    for (const name of [chosen].flat())
      if (keys !== null && !keys.has(String(name))) yield `its experiment has no ${dimension} ${String(name)}`;
  }
}

function* measureFaults(asked: Measure, study: Study, engine: EngineListing): Generator<string> {
  if (studyValue(asked.value) === undefined) yield `there is no value ${asked.value}`;
  const experiment = study.experiments[asked.experiment];
  if (experiment === undefined) yield `there is no experiment ${asked.experiment}`;
  else {
    yield* unknown(asked.where, experiment.spec, engine);
    if (asked.against !== undefined) yield* unknown(asked.against.where, experiment.spec, engine);
  }
}

function* claimFaults({ tested, because }: Claim, study: Study, engine: EngineListing): Generator<string> {
  if ('not' in tested) return;
  yield* measureFaults(tested.measure, study, engine);
  const keys = Object.keys(tested.expect.paper);
  const { by } = tested.measure;
  if (by === 'all' && keys.some((key) => key !== 'all')) yield 'told apart by nothing it has one key, all';
  const spec = study.experiments[tested.measure.experiment]?.spec;
  if (by !== 'all' && spec !== undefined) yield* unknown({ [by]: keys }, spec, engine);
  if (because !== undefined) {
    const variant = study.variants[because.variant];
    if (variant === undefined) yield `there is no variant ${because.variant}`;
    else if (variant.instead[tested.measure.experiment] === undefined)
      yield `the variant ${because.variant} has nothing instead of ${tested.measure.experiment}`;
  }
}

function* variantFaults(
  id: string,
  { instead, traces = {}, values = {} }: StudyVariant,
  study: Study,
): Generator<string> {
  for (const value of Object.entries(values).flat())
    if (studyValue(value) === undefined) yield `variant ${id}: there is no value ${value}`;
  for (const key of Object.entries(instead).flat())
    if (study.experiments[key] === undefined) yield `variant ${id}: there is no experiment ${key}`;
  const of = (keys: readonly string[]): ReadonlySet<string> =>
    new Set(
      keys.flatMap(
        (key) => study.experiments[key]?.spec.traces.flatMap((ref) => ('trace' in ref ? ref.trace : [])) ?? [],
      ),
    );
  const [told, others] = [of(Object.keys(instead)), of(Object.values(instead))];
  for (const [name, counterpart] of Object.entries(traces)) {
    if (!told.has(name)) yield `variant ${id}: nothing that it replaces is over ${name}`;
    if (!others.has(counterpart)) yield `variant ${id}: none of its experiments is over ${counterpart}`;
  }
}

/** Empty: everything that it names is there. */
export function checkStudy(study: Study, engine: EngineListing, traces: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  for (const [key, { spec }] of Object.entries(study.experiments)) {
    for (const trace of spec.traces)
      if ('trace' in trace && !traces.has(trace.trace)) faults.push(`${key}: there is no trace ${trace.trace}`);
    for (const { id } of spec.ccas) {
      const cca = engine.ccas.find((one) => one.id === id);
      if (cca === undefined) faults.push(`${key}: there is no algorithm ${id}`);
      else if (engineOf(cca, spec.engine) === null)
        faults.push(`${key}: ${id} cannot run here: ${cca.unavailable ?? `it has no engine “${spec.engine}”`}`);
    }
  }
  for (const [id, variant] of Object.entries(study.variants)) faults.push(...variantFaults(id, variant, study));
  for (const key of study.answers)
    if (study.experiments[key] === undefined) faults.push(`answers: there is no experiment ${key}`);
  const seen = new Set<string>();
  for (const figure of study.figures)
    for (const claim of figure.claims) {
      const name = `${figure.id}/${claim.id}`;
      if (seen.has(name)) faults.push(`${name}: there are two of this id`);
      seen.add(name);
      for (const fault of claimFaults(claim, study, engine)) faults.push(`${name}: ${fault}`);
    }
  return faults;
}
