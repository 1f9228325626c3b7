// A run as output vectors of OMNeT++: what is plotted live, value for value, in version 2 of its result files.
import { vectorLine, vectorsHead, type VectorHead } from '#analysis/omnetpp';
import type { StreamInfo } from '#protocol/control';
import { shortFloat } from './csv.ts';
import { encodeText, type Chunks, type Page } from './formats.ts';
import { identityOf, type RunExport } from './run.ts';
import { seriesBatches, valueColumns } from './series.ts';

/** Where the names of units differ; of a share there is none. */
const UNITS: Readonly<Record<string, string>> = { bytes: 'B', packets: '' };

/** `Paceline.link`, `Paceline.sender[0]`, `Paceline.forward[1].policer`. */
function moduleOf(info: StreamInfo): string {
  const here =
    info.kind === 'link'
      ? info.direction === 'forward'
        ? 'link'
        : 'reverse'
      : info.kind === 'element'
        ? `${info.direction}[${info.place}].${info.element.replaceAll('-', '_')}`
        : `${info.kind}[${info.flow}]`;
  return `Paceline.${here}`;
}

const vectorsOf = (streams: readonly StreamInfo[]): VectorHead[] =>
  streams.flatMap((info) =>
    valueColumns(info).map(({ name, label, unit, states }) => ({
      module: moduleOf(info),
      name,
      title: label,
      unit: UNITS[unit] ?? unit,
      states: states ?? [],
    })),
  );

function* lines(source: RunExport, page: Page): Generator<string, void, undefined> {
  const vectors = vectorsOf(source.streams);
  const about = Object.fromEntries(
    identityOf(source, page).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
  yield vectorsHead(
    `paceline-${source.run}`,
    { network: 'Paceline', configname: `Paceline run ${source.run}`, ...about },
    vectors,
  );
  let event = 0;
  for (const { rows, time, columns } of seriesBatches(source)) {
    for (let row = 0; row < rows; row++) {
      event++;
      for (const [id, column] of columns.entries()) {
        const value = column[row] ?? Number.NaN;
        if (!Number.isNaN(value)) yield vectorLine(id, event, time[row] ?? 0, shortFloat(value));
      }
    }
    yield '';
  }
}

/** In pieces, between which others have a turn. */
export const exportOmnetpp = (source: RunExport, page: Page = null): Chunks => encodeText(lines(source, page));
