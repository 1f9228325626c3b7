import { availableParallelism } from 'node:os';
import { listCcas } from '#bridge/ccas';
import type { Bench } from './bench.ts';
import { behaviourChecks, checkBehaviour } from './behaviour.ts';
import { checkCrossover, checkFairness, FAIRNESS_LIMITS_BDP } from './fairness.ts';
import { compareWithKernel } from './kernel-findings.ts';
import { Lanes } from './lanes.ts';
import { nativeChecks } from './native-checks.ts';
import { checkOrderings, isRecordingOf5g, tracesOf } from './orderings.ts';
import { checkReminisFigures } from './reminis/figures.ts';
import { comparePrototype, prototypesOf } from './prototypes.ts';
import { isAltered, parseSwitches } from './switches.ts';
import { checkTrainedAgents } from './trained.ts';
import type { Finding, Section } from '#protocol/fidelity';

export interface ReportOptions {
  readonly sections: ReadonlySet<Section>;
  /** Ids; null: all. */
  readonly ccas: ReadonlySet<string> | null;
  /** Names of traces; null: all. */
  readonly traces: ReadonlySet<string> | null;
  /** Of runs over traces; null: as the checks are written. */
  readonly seconds: number | null;
  /** As they are written on the command line. */
  readonly switches: readonly string[];
  /** Folder of the shipped traces. */
  readonly shipped: string;
  /** Empty folder for imported traces. */
  readonly dir: string;
  readonly onSection: (section: Section, findings: readonly Finding[]) => void;
}

const TRACE_S = 60;

/** Checks everything that was asked for, section by section. */
export async function fidelityReport(options: ReportOptions): Promise<Finding[]> {
  const seconds = options.seconds ?? TRACE_S;
  const ours = (await listCcas()).ccas.filter(({ kind }) => ['sender', 'oracle', 'ideal'].includes(kind));
  const known = ours.map(({ id }) => id);
  const switches = parseSwitches(options.switches, known);
  const bench: Bench = {
    dir: options.dir,
    switches,
    altered: isAltered(switches) || seconds !== TRACE_S,
    partial: options.ccas !== null,
  };
  const unknown = [...(options.ccas ?? [])].filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const ids = known.filter((id) => options.ccas?.has(id) ?? true);
  const ccas = new Set(ids);
  const traces = tracesOf(options.shipped);
  const strange = [...(options.traces ?? [])].filter((name) => !traces.some((trace) => trace.name === name));
  if (strange.length > 0)
    throw new Error(`there is no trace ${strange.join(', ')}; there are ${traces.map(({ name }) => name).join(', ')}`);
  const lanes = new Lanes(availableParallelism());
  const each = async <T>(items: readonly T[], job: (item: T) => Promise<Finding | Finding[]>): Promise<Finding[]> =>
    (await Promise.all(items.map((item) => lanes.run(() => job(item))))).flat();

  const sections: Readonly<Record<Section, () => Promise<Finding[]>>> = {
    behaviour: async () => {
      const checks = await each(behaviourChecks(ccas), (check) => checkBehaviour(check, bench));
      const trained = await checkTrainedAgents(ccas, { shipped: options.shipped, bench, lanes });
      return [...checks, ...trained, ...(await nativeChecks(ids))];
    },
    kernel: () => compareWithKernel(bench, ccas),
    prototypes: () => each(prototypesOf(ccas), (prototype) => comparePrototype(prototype, bench)),
    orderings: async () => {
      const findings: Finding[] = [];
      for (const trace of traces)
        if (options.traces?.has(trace.name) ?? true)
          findings.push(...(await checkOrderings(trace, { ccas, seconds, bench, lanes })));
      const recorded = traces.filter(({ name }) => isRecordingOf5g(name) && (options.traces?.has(name) ?? true));
      if (ccas.has('reminis') && recorded.length > 0)
        findings.push(...(await checkReminisFigures(recorded, { seconds, bench, lanes })));
      return findings;
    },
    fairness: async () => {
      const senders = ours.filter(({ id, kind }) => kind === 'sender' && ccas.has(id));
      const pairs = senders.flatMap(({ id }) => FAIRNESS_LIMITS_BDP.map((bdp) => ({ id, bdp })));
      const alike = await each(pairs, ({ id, bdp }) => checkFairness(id, bdp, bench));
      return ccas.has('bbr') && ccas.has('cubic')
        ? [...alike, ...(await checkCrossover(options.shipped, bench, lanes))]
        : alike;
    },
  };
  const all: Finding[] = [];
  for (const [section, check] of Object.entries(sections) as [Section, () => Promise<Finding[]>][]) {
    if (!options.sections.has(section)) continue;
    const findings = await check();
    options.onSection(section, findings);
    all.push(...findings);
  }
  return all;
}
