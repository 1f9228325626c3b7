import { availableParallelism } from 'node:os';
import { listCcas } from '#bridge/ccas';
import { behaviourChecks, checkBehaviour } from './behaviour.ts';
import { checkCrossover, checkFairness, FAIRNESS_LIMITS_BDP } from './fairness.ts';
import { compareWithKernel } from './kernel-findings.ts';
import { Lanes } from './lanes.ts';
import { nativeChecks } from './native-checks.ts';
import { checkOrderings, tracesOf } from './orderings.ts';
import { comparePrototype, prototypesOf } from './prototypes.ts';
import type { Finding, Section } from '#protocol/fidelity';

export interface ReportOptions {
  readonly sections: ReadonlySet<Section>;
  /** Ids; null: all. */
  readonly ccas: ReadonlySet<string> | null;
  /** Of runs over traces. */
  readonly seconds: number;
  /** Folder of the shipped traces. */
  readonly shipped: string;
  /** Empty folder for imported traces. */
  readonly dir: string;
  readonly onSection: (section: Section, findings: readonly Finding[]) => void;
}

/** Checks everything that was asked for, section by section. */
export async function fidelityReport(options: ReportOptions): Promise<Finding[]> {
  const { dir, seconds } = options;
  const ours = (await listCcas()).ccas.filter(({ kind }) => ['sender', 'oracle', 'ideal'].includes(kind));
  const known = ours.map(({ id }) => id);
  const unknown = [...(options.ccas ?? [])].filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const ids = known.filter((id) => options.ccas?.has(id) ?? true);
  const ccas = new Set(ids);
  const lanes = new Lanes(availableParallelism());
  const each = async <T>(items: readonly T[], job: (item: T) => Promise<Finding | Finding[]>): Promise<Finding[]> =>
    (await Promise.all(items.map((item) => lanes.run(() => job(item))))).flat();

  const sections: Readonly<Record<Section, () => Promise<Finding[]>>> = {
    behaviour: async () => {
      const checks = await each(behaviourChecks(ccas), (check) => checkBehaviour(check, dir));
      return [...checks, ...(await nativeChecks(ids))];
    },
    kernel: () => compareWithKernel(dir, ccas),
    prototypes: () => each(prototypesOf(ccas), (prototype) => comparePrototype(prototype, dir)),
    orderings: async () => {
      const findings: Finding[] = [];
      for (const trace of tracesOf(options.shipped))
        findings.push(...(await checkOrderings(trace, { ccas, seconds, dir, lanes })));
      return findings;
    },
    fairness: async () => {
      const senders = ours.filter(({ id, kind }) => kind === 'sender' && ccas.has(id));
      const pairs = senders.flatMap(({ id }) => FAIRNESS_LIMITS_BDP.map((bdp) => ({ id, bdp })));
      const alike = await each(pairs, ({ id, bdp }) => checkFairness(id, bdp, dir));
      return ccas.has('bbr') && ccas.has('cubic')
        ? [...alike, ...(await checkCrossover(options.shipped, dir, lanes))]
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
