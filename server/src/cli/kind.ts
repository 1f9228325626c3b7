import { z } from 'zod';
import { listCcas } from '#bridge/ccas';
import { stacksRun } from '#bridge/doctor';
import { checkSpec } from '#analysis/check-spec';
import { kindSpec } from '#analysis/kind-spec';
import type { CcaDescriptor } from '#protocol/cca';
import type { ExperimentKind } from '#protocol/experiment-kind';
import { faultsOf } from '#protocol/faults';
import { LIMITS, wholeWithin, within } from '#protocol/limits';
import { ExperimentSpec, type AskedSpecInput } from '#protocol/spec';
import type { SweepValue } from '#protocol/sweep';
import { bpfObjects, checked, parseWords, UsageError, whereConfigured } from '../config.ts';
import { AppError } from '../errors.ts';
import { offered, withExternal } from '../external-programs.ts';
import { shippedKinds } from '../kinds/read-kinds.ts';
import { EXIT } from './exit.ts';
import { declaredIn } from './own-files.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline kind list [--json]
       paceline kind ID --ccas A,B (--trace NAME | --rate-mbps N)… [options]

Prints the spec of an experiment that answers a question, for \`paceline run\`:
  paceline kind intra-fairness --ccas bbr,cubic --trace "City drive, 5G" | paceline run - --out DIR

  --ccas A,B,…          the algorithms (paceline ccas lists them), or files of your own: mine.ts
  --trace NAME          a file, a name of the library or a content hash; as often as needed
  --rate-mbps N         a constant rate instead, or beside
  --flows N             of kinds whose flows take turns: how many
  --against ID          of kinds with another one on the link: which (default: the baseline)
  --sweep PATH=V,V,…    what is swept instead of what the kind sweeps (docs/axes.md)
  --duration S          seconds of each run
  --repetitions N       runs of each cell
  --no-stacks           without the algorithms of this machine's real stacks
`;

const Options = z.object({
  ccas: z.string({ error: 'is needed: which algorithms?' }).min(1),
  trace: z.array(z.string().min(1)).default([]),
  rates: z.array(z.coerce.number().pipe(within(LIMITS.rate_mbps))).default([]),
  flows: z.coerce
    .number()
    .pipe(wholeWithin({ min: 2, max: LIMITS.flows.max }))
    .optional(),
  against: z.string().min(1).optional(),
  sweep: z
    .string()
    .regex(/^[^=]+=.+$/, 'is PATH=VALUE,VALUE…')
    .optional(),
  duration: z.coerce.number().pipe(within(LIMITS.duration_s)).optional(),
  repetitions: z.coerce.number().pipe(wholeWithin(LIMITS.repetitions)).optional(),
  stacks: z.boolean(),
});

function kindOf(id: string): ExperimentKind {
  const kinds = shippedKinds();
  const kind = kinds.find((candidate) => candidate.id === id);
  if (kind !== undefined) return kind;
  throw new UsageError(`there is no kind “${id}”; there are: ${kinds.map((each) => each.id).join(', ')}`);
}

function list(json: boolean): void {
  const kinds = shippedKinds();
  process.stdout.write(
    json ? `${JSON.stringify({ kinds }, null, 2)}\n` : table(kinds.map(({ id, question }) => [id, question])),
  );
}

/** What the word means: a number, a switch or a word. */
function valueOf(word: string): SweepValue {
  if (word === 'true' || word === 'false') return word === 'true';
  return word.trim() !== '' && Number.isFinite(Number(word)) ? Number(word) : word;
}

function sweepOf(text: string): { path: string; values: SweepValue[] } {
  const equals = text.indexOf('=');
  return {
    path: text.slice(0, equals),
    values: text
      .slice(equals + 1)
      .split(',')
      .map(valueOf),
  };
}

