// What the operator offers beside our own algorithms, external programs and compiled ones: read from a file of theirs, never from
// anything that comes over the network.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '#analysis/identity';
import { BPF_NAME, type BpfObject } from '#bridge/bpf';
import { EXTERNAL_PREFIX, type ExternalProgram } from '#bridge/external';
import { MARKERS, type CcaDescriptor, type EngineListing } from '#protocol/cca';
import { faultsOf } from '#protocol/faults';
import { UsageError } from './config.ts';

const Command = z
  .array(z.string().max(65_536))
  .min(1, 'wants the words of a command')
  .max(1024)
  .refine(([program = '']) => program !== '' && (isAbsolute(program) || !program.includes('/')), {
    message: 'begins with a program by its name, as it is found in PATH, or by its absolute path',
  });

const ENVIRONMENT_BYTES = 32_768;

const Environment = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'wants letters, digits and _')
      .refine((name) => !name.startsWith('PACELINE_'), 'names that begin with PACELINE_ are the run’s own'),
    z.string().refine((value) => !value.includes('\0'), 'has a NUL in it'),
  )
  .refine((all) => Buffer.byteLength(Object.entries(all).flat().join('')) <= ENVIRONMENT_BYTES, {
    message: `wants at most ${String(ENVIRONMENT_BYTES)} bytes in all`,
  });

const LogPattern = z
  .string()
  .regex(
    /^[A-Za-z0-9_*][A-Za-z0-9._*-]{0,99}$/,
    'wants a file’s name of letters, digits, ., - and _: it is looked for where the program works',
  )
  .refine((name) => name.split('*').length <= 2, 'wants one * at most');

const Entry = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,47}$/, 'wants lower-case letters, digits, - and _'),
  label: z.string().trim().min(1).max(80),
  summary: z.string().trim().min(1).max(1000),
  sender: Command,
  receiver: Command,
  calls: z.enum(['sender', 'receiver']).default('sender'),
  /** Beside what the host has, for both ends. */
  env: Environment.default({}),
  /** The id of a CCA whose colour and marker it gets. */
  looks_like: z.string().optional(),
  /** Whether what they write to standard output and error is kept with the run; a name: and the files of this name that they write. */
  log: z.union([z.boolean(), LogPattern]).default(true),
});

const Compiled = z.strictObject({
  name: z.string().regex(BPF_NAME, 'wants lower-case letters, digits, - and _'),
  /** Beside this file, if it is not absolute. */
  file: z.string().min(1),
});

const named = <T extends { readonly name: string }>(entry: z.ZodType<T>, what: string) =>
  z
    .array(entry)
    .default([])
    .superRefine((entries, ctx) => {
      for (const [i, { name }] of entries.entries())
        if (entries.findIndex((other) => other.name === name) < i)
          ctx.addIssue({ code: 'custom', path: [i, 'name'], message: `there is another ${what} “${name}”` });
    });

const OperatorFile = z.strictObject({
  programs: named(Entry, 'program'),
  bpf: named(Compiled, 'compiled algorithm'),
});

export interface ConfiguredProgram extends ExternalProgram {
  readonly label: string;
  readonly summary: string;
  readonly looks_like: string | undefined;
  /** Why it cannot be used here. */
  readonly unavailable: string | null;
}

export interface WhereConfigured {
  /** `--endpoints` or $PACELINE_ENDPOINTS: must be there. */
  readonly endpoints?: string | undefined;
  /** Otherwise `endpoints.json` in it, if there is one. */
  readonly dataDir: string;
}

export interface Offered {
  readonly external: readonly ConfiguredProgram[];
  readonly bpf: readonly BpfObject[];
}

/** What the operator has set up in the file, and the compiled algorithms that the environment names. */
export function offered({ endpoints, dataDir }: WhereConfigured, fromEnvironment: readonly BpfObject[] = []): Offered {
  const file = resolve(endpoints ?? join(dataDir, 'endpoints.json'));
  if (endpoints === undefined && !existsSync(file)) return { external: [], bpf: fromEnvironment };
  const parsed = OperatorFile.safeParse(read(file));
  if (!parsed.success) {
    const [fault] = faultsOf(parsed.error);
    const place = fault?.path.join('.') ?? '';
    throw new UsageError(`${file}: ${place === '' ? '' : `${place}: `}${fault?.detail ?? 'not valid'}`);
  }
  const { programs, bpf } = parsed.data;
  const twice = bpf.findIndex(({ name }) => fromEnvironment.some((other) => other.name === name));
  if (twice !== -1)
    throw new UsageError(`${file}: bpf.${twice}.name: $PACELINE_BPF names another “${bpf[twice]?.name ?? ''}”`);
  const compiled = bpf.map(({ name, file: path }) => ({ name, path: resolve(dirname(file), path) }));
  return { external: programs.map(configured), bpf: [...fromEnvironment, ...compiled] };
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function configured({ name, label, summary, sender, receiver, calls, env, looks_like, log }: z.infer<typeof Entry>) {
  // without variables as before there were any: a run that waited keeps its revision
  const commands = { sender, receiver, calls, ...(Object.keys(env).length === 0 ? {} : { env }) };
  const path = env['PATH'] ?? process.env['PATH'] ?? '';
  return {
    id: `${EXTERNAL_PREFIX}${name}`,
    label,
    summary,
    looks_like,
    ...commands,
    log,
    revision: createHash('sha256').update(canonicalJson(commands)).digest('hex').slice(0, 12),
    unavailable: missing(sender, path) ?? missing(receiver, path),
  };
}

/** Why this command cannot be started; null: it can. */
function missing([program = '']: readonly string[], path: string): string | null {
  if (isAbsolute(program)) return isExecutable(program) ? null : `there is no program ${program} on this machine`;
  const folders = path.split(delimiter);
  if (folders.some((folder) => isExecutable(join(folder, program)))) return null;
  return `there is no program ${program} on this machine (it is not in PATH)`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The listing with the operator's programs, of which only what is meant for everybody's eyes is told. */
export function withExternal(listing: EngineListing, programs: readonly ConfiguredProgram[]): EngineListing {
  const lookOf = looks(listing);
  const ccas = programs.map((program): CcaDescriptor => ({
    id: program.id,
    label: program.label,
    family: 'external',
    kind: 'external',
    baseline: false,
    summary: program.summary,
    source: 'set up on this server',
    engines: ['realtime'],
    identity: lookOf(program),
    params: [],
    internals: [],
    revision: program.revision,
    ...(program.unavailable === null ? {} : { unavailable: program.unavailable }),
  }));
  return { ...listing, ccas: [...listing.ccas, ...ccas] };
}

const SLOTS = 8;

/** Hollow: none of them is our code. That of the CCA that it is like, else one that nobody has yet, as long as there are any. */
function looks({ ccas }: EngineListing): (program: ConfiguredProgram) => CcaDescriptor['identity'] {
  const taken = new Set(ccas.map(({ identity }) => `${identity.slot} ${identity.marker}`));
  const all = MARKERS.flatMap((marker) =>
    Array.from({ length: SLOTS }, (_, i) => ({ slot: SLOTS - 1 - i, marker, hollow: true })),
  );
  return ({ looks_like }) => {
    const twin = ccas.find(({ id }) => id === looks_like);
    if (twin !== undefined) return { ...twin.identity, hollow: true };
    const free = all.find(({ slot, marker }) => !taken.has(`${slot} ${marker}`)) ?? {
      slot: SLOTS - 1,
      marker: MARKERS[0],
      hollow: true,
    };
    taken.add(`${free.slot} ${free.marker}`);
    return free;
  };
}
