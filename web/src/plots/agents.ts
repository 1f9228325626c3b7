// The agents of a run's flows: networks that decide in the loops of learned algorithms (docs/training.md, docs/weights.md).
import type { CcaRef } from '#protocol/spec';
import type { CcaDescriptor } from '#protocol/cca';
import type { PolicySource, RunPlotData } from './data';

export interface RunAgent {
  readonly source: PolicySource;
  /** In addresses. */
  readonly key: string;
  readonly label: string;
  readonly cca: CcaDescriptor;
  /** Places of the flows about which it decides. */
  readonly flows: readonly number[];
}

/** The column of what it has decided. */
export const ACTION = 'action';

/** Null: nobody decides there, or a rule does. */
function sourceOf({ id, params }: CcaRef, cca: CcaDescriptor): PolicySource | null {
  const weights = cca.params.find(({ type }) => type === 'weights');
  if (weights?.needed_with === undefined) return null;
  const policy = params[weights.needed_with.param];
  if (policy === 'trained') return { kind: 'trained', id: weights.algorithm ?? id };
  const file = params[weights.name];
  return policy === weights.needed_with.value && typeof file === 'string' && file !== ''
    ? { kind: 'file', id: file }
    : null;
}

/** Each network once, in the order of the flows. */
export function agentsOf({ manifest, ccas }: Pick<RunPlotData, 'manifest' | 'ccas'>): RunAgent[] {
  const found = new Map<string, RunAgent>();
  manifest.flows.forEach(({ cca: ref }, flow) => {
    const cca = ccas.get(ref.id);
    const source = cca === undefined ? null : sourceOf(ref, cca);
    if (cca === undefined || source === null) return;
    const key = source.kind === 'trained' ? source.id : source.id.slice(0, 12);
    const label = source.kind === 'trained' ? `${cca.label}, trained here` : `${cca.label}, ${source.id.slice(0, 8)}`;
    found.set(key, { source, key, label, cca, flows: [...(found.get(key)?.flows ?? []), flow] });
  });
  return [...found.values()];
}

/** What the algorithm's loop measures of an input, as people call it. */
export const inputLabel = ({ internals }: CcaDescriptor, name: string): string =>
  (internals.find((internal) => internal.name === name)?.label ?? name).replace(/^input: /, '');

/** The inputs of its loop that a run has samples of. */
export function inputsOf({ params, internals }: CcaDescriptor): string[] {
  const offered = params.find(({ type }) => type === 'weights')?.choices ?? [];
  return offered.filter((name) => internals.some((internal) => internal.name === name));
}
