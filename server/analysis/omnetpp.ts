// Output vectors of OMNeT++ (`.vec`, versions 2 and 3 of its result files): throughput, round-trip times and windows by module, as INET and
// others record them. Read, and written by the same rules.
import { endOf, periodOf, Points, stateRows } from '#analysis/imported-events';
import { checkBounds, durationOf, importedOf, ImportRefused, labelText, seriesOf } from '#analysis/imported-series';
import {
  MOST_IMPORTED_S,
  MOST_IMPORTED_VALUES,
  type Imported,
  type ImportedFlow,
  type ImportedQuantity,
  type ImportedSeries,
} from '#protocol/imported';
import { plainLine } from '#protocol/text';

const VERSION = /^version [23]\s*$/;
/** More characters no line of a result file has, but for parameters of a run. */
const MOST_LINE = 64 * 1024;
const MOST_VECTORS = 10_000;

export const isOmnetpp = (text: string): boolean => {
  const [first = ''] = text.slice(0, 32).split('\n');
  return VERSION.test(first.replace(/\r$/, ''));
};

/** Words between gaps; one in quotes may have gaps, and a backslash before what would end it. */
const WORD = /"((?:[^"\\]|\\.)*)"|\S+/g;
const wordsOf = (line: string): string[] =>
  [...line.matchAll(WORD)].map(([word, quoted]) => (quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1')));
/** On one line, whatever it is. */
const quoted = (text: string): string => `"${plainLine(text).replace(/["\\]/g, '\\$&')}"`;
const word = (text: string): string => (/^[\w.[\]:()-]+$/.test(text) ? text : quoted(text));

/** What one of a unit is of ours. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  throughput_mbps: { bps: 1e-6, kbps: 1e-3, Mbps: 1, Gbps: 1e3, Bps: 8e-6 },
  rtt_ms: { s: 1e3, ms: 1, us: 1e-3, ns: 1e-6 },
  cwnd_bytes: { B: 1, KiB: 1024, b: 1 / 8 },
  inflight_bytes: { B: 1, KiB: 1024, b: 1 / 8 },
};
/** Of a vector that names none: INET's TCP records bytes and seconds. */
const USUAL = { throughput_mbps: 'bps', rtt_ms: 's', cwnd_bytes: 'B', inflight_bytes: 'B' } as const;

const NAMES: readonly (readonly [RegExp, ImportedQuantity])[] = [
  [/^(throughput|goodput)(_mbps)?$/i, 'throughput_mbps'],
  [/^((latest|measured)_?)?rtt(_ms)?$/i, 'rtt_ms'],
  [/^(cwnd|congestion_?window)(_bytes)?$/i, 'cwnd_bytes'],
  [/^(bytes_?in_?flight|in_?flight)(_bytes)?$/i, 'inflight_bytes'],
];

/** `cwnd:vector`, `throughput:vector(sumPerDuration)`: the statistic's name alone. */
const quantityOf = (name: string): ImportedQuantity | null => {
  const [statistic = ''] = name.split(':');
  return NAMES.find(([known]) => known.test(statistic.trim().replaceAll(' ', '_')))?.[1] ?? null;
};

interface Vector {
  readonly module: string;
  readonly name: string;
  /** Places of time and value in its lines, behind the vector's number. */
  readonly time: number;
  readonly value: number;
  readonly quantity: ImportedQuantity | null;
  readonly points: Points;
  unit: string | null;
}

const columnsOf = (text: string, where: () => string): { time: number; value: number } => {
  const [time, value] = [text.indexOf('T'), text.indexOf('V')];
  if (!/^[ETV]{2,3}$/.test(text) || time < 0 || value < 0)
    throw new ImportRefused(`columns ${text.slice(0, 16)} are not of time and value`, where());
  return { time, value };
};

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** `nan`, `-nan`, `inf`: nothing that is known. */
const UNKNOWN = /^[+-]?(nan|inf)/i;

export class OmnetppVectors {
  readonly #vectors = new Map<string, Vector>();
  #described: Vector | null = null;
  #run: string | null = null;
  #started: string | null = null;
  #title: string | null = null;
  #values = 0;

  /** Throws ImportRefused. */
  add(line: string, where: () => string): void {
    if (line.length > MOST_LINE)
      throw new ImportRefused(`a line may have ${MOST_LINE} characters, not ${line.length}`, where());
    if (/^\d/.test(line)) this.#value(line, where);
    else this.#entry(wordsOf(line), where);
  }

  #entry([word, ...rest]: readonly string[], where: () => string): void {
    if (word === 'run') this.#begins(rest[0] ?? '', where);
    else if (word === 'vector') this.#vector(rest, where);
    else if (word === 'attr') this.#attribute(rest);
    else if (word !== undefined && !KNOWN.has(word) && !word.startsWith('#'))
      throw new ImportRefused(`a result file has no line that begins with ${word.slice(0, 32)}`, where());
  }

  #begins(run: string, where: () => string): void {
    if (this.#run !== null && this.#run !== run) throw new ImportRefused('it holds more than one run', where());
    this.#run = run;
    this.#described = null;
  }

  #vector([id = '', module = '', name = '', columns = 'TV']: readonly string[], where: () => string): void {
    if (!/^\d+$/.test(id) || name === '')
      throw new ImportRefused('a vector has a number, a module and a name', where());
    if (this.#vectors.has(id)) throw new ImportRefused(`there is a vector ${id} already`, where());
    if (this.#vectors.size >= MOST_VECTORS)
      throw new ImportRefused(`it has more than ${MOST_VECTORS} vectors`, where());
    const vector = {
      ...{ module, name, ...columnsOf(columns, where) },
      quantity: quantityOf(name),
      points: new Points(),
      unit: null,
    };
    this.#vectors.set(id, vector);
    this.#described = vector;
  }

  #attribute([name = '', value = '']: readonly string[]): void {
    if (this.#described === null) {
      if (name === 'datetime') this.#started = value;
      if (name === 'configname' || name === 'title') this.#title = value;
    } else if (name === 'unit') this.#described.unit = value;
  }

  #value(line: string, where: () => string): void {
    const [id = '', ...cells] = line.trim().split(/\s+/, 5);
    const vector = this.#vectors.get(id);
    if (vector === undefined)
      throw new ImportRefused(`there is no vector ${id.slice(0, 16)} before this line`, where());
    if (vector.quantity === null) return;
    const [time = '', value = ''] = [cells[vector.time], cells[vector.value]];
    if (!NUMBER.test(time) || !(NUMBER.test(value) || UNKNOWN.test(value)))
      throw new ImportRefused('a line of a vector has a time and a value', where());
    if (!(Number(time) >= 0 && Number(time) <= MOST_IMPORTED_S))
      throw new ImportRefused(`a time of ${time} s is not between 0 and ${MOST_IMPORTED_S}`, where());
    if (Number(time) < (vector.points.times.at(-1) ?? 0))
      throw new ImportRefused(`the time ${time} s is before the one before it`, where());
    if (++this.#values > MOST_POINTS) throw new ImportRefused(`it holds more than ${MOST_POINTS} values`, where());
    vector.points.add(Number(time), UNKNOWN.test(value) ? NaN : Number(value));
  }

  done(): Imported {
    const told = [...this.#vectors.values()].filter(({ points }) => points.times.length > 0);
    const lasts = endOf(told.map(({ points }) => points));
    const flows = new Map<string, { modules: Set<string>; series: ImportedSeries[] }>();
    for (const vector of told) {
      const key = flowOf(vector.module);
      const flow = flows.get(key) ?? { modules: new Set(), series: [] };
      if (flow.series.some(({ quantity }) => quantity === vector.quantity)) continue;
      flow.modules.add(vector.module);
      flow.series.push(seriesOfVector(vector, lasts));
      flows.set(key, flow);
      checkBounds([...flows.values()]);
    }
    const found = joined(
      [...flows].map(([key, { modules, series }]): ImportedFlow => ({
        label: labelText(modules.size === 1 ? ([...modules][0] ?? key) : key),
        cca: null,
        series,
      })),
    );
    const others = [...this.#vectors.values()].filter(({ quantity }) => quantity === null).length;
    return importedOf({
      form: 'omnetpp',
      version: null,
      title: labelText(this.#title ?? this.#run ?? '') || null,
      started_at: this.#started === null ? null : labelText(this.#started),
      duration_s: durationOf(found),
      flows: found,
      notes: [
        'Rates, round trips and windows are what the model records: bytes of which layer, its module says.',
        ...(others > 0 ? [`${others} vectors of other quantities are left out.`] : []),
      ],
    });
  }
}

/** Lines that tell nothing of a series. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['version', 'config', 'param', 'itervar', 'scalar', 'par', 'statistic', 'field', 'histogram', 'bin', 'file'],
]);
const MOST_POINTS = 4 * MOST_IMPORTED_VALUES;

/** Ours have a module for each end of a flow; of others each module is a flow. */
const flowOf = (module: string): string => module.replace(/^(Paceline)\.(?:sender|receiver)\[(\d+)\]$/, '$1.flow[$2]');

/** Where one module tells windows or round trips and one other the throughput, they are ends of the same flow. */
function joined(flows: readonly ImportedFlow[]): ImportedFlow[] {
  const [first, second, ...more] = flows;
  if (first === undefined || second === undefined || more.length > 0) return [...flows];
  const has = ({ series }: ImportedFlow): boolean => series.some(({ quantity }) => quantity === 'throughput_mbps');
  if (has(first) === has(second)) return [...flows];
  return [
    { ...first, label: labelText(`${first.label} and ${second.label}`), series: [...first.series, ...second.series] },
  ];
}

function seriesOfVector({ module, name, quantity, unit, points }: Vector, lasts: number): ImportedSeries {
  if (quantity === null) throw new RangeError('it is of another quantity');
  const factor = UNITS[quantity]?.[unit ?? USUAL[quantity]];
  const vector = `${labelText(module)} ${labelText(name)}`;
  if (factor === undefined) throw new ImportRefused(`${labelText(unit ?? '')} is no unit of ${quantity}`, vector);
  // A rate is of the interval that ends there; all else holds until it is told anew.
  if (quantity === 'throughput_mbps') {
    const rows = points.times.map((time_s, i) => ({ time_s, value: scaled(points.values[i], factor) }));
    return seriesOf(quantity, rows, (row) => `${vector}, value ${row + 1}`);
  }
  const period = periodOf(lasts);
  const rows = stateRows(points, { period, end: lasts, factor });
  return seriesOf(quantity, rows, (row) => `${vector}, ${((row + 1) * period).toFixed(2)} s`);
}

const scaled = (value: number | undefined, factor: number): number | null =>
  value === undefined || Number.isNaN(value) ? null : value * factor;

export interface VectorHead {
  readonly module: string;
  readonly name: string;
  readonly title: string;
  /** OMNeT++'s word for it; empty: there is none. */
  readonly unit: string;
  /** Non-empty: values are places in these names. */
  readonly states: readonly string[];
}

/** The lines before the values. Vectors are numbered from 0, in this order; their lines have the event, the time and the value. */
export function vectorsHead(
  run: string,
  attributes: Readonly<Record<string, string>>,
  vectors: readonly VectorHead[],
): string {
  const lines = [
    'version 2',
    `run ${word(run)}`,
    ...Object.entries(attributes).map(([name, value]) => `attr ${word(name)} ${quoted(value)}`),
    ...vectors.flatMap(({ module, name, title, unit, states }, id) => [
      `vector ${id} ${word(module)} ${quoted(name)} ETV`,
      `attr title ${quoted(title)}`,
      ...(unit === '' ? [] : [`attr unit ${quoted(unit)}`]),
      ...(states.length === 0
        ? []
        : [
            `attr enum ${quoted(states.map((state, i) => `${state.replace(/[,=]/g, ' ')}=${i}`).join(','))}`,
            'attr type enum',
          ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Sampling is an event: `event` counts them. */
export const vectorLine = (id: number, event: number, time_s: number, value: number): string =>
  `${id}\t${event}\t${time_s}\t${value}\n`;
