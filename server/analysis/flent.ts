// Data files of flent (`.flent`, `.flent.gz`): series on common times, with their units in the metadata. Read, and written by the same rules.
import { z } from 'zod';
import {
  durationOf,
  importedOf,
  ImportRefused,
  labelText,
  PACKET_BYTES,
  seriesOf,
  TCP_WIRE_FACTOR,
} from '#analysis/imported-series';
import type { Imported, ImportedFlow, ImportedQuantity, ImportedSeries } from '#protocol/imported';
import { line } from '#protocol/text';

const Series = z.array(z.number().nullable());
const FlentFile = z.object({
  /** Of the file's form; 1 to 4 differ in what is not read here. */
  version: z.number().int().min(1).max(4).optional(),
  x_values: z.array(z.number()),
  results: z.record(z.string(), Series),
  metadata: z
    .object({
      NAME: line(200).optional(),
      TITLE: line(200).nullable().optional(),
      TIME: line(64).optional(),
      VERSION: line(64).optional(),
      FLENT_VERSION: line(64).optional(),
      SERIES_META: z.record(z.string(), z.looseObject({ UNITS: z.string().optional() })).optional(),
      TCP_CONG_CONTROL: line(64).nullable().optional(),
    })
    .default({}),
});

export const isFlent = (value: object): boolean => 'x_values' in value && 'results' in value;

interface Meaning {
  readonly quantity: ImportedQuantity;
  /** Whose it is: of `TCP upload::tcp_rtt` it is `TCP upload`. */
  readonly flow: string;
  readonly factor: number;
}

/** What flent itself makes of other series. */
const COMPUTED = / (avg|sum|totals?)$/i;

/** null: of something else. */
function meaningOf(name: string, units: string | undefined): Meaning | null {
  const at = name.lastIndexOf('::');
  const [flow, detail] = at < 0 ? [name, undefined] : [name.slice(0, at), name.slice(at + 2)];
  if (detail === 'tcp_cwnd') {
    const factor = units === 'bytes' ? 1 : PACKET_BYTES;
    return { quantity: 'cwnd_bytes', flow, factor };
  }
  if (detail === 'tcp_rtt') return { quantity: 'rtt_ms', flow, factor: 1 };
  if (detail !== undefined && !/^\d+$/.test(detail)) return null;
  const unit = units ?? (/ping|rtt|\(ms\)/i.test(name) ? 'ms' : /tcp|udp|load|throughput/i.test(name) ? 'Mbits/s' : '');
  if (unit === 'Mbits/s') return { quantity: 'throughput_mbps', flow: name, factor: TCP_WIRE_FACTOR };
  return unit === 'ms' ? { quantity: 'rtt_ms', flow: name, factor: 1 } : null;
}

/** Throws ImportRefused. */
export function readFlent(value: unknown): Imported {
  const parsed = FlentFile.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ImportRefused(issue?.message ?? 'not as flent writes it', issue?.path.join('.') ?? null);
  }
  const { x_values, results, metadata } = parsed.data;
  const flows = new Map<string, ImportedSeries[]>();
  let [computed, others, packets] = [0, 0, false];
  for (const [name, values] of Object.entries(results)) {
    const units = metadata.SERIES_META?.[name]?.UNITS;
    const meaning = COMPUTED.test(name) ? null : meaningOf(name, units);
    if (COMPUTED.test(name)) computed++;
    else if (meaning === null) others++;
    if (meaning === null || values.every((one) => one === null)) continue;
    packets ||= meaning.quantity === 'cwnd_bytes' && meaning.factor !== 1;
    if (values.length > x_values.length)
      throw new ImportRefused(
        `there are ${x_values.length} times, but ${values.length} values`,
        `results[${JSON.stringify(name)}]`,
      );
    const rows = values.map((one, i) => ({
      time_s: (x_values[i] ?? 0) - Math.min(0, x_values[0] ?? 0),
      value: one === null ? null : one * meaning.factor,
    }));
    const series = seriesOf(meaning.quantity, rows, (row) => `results[${JSON.stringify(name)}][${row}]`);
    flows.set(meaning.flow, [...(flows.get(meaning.flow) ?? []), series]);
  }
  const { found, pings } = withPings(
    [...flows].map(([label, series]) => ({ label: labelText(label), cca: metadata.TCP_CONG_CONTROL ?? null, series })),
  );
  return importedOf({
    form: 'flent',
    version: metadata.FLENT_VERSION ?? metadata.VERSION ?? null,
    title: metadata.TITLE || metadata.NAME || null,
    started_at: metadata.TIME ?? null,
    duration_s: durationOf(found),
    flows: found,
    notes: notesOf({ computed, others, packets, pings, throughput: hasThroughput(found) }),
  });
}

