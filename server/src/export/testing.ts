// Sample sources for the tests of this folder.
import {
  LINK_COLUMNS,
  RECEIVER_COLUMNS,
  SENDER_COLUMNS,
  TIME_COLUMN,
  receiverStream,
  senderStream,
} from '#protocol/columns';
import type { StreamColumn, StreamInfo } from '#protocol/control';
import { encodeSamples } from '#protocol/samples';
import type { SampleSource } from './series.ts';

const columnsOf = (columns: readonly { name: string; unit: string; label: string }[]): StreamColumn[] => [
  { name: TIME_COLUMN.name, unit: TIME_COLUMN.unit, label: TIME_COLUMN.label, type: 'f64' },
  ...columns.map(({ name, unit, label }): StreamColumn => ({ name, unit, label, type: 'f32' })),
];

/** A link and one flow whose CCA has a phase. */
export const STREAMS: readonly StreamInfo[] = [
  { stream: 0, kind: 'link', direction: 'forward', columns: columnsOf(LINK_COLUMNS) },
  {
    stream: senderStream(0),
    kind: 'sender',
    flow: 0,
    cca: 'rival',
    columns: [
      ...columnsOf(SENDER_COLUMNS),
      { name: 'phase', unit: '', label: 'phase', type: 'f32', states: ['startup', 'drain, "slow"'] },
    ],
  },
  { stream: receiverStream(0), kind: 'receiver', flow: 0, cca: 'rival', columns: columnsOf(RECEIVER_COLUMNS) },
];

/** Samples at the given times per stream; `value` says what column `c` of a stream holds in row `r`. */
export function sourceOf(
  times: ReadonlyMap<number, readonly number[]>,
  value: (stream: number, column: number, row: number) => number,
  streams: readonly StreamInfo[] = STREAMS,
): SampleSource {
  return {
    streams,
    period_ms: 10,
    heads: new Map([...times].map(([stream, rows]) => [stream, rows.length])),
    read: (stream, from, to) => {
      const info = streams.find((candidate) => candidate.stream === stream);
      const columns = Array.from({ length: (info?.columns.length ?? 1) - 1 }, (_, column) =>
        Float32Array.from({ length: to - from }, (_, i) => value(stream, column, from + i)),
      );
      return encodeSamples(stream, from, Float64Array.from((times.get(stream) ?? []).slice(from, to)), columns);
    },
  };
}

/** What a reader makes of RFC 4180 text. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, raw = '', end] = match;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

export function bytesOf(chunks: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  const parts = [...chunks];
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

export const textOf = (chunks: Iterable<Uint8Array>): string => new TextDecoder().decode(bytesOf(chunks));
