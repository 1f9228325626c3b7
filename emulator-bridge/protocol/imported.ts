// What another program measured, as series that lie over runs: of flent, of whatever writes qlog, of iperf3, of ns-3 and OMNeT++.
import { z } from 'zod';
import { line } from '#protocol/text';

export const ImportedForm = z.enum(['flent', 'qlog', 'iperf3', 'ns3', 'omnetpp']);
/** What it is called. */
export const IMPORTED_FORMS: Readonly<Record<z.infer<typeof ImportedForm>, string>> = {
  flent: 'flent',
  qlog: 'qlog',
  iperf3: 'iperf3',
  ns3: 'ns-3',
  omnetpp: 'OMNeT++',
};
export const ImportedId = z.string().regex(/^[0-9a-f]{16}$/, 'an imported file’s id has 16 hexadecimal digits');

/** What a series may be of, and the greatest value that anybody believes: Tbps, minutes, terabytes. */
export const IMPORTED_MOST = {
  throughput_mbps: 1e6,
  rtt_ms: 1e6,
  cwnd_bytes: 1e12,
  inflight_bytes: 1e12,
} as const;
export const ImportedQuantity = z.enum(
  Object.keys(IMPORTED_MOST) as [keyof typeof IMPORTED_MOST, ...(keyof typeof IMPORTED_MOST)[]],
);

export const MOST_IMPORTED_FLOWS = 32;
/** Values of all series of a file. */
export const MOST_IMPORTED_VALUES = 1_000_000;
/** Some months. */
export const MOST_IMPORTED_S = 1e7;

/** A row's value is of the interval that ends at its time. null: not known. */
export const ImportedSeries = z.object({
  quantity: ImportedQuantity,
  time_s: z.array(z.number().min(0).max(MOST_IMPORTED_S)),
  values: z.array(z.number().min(0).nullable()),
});

export const ImportedFlow = z.object({
  label: line(120).min(1),
  /** The sender's congestion control, by the name that the file has for it. */
  cca: line(64).nullable(),
  series: z.array(ImportedSeries).min(1),
});

export const Imported = z.object({
  form: ImportedForm,
  /** Of the program or of the format, as the file says it. */
  version: line(64).nullable(),
  title: line(200).nullable(),
  started_at: z.string().nullable(),
  duration_s: z.number().min(0).max(MOST_IMPORTED_S),
  flows: z.array(ImportedFlow).min(1).max(MOST_IMPORTED_FLOWS),
  /** What whoever reads the figures should know. */
  notes: z.array(z.string()),
});

export const ImportedRecord = z.object({
  /** Made from the file's content. */
  id: ImportedId,
  name: line(512),
  created_at: z.string(),
  imported: Imported,
});

/** Without the series. */
export const ImportedHead = z.object({
  id: ImportedId,
  name: line(512),
  created_at: z.string(),
  form: ImportedForm,
});
export const ImportedList = z.object({ files: z.array(ImportedHead) });

export type Imported = z.infer<typeof Imported>;
export type ImportedFlow = z.infer<typeof ImportedFlow>;
export type ImportedSeries = z.infer<typeof ImportedSeries>;
export type ImportedQuantity = z.infer<typeof ImportedQuantity>;
export type ImportedRecord = z.infer<typeof ImportedRecord>;
export type ImportedHead = z.infer<typeof ImportedHead>;
export type ImportedList = z.infer<typeof ImportedList>;