const hasThroughput = (flows: readonly ImportedFlow[]): boolean =>
  flows.some(({ series }) => series.some(({ quantity }) => quantity === 'throughput_mbps'));

/** Pings beside a single flow are of its path: they stand for the round-trip times that it does not tell itself. */
function withPings(flows: readonly ImportedFlow[]): { found: ImportedFlow[]; pings: string | null } {
  const [first, second, ...more] = flows.toSorted(
    (a, b) => Number(b.series[0]?.quantity === 'throughput_mbps') - Number(a.series[0]?.quantity === 'throughput_mbps'),
  );
  const alone = first !== undefined && second !== undefined && more.length === 0;
  if (!alone || first.series.some(({ quantity }) => quantity === 'rtt_ms')) return { found: [...flows], pings: null };
  if (!first.series.some(({ quantity }) => quantity === 'throughput_mbps') || second.series.length !== 1)
    return { found: [...flows], pings: null };
  return second.series[0]?.quantity === 'rtt_ms'
    ? { found: [{ ...first, series: [...first.series, ...second.series] }], pings: second.label }
    : { found: [...flows], pings: null };
}

interface Told {
  readonly computed: number;
  readonly others: number;
  readonly packets: boolean;
  readonly pings: string | null;
  readonly throughput: boolean;
}

const notesOf = ({ computed, others, packets, pings, throughput }: Told): string[] => [
  ...(throughput ? ['Rates are of the wire: what flent counts is payload, × 1500 / 1448.'] : []),
  ...(packets ? [`Windows are told in packets, here of ${PACKET_BYTES} bytes each.`] : []),
  ...(pings === null ? [] : [`Round-trip times are of ${pings}, not of the flow’s own packets.`]),
  ...(computed > 0 ? [`${computed} series that flent makes of others are left out.`] : []),
  ...(others > 0 ? [`${others} series of other quantities are left out.`] : []),
];

export interface FlentFlow {
  readonly name: string;
  readonly throughput_mbps: readonly (number | null)[];
  readonly rtt_ms: readonly (number | null)[];
  readonly cwnd_bytes: readonly (number | null)[];
}

interface FlentSource {
  readonly title: string;
  readonly started_at: string;
  readonly period_s: number;
  readonly duration_s: number;
  readonly time_s: readonly number[];
  readonly flows: readonly FlentFlow[];
  /** What the run was, for those who have nothing but the file. */
  readonly about: Readonly<Record<string, string | number | null>>;
}

/** A run as flent's own test of TCP flows would have written it. */
export function writeFlent({ title, started_at, period_s, duration_s, time_s, flows, about }: FlentSource): object {
  const scaled = (values: readonly (number | null)[], factor: number) =>
    values.map((value) => (value === null ? null : value / factor));
  const series = flows.flatMap(({ name, throughput_mbps, rtt_ms, cwnd_bytes }) => [
    { name, units: 'Mbits/s', values: scaled(throughput_mbps, TCP_WIRE_FACTOR) },
    { name: `${name}::tcp_rtt`, units: 'ms', values: rtt_ms },
    { name: `${name}::tcp_cwnd`, units: 'packets', values: scaled(cwnd_bytes, PACKET_BYTES) },
  ]);
  return {
    metadata: {
      NAME: flows.length === 1 ? 'tcp_1up' : 'tcp_nup',
      TITLE: title,
      TIME: started_at,
      T0: started_at,
      HOST: 'paceline',
      LENGTH: duration_s,
      TOTAL_LENGTH: duration_s,
      STEP_SIZE: period_s,
      DATA_FILENAME: null,
      NOTE: null,
      ...about,
      SERIES_META: Object.fromEntries(series.map(({ name, units }) => [name, { UNITS: units }])),
    },
    version: 4,
    x_values: time_s,
    results: Object.fromEntries(series.map(({ name, values }) => [name, values])),
  };
}