/** What a kind cannot take is refused rather than forgotten. */
function refuseIdle(kind: ExperimentKind, { flows, against, sweep }: z.infer<typeof Options>): void {
  const meets = JSON.stringify(kind.sets).includes('"$other"');
  if (flows !== undefined && kind.turns === undefined)
    throw new UsageError(`kind ${kind.id}: its flows take no turns, so --flows says nothing`);
  if (against !== undefined && !meets)
    throw new UsageError(`kind ${kind.id}: nothing meets another algorithm there, so --against says nothing`);
  if (sweep !== undefined && !kind.parameter && kind.sets['sweep'] === undefined)
    throw new UsageError(`kind ${kind.id}: it sweeps nothing, so --sweep says nothing; kind parameter does`);
}

const optionOf = (key: string): string => {
  const [name = ''] = key.split('.');
  return name === 'rates' ? '--rate-mbps' : `--${name}`;
};

export async function kind(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      ccas: { type: 'string' },
      trace: { type: 'string', multiple: true },
      'rate-mbps': { type: 'string', multiple: true },
      flows: { type: 'string' },
      against: { type: 'string' },
      sweep: { type: 'string' },
      duration: { type: 'string' },
      repetitions: { type: 'string' },
      'no-stacks': { type: 'boolean' },
      endpoints: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [what, ...more] = positionals;
  if (what === undefined || more.length > 0) throw new UsageError('kind: list, or the id of one');
  if (what === 'list') {
    list(values.json === true);
    return EXIT.ok;
  }
  const asked = kindOf(what);
  const { 'rate-mbps': rates, 'no-stacks': without, endpoints, json: _, help: __, ...given } = values;
  const options = checked(Options, { ...given, rates, stacks: without !== true }, optionOf);
  refuseIdle(asked, options);
  const spec = await specOf(asked, options, endpoints);
  process.stdout.write(`${JSON.stringify(spec, null, 2)}\n`);
  return EXIT.ok;
}

async function specOf(
  asked: ExperimentKind,
  options: z.infer<typeof Options>,
  endpoints: string | undefined,
): Promise<AskedSpecInput> {
  const { ccas, trace, rates, flows, against, sweep, duration, repetitions, stacks } = options;
  const where = whereConfigured(endpoints, undefined, process.env);
  const { external, bpf } = offered(where, bpfObjects(process.env));
  const names = ccas.split(',').map((name) => name.trim());
  const own = await declaredIn([...names, ...(against === undefined ? [] : [against])]);
  const known = withExternal(await listCcas(bpf), external);
  const listing = { ...known, ccas: [...known.ccas, ...own.values()] };
  const idOf = (name: string): string => own.get(name)?.id ?? name;
  const traces = [...trace.map((name) => ({ trace: name })), ...rates.map((rate_mbps) => ({ rate_mbps }))];
  if (traces.length === 0) throw new UsageError('kind: which link? --trace NAME or --rate-mbps N');
  const spec = {
    name: asked.title,
    ...kindSpec(
      asked,
      {
        traces,
        ccas: names.map((name) => ({ id: idOf(name), params: {} })),
        stacks: stacks && asked.stacks.length > 0 && (await stacksRun()),
        turns: flows,
        other: against === undefined ? undefined : idOf(against),
        sweep: sweep === undefined ? undefined : sweepOf(sweep),
        duration_s: duration,
        repetitions,
      },
      listing,
    ),
  };
  const parsed = ExperimentSpec.safeParse(spec);
  // Which traces there are is for `run` to say.
  const any = (name: string) => ({ id: name, name, mean_mbps: 1, period_ms: 1000 });
  const faults = parsed.success
    ? checkSpec(parsed.data, listing, any).map(({ path, message }) => ({ where: path.join('.'), detail: message }))
    : faultsOf(parsed.error).map(({ path, detail }) => ({ where: path.join('.'), detail }));
  if (faults.length > 0) throw new AppError('SPEC_INVALID', `kind ${asked.id} cannot be run with these`, { faults });
  return named(spec, own);
}

/** Own algorithms by their files again, which `run` finds and keeps. */
function named(spec: AskedSpecInput, own: ReadonlyMap<string, CcaDescriptor>): AskedSpecInput {
  let text = JSON.stringify(spec);
  for (const [file, { id }] of own) text = text.replaceAll(JSON.stringify(id), () => JSON.stringify(file));
  return JSON.parse(text) as AskedSpecInput;
}
