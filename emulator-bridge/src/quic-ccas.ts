// The CCAs that can run over QUIC: what the helper says it has, joined with what the engine says of the same algorithms.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { CcaDescriptor, EngineListing, ParamDescriptor } from '#protocol/cca';
import { STALE_REMEDY } from './programs.ts';
import { quicHelper } from './quic.ts';

/** `paceline-quic --describe-ccas`. */
const QuicListing = z.object({
  engine_version: z.string(),
  ccas: z.array(
    z.object({
      /** As its --cca takes it. */
      cca: z.string(),
      /** The engine's algorithm of this name: its own code, or another implementation of the same. */
      twin: z.string(),
      own_code: z.boolean(),
      grows_window: z.boolean(),
      /** Parameters of the twin that change nothing here. */
      ineffective: z.array(z.string()).default([]),
      label: z.string().optional(),
      summary: z.string().optional(),
      source: z.string().optional(),
    }),
  ),
});
type QuicCca = z.infer<typeof QuicListing>['ccas'][number];

const STACKS = [
  { id: 'quic-', cca: 'paceline:' },
  { id: 'quinn-', cca: 'quinn:' },
] as const;

/** How the helper calls the CCA of a manifest; null: it is none of its. */
export function helperCca(id: string): string | null {
  const stack = STACKS.find((candidate) => id.startsWith(candidate.id));
  return stack === undefined ? null : stack.cca + id.slice(stack.id.length);
}

const idOf = (cca: string): string => {
  const stack = STACKS.find((candidate) => cca.startsWith(candidate.cca));
  return stack === undefined ? cca : stack.id + cca.slice(stack.cca.length);
};

/** Not one of an algorithm's: it is the transport that keeps the rule. */
export const WINDOW_RULE_OFF: ParamDescriptor = {
  name: 'grow_underutilised',
  label: 'Rule 7.8 off',
  type: 'boolean',
  unit: '',
  default: false,
  min: null,
  max: null,
  choices: [],
  help: 'RFC 9002, section 7.8: a window that is not used does not grow. Without the rule it grows as if it were.',
};

/** What the helper can be told: it reads no weights files, so no choice may need one. */
const told = (params: readonly ParamDescriptor[]): ParamDescriptor[] => {
  const needs = params.flatMap(({ needed_with }) => (needed_with === undefined ? [] : [needed_with]));
  return params
    .filter(({ type }) => type !== 'weights')
    .map((param) => ({
      ...param,
      choices: param.choices.filter((name) => !needs.some((need) => need.param === param.name && need.value === name)),
    }));
};

const UNKNOWN_LOOK = { slot: 7, marker: 'circle', hollow: true } as const;

function describe(cca: QuicCca, twin: CcaDescriptor | undefined): CcaDescriptor {
  const rule = cca.grows_window ? [WINDOW_RULE_OFF] : [];
  const label = cca.label ?? twin?.label ?? cca.twin;
  const own = cca.own_code ? twin : undefined;
  return {
    id: idOf(cca.cca),
    label: `${label} · ${cca.own_code ? 'QUIC' : 'quinn'}`,
    family: 'quic',
    kind: 'quic',
    baseline: own?.baseline ?? false,
    summary:
      cca.summary ??
      `Our own code as the congestion control of a real QUIC stack (quinn), with the loss detection and pacing of QUIC. ${own?.summary ?? ''}`.trim(),
    source: cca.source ?? own?.source ?? '',
    engines: ['realtime'],
    // Hue and marker of its twin; hollow is another implementation.
    identity: { ...(twin?.identity ?? UNKNOWN_LOOK), hollow: own === undefined },
    params: [...told(own?.params ?? []).filter(({ name }) => !cca.ineffective.includes(name)), ...rule],
    internals: own?.internals ?? [],
    ...(twin === undefined ? {} : { twin: twin.id }),
  };
}

type QuicCcas =
  | { readonly ccas: CcaDescriptor[]; readonly unavailable: null }
  | { readonly ccas: null; readonly unavailable: string };

export async function quicCcas({ engine_version, ccas }: EngineListing): Promise<QuicCcas> {
  const helper = quicHelper();
  if (helper.path === null) return { ccas: null, unavailable: helper.unavailable };
  try {
    const { stdout } = await promisify(execFile)(helper.path, ['--describe-ccas'], { timeout: 5000 });
    const listing = QuicListing.parse(JSON.parse(stdout));
    if (listing.engine_version !== engine_version) {
      const unavailable = `it was built with engine ${listing.engine_version}, this is ${engine_version}: ${STALE_REMEDY}`;
      return { ccas: null, unavailable };
    }
    const twin = (id: string): CcaDescriptor | undefined => ccas.find((cca) => cca.id === id && cca.kind === 'sender');
    const described = listing.ccas.map((cca) => describe(cca, twin(cca.twin)));
    return { ccas: described.sort((a, b) => a.id.localeCompare(b.id)), unavailable: null };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { ccas: null, unavailable: `${helper.path} does not say what it has (${reason}): ${STALE_REMEDY}` };
  }
}
