import type { ParamDescriptor } from '#protocol/cca';
import { listCcas } from '#bridge/ccas';
import { bpfObjects, parseWords, whereConfigured } from '../config.ts';
import { offered, withExternal } from '../external-programs.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline ccas [--json] [--endpoints FILE]

Lists the CCAs and queue disciplines of the engine with their parameters; --json gives everything that is known of them.
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
  const { values } = parseWords({
    args: [...words],
    options: { json: { type: 'boolean' }, endpoints: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const where = whereConfigured(values.endpoints, undefined, process.env);
  const { external, bpf } = offered(where, bpfObjects(process.env));
  const listing = withExternal(await listCcas(bpf), external);
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
