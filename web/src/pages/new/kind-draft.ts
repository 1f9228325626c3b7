// What a kind of experiment makes of the form: its spec, with the traces and algorithms that are chosen.
import { kindSpec } from '#analysis/kind-spec';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentKind } from '#protocol/experiment-kind';
import { AskedSpec } from '#protocol/spec';
import { sortCcas, type Draft } from './draft';

/** `stacks`: real stacks can be used here. */
export function draftOfKind(kind: ExperimentKind, draft: Draft, listing: EngineListing, stacks: boolean): Draft {
  const { name, note, traces, seed } = draft;
  const spec = kindSpec(kind, { traces: [{ rate_mbps: 1 }], ccas: draft.ccas, stacks }, listing);
  // A form may lack algorithms, and no spec does.
  const { ccas } = spec;
  const parsed = AskedSpec.parse({ ...spec, ccas: ccas.length > 0 ? ccas : [{ id: 'any' }] });
  return {
    ...parsed,
    name,
    note,
    traces,
    ccas: ccas.length > 0 ? sortCcas(parsed.ccas, listing) : [],
    seed,
    vary: 'vary' in kind.sets ? parsed.vary : null,
  };
}

/** Where the answer stands, as the address of the experiment's page has it. */
export const answerSearch = ({ answer: { figure, options } }: ExperimentKind): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [`${figure}.${key}`, value]));

// --- keeping the kind over a reload, as the form is kept ---

const STORAGE_KEY = 'paceline.new-experiment.kind';

export const keepKind = (id: string | null): void =>
  id === null ? sessionStorage.removeItem(STORAGE_KEY) : sessionStorage.setItem(STORAGE_KEY, id);

export const keptKind = (): string | null => sessionStorage.getItem(STORAGE_KEY);
