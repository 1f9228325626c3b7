// Series of other programs, checked: finite values in the order of time, no more than anybody believes, no more than a page can hold.
import {
  IMPORTED_MOST,
  MOST_IMPORTED_FLOWS,
  MOST_IMPORTED_S,
  MOST_IMPORTED_VALUES,
  type Imported,
  type ImportedFlow,
  type ImportedQuantity,
  type ImportedSeries,
} from '#protocol/imported';
import { plainLine, shortened } from '#protocol/text';
import { mean } from '#analysis/statistics';

/** A file that cannot be used: why, and where. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  /** `results["TCP upload"][12]`, `line 3`: null, the whole file. */
  readonly where: string | null;
  constructor(message: string, where: string | null = null) {
    super(message);
    this.where = where;
  }
}

/** IP and UDP headers of a datagram, and what TCP's are to a usual segment: rates are those of the wire, as everywhere. */
export const UDP_HEADER_BYTES = 28;
export const TCP_WIRE_FACTOR = 1500 / 1448;
/** A window counted in packets. */
export const PACKET_BYTES = 1500;

const LABEL_CHARACTERS = 120;
export const labelText = (text: string): string => shortened(plainLine(text), LABEL_CHARACTERS) || 'unnamed';

/** So many significant digits are measured by nobody; more only take room. */
const DIGITS = 7;
const rounded = (value: number): number => Number(value.toPrecision(DIGITS));
const MICROSECOND = 1e6;

export interface Row {
  readonly time_s: number;
  readonly value: number | null;
}

/** `where`: of a row, for whoever has to mend the file. */
export function seriesOf(
  quantity: ImportedQuantity,
  rows: readonly Row[],
  where: (row: number) => string,
): ImportedSeries {
  const most = IMPORTED_MOST[quantity];
  const series: { time_s: number[]; values: (number | null)[] } = { time_s: [], values: [] };
  let last = -Infinity;
  for (const [i, { time_s, value }] of rows.entries()) {
    if (!(time_s >= 0 && time_s <= MOST_IMPORTED_S))
      throw new ImportRefused(`a time of ${time_s} s is not between 0 and ${MOST_IMPORTED_S}`, where(i));
    if (time_s < last) throw new ImportRefused(`the time ${time_s} s is before the one before it`, where(i));
    if (value !== null && !(value >= 0 && value <= most))
      throw new ImportRefused(`${quantity} of ${value} is not between 0 and ${most}`, where(i));
    last = time_s;
    series.time_s.push(Math.round(time_s * MICROSECOND) / MICROSECOND);
    series.values.push(value === null ? null : rounded(value));
  }
  return { quantity, ...series };
}

/** Asked also while there are only some of them, so that no more are made than can be kept. Throws ImportRefused. */
export function checkBounds(flows: readonly Pick<ImportedFlow, 'series'>[]): void {
  if (flows.length > MOST_IMPORTED_FLOWS)
    throw new ImportRefused(`it holds ${flows.length} flows; ${MOST_IMPORTED_FLOWS} are the most`);
  const values = flows.reduce(
    (total, { series }) => total + series.reduce((sum, one) => sum + one.values.length, 0),
    0,
  );
  if (values > MOST_IMPORTED_VALUES)
    throw new ImportRefused(`it holds ${values} values; ${MOST_IMPORTED_VALUES} are the most`);
}

/** The whole of it, within its bounds. */
export function importedOf(imported: Imported): Imported {
  const flows = imported.flows.filter(({ series }) => series.length > 0);
  if (flows.length === 0) throw new ImportRefused('it holds no series of throughput, round-trip times or windows');
  checkBounds(flows);
  return { ...imported, flows };
}

export const durationOf = (flows: readonly ImportedFlow[]): number =>
  Math.max(0, ...flows.flatMap(({ series }) => series.map(({ time_s }) => time_s.at(-1) ?? 0)));

/** Mean of the values that are known; null: none is. */
export function importedMean({ series }: ImportedFlow, quantity: ImportedQuantity): number | null {
  const values = (series.find((one) => one.quantity === quantity)?.values ?? []).filter((value) => value !== null);
  return mean(values);
}
