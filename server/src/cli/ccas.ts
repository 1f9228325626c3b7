import type { CcaDescriptor, EngineListing, ParamDescriptor } from '#protocol/cca';
import type { CcaAbout } from '#protocol/cca-about';
import { listCcas } from '#bridge/ccas';
import { aboutAll } from '../ccas/read-about.ts';
import { bpfObjects, parseWords, UsageError, whereConfigured } from '../config.ts';
import { offered, withExternal } from '../external-programs.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline ccas [ID …] [--json] [--endpoints FILE]

Lists the CCAs and queue disciplines of the engine with their parameters; --json gives everything that is known of them. With ids: how these work, their
parameters, what states their samples name, and their sources.
External programs and compiled algorithms are those of --endpoints or $PACELINE_ENDPOINTS, else of endpoints.json in the data folder (./data, or
$PACELINE_DATA_DIR); compiled ones also of $PACELINE_BPF.
`;

const parameter = ({
  name,
  default: value,
  unit,
  min,
  max,
  help,
  matters_with: matters,
}: ParamDescriptor): string[] => {
  const range = min === null && max === null ? '' : ` (${min ?? '…'} to ${max ?? '…'})`;
  const where = matters === undefined ? '' : ` Only with ${matters.param} = ${matters.values.join(' or ')}.`;
  return [`    ${name} = ${String(value)}${unit === '' ? '' : ` ${unit}`}${range}`, `${help}${where}`];
};

export async function ccas(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, endpoints: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const where = whereConfigured(values.endpoints, undefined, process.env);
  const { external, bpf } = offered(where, bpfObjects(process.env));
  const listing = withExternal(await listCcas(bpf), external);
  if (positionals.length > 0) return tellSome(positionals, listing, values.json === true);
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify(listing, null, 2)}\n`);
    return EXIT.ok;
  }
  const of = (
    entries: readonly {
      id: string;
      label: string;
      summary: string;
      params: readonly ParamDescriptor[];
      unavailable?: string | undefined;
    }[],
  ): string =>
    entries
      .map(({ id, label, summary, params, unavailable }) => {
        const missing = unavailable === undefined ? '' : `    unavailable: ${unavailable}\n`;
        return `  ${id}  ${label}: ${summary}\n${missing}${table(params.map(parameter))}`;
      })
      .join('');
  const missing = listing.unavailable
    .map(({ kind, id, label, reason }) => `  ${id === undefined ? kind : `${id}  ${label}`}: ${reason}\n`)
    .join('');
  process.stdout.write(
    `Engine ${listing.engine_version}\n\nCCAs\n${of(listing.ccas)}\n` +
      `${missing === '' ? '' : `Unavailable here\n${missing}\n`}Queue disciplines\n${of(listing.queues)}`,
  );
  return EXIT.ok;
}

/** What is told of an algorithm beside what it says of itself. */
interface Told {
  readonly cca: CcaDescriptor;
  readonly about: CcaAbout | undefined;
}

function tellSome(ids: readonly string[], listing: EngineListing, json: boolean): number {
  const told = ids.map((id): Told => {
    const cca = listing.ccas.find((one) => one.id === id);
    if (cca === undefined)
      throw new UsageError(
        `the engine lists no algorithm ${id}; it has ${listing.ccas.map((one) => one.id).join(', ')}`,
      );
    return { cca, about: aboutAll({ ccas: [cca] })[0] };
  });
  process.stdout.write(
    json
      ? `${JSON.stringify(
          told.map(({ cca, about }) => ({ ...cca, about: about ?? null })),
          null,
          2,
        )}\n`
      : told.map(inWords).join('\n'),
  );
  return EXIT.ok;
}

const WIDTH = 100;

/** Broken between words. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line].join('\n');
}

function inWords({ cca, about }: Told): string {
  const of = about?.of === undefined ? '' : `, which runs ${about.of}`;
  const parts = [
    `${cca.label} (${cca.id}): ${cca.family}, ${cca.engines.map((engine) => (engine === 'virtual' ? 'virtual time' : 'real time')).join(' and ')}${of}`,
    wrapped(cca.summary),
  ];
  if (cca.unavailable !== undefined) parts.push(wrapped(`Unavailable here: ${cca.unavailable}`));
  if (about !== undefined) parts.push(wrapped(about.how));
  if (cca.params.length > 0) parts.push(`Parameters\n${table(cca.params.map(parameter)).trimEnd()}`);
  const states = Object.entries(about?.states ?? {});
  if (states.length > 0)
    parts.push(`States\n${table(states.map(([state, meaning]) => [`    ${state}`, meaning])).trimEnd()}`);
  const sources = about?.sources.map(({ title, url }) => (url === undefined ? title : `${title}: ${url}`)) ?? [
    cca.source,
  ];
  parts.push(`Sources\n${sources.map((source) => `    ${source}`).join('\n')}`);
  return `${parts.join('\n\n')}\n`;
}
