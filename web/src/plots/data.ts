// What the pages hand to the plots. Live and finished runs look the same: a finished one no longer changes.
import type { ExperimentRecord, TraceRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { RunEvent, StreamInfo } from '#protocol/control';
import type { CellBrief } from '#analysis/results';
import type { Policy } from '#analysis/policy';
import type { Weights } from '#analysis/scores';
import type { TableRow } from '#analysis/table';
import type { TermTable } from '#analysis/terms';
import type { MeasurementRecord } from '#protocol/measurement';
import type { QueueByFlow } from '#protocol/packets';
import type { RunManifest } from '#protocol/manifest';
import type { CellSampled } from '#protocol/sampled';
import type { StudyRecord } from '#protocol/study';
import type { TraceDynamics, TraceMarks, TracePreview } from '#protocol/trace';
import type { LinkedScales } from '../charts/linked-scales';
import type { Source } from '../charts/types';
import type { TimeView } from '../charts/time-view';
import type { Visibility } from '../charts/visibility';
import type { PacketFacts } from '../packets/facts';
import type { Playhead } from '../packets/playhead';

/** One telemetry stream as growing typed arrays. Rows below `rows` never change; arrays are replaced when they are full. */
export interface StreamData {
  readonly info: StreamInfo;
  readonly rows: number;
  readonly time: Float64Array;
  /** A column by its name in protocol/columns.ts, or one of the CCA's internals. */
  column(name: string): Float32Array | undefined;
}

/** All telemetry of a run so far; the live store satisfies it. `subscribe` tells of new rows, events, streams and of the end. */
export interface RunSamples extends Source {
  readonly streams: ReadonlyMap<number, StreamData>;
  /** In order of time; grows in place. */
  readonly events: readonly RunEvent[];
  /** Link time reached, seconds. */
  readonly timeS: number;
  readonly complete: boolean;
}

/** Where a network is: with the engine, under the algorithm that it is of, or among the weights files. */
export interface PolicySource {
  readonly kind: 'trained' | 'file';
  readonly id: string;
}

export type CcaListing = ReadonlyMap<string, CcaDescriptor>;

/** One of several runs laid over one another. */
export interface Overlay {
  readonly label: string;
  readonly firstFlow: number;
  readonly link: number;
  /** It is there to be looked back at: drawn beneath the others and in a fainter tone. */
  readonly ghost?: boolean;
}

/** The delayed-feedback oracle over the link of runs that are shown, as far as those have come. */
export interface OracleCourse {
  /** Places of the runs whose link it is. */
  readonly runs: readonly number[];
  /** What the first of them is called. */
  readonly of: string;
  readonly samples: RunSamples;
}

export type OracleState =
  | { readonly state: 'asked' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'known'; readonly courses: readonly OracleCourse[] };

/** Runs that differ from one another in one value: what they leave open is drawn behind the flows. */
export interface Band {
  readonly label: string;
  readonly runs: readonly RunSamples[];
}

export interface RunPlotData {
  readonly id: string;
  readonly manifest: RunManifest;
  readonly samples: RunSamples;
  /** Of a run that is replayed everything, whatever the replay shows: what axes have room for. */
  readonly all?: RunSamples | undefined;
  readonly ccas: CcaListing;
  /** Several runs laid over one another: what each is, and the names of all flows. */
  readonly overlays?: readonly Overlay[];
  readonly flowLabels?: readonly string[];
  /** One of several runs beside one another: what it is called, and the scales that they share. */
  readonly beside?: { readonly label: string; readonly scales: LinkedScales };
  /** Mean capacity of the forward trace, Mbps, when the page knows the trace. */
  readonly meanCapacity?: number;
  /** What the model behind the forward trace tells of it, and how long a lap is; absent: not known (yet). */
  readonly traceMarks?: { readonly marks: TraceMarks['marks']; readonly period_ms: number } | undefined;
  /** Whose packets fill the queue; absent: not known (yet). */
  readonly queueByFlow?: QueueByFlow | undefined;
  /** Absent: there is none. */
  readonly band?: Band | undefined;
  /** The oracle over the same link; absent: nobody has asked for it. */
  readonly oracle?: OracleState | undefined;
  readonly view: TimeView;
  readonly visibility: Visibility;
  /** The page draws the time axis, once for all figures. */
  readonly sharedAxis?: boolean;
  /** The network of an agent; absent: it cannot be had here. */
  readonly loadPolicy?: (source: PolicySource) => Promise<Policy>;
}

/** Runs laid over one another, and which of them the others are held against. */
export interface DifferencePlotData extends RunPlotData {
  readonly overlays: readonly Overlay[];
  /** Place among `overlays`. */
  readonly reference: number;
}

/** A run with a measurement of a live connection laid over it. */
export interface LivePlotData extends RunPlotData {
  readonly record: MeasurementRecord;
  /** Where in the run the measurement begins, seconds. */
  readonly offset_s: number;
  /** Which flow of the run it is compared with. */
  readonly flow: number;
}

/** A window of a run, packet by packet. */
export interface PacketPlotData {
  readonly id: string;
  readonly manifest: RunManifest;
  readonly ccas: CcaListing;
  readonly facts: PacketFacts;
  readonly playhead: Playhead;
  readonly visibility: Visibility;
}

export interface ExperimentPlotData {
  readonly record: ExperimentRecord;
  /** Of the engine that its runs were planned for; absent: not known yet. */
  readonly engineVersion?: string | undefined;
  readonly ccas: CcaListing;
  /** What the server made of runs that are too many for the page; absent: it follows from the record's runs. */
  readonly figures?:
    | { readonly results: readonly CellBrief[]; readonly rows: readonly TableRow[]; readonly terms: TermTable }
    | undefined;
  /** What its runs' samples come to, once they have been read; absent: nobody asked. */
  readonly sampled?: readonly CellSampled[] | undefined;
  /** By content hash and by name: for the capacity insets. */
  readonly traces: ReadonlyMap<string, TraceRecord>;
  /** Weights by scenario id where they differ from the scenario's own: people drag them. */
  readonly weights?: ReadonlyMap<string, Weights>;
  readonly visibility: Visibility;
  /** Keys of selected cells, and how to change them. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (cells: readonly string[]) => void;
  /** Opens the page of a run; absent: the browser follows the link. */
  readonly onRun?: ((id: string) => void) | undefined;
  /** The scenario that is looked at, and how to change its weights; `dragging`: one more step of a drag. Absent: they stand still. */
  readonly scenario?: string | undefined;
  readonly onWeights?: ((changed: ReadonlyMap<string, Weights>, dragging: boolean) => void) | undefined;
}

/** Mean, least and greatest rate in `bins` bins of a range of a trace; the whole trace without a range. */
export type LoadPreview = (request: {
  bins: number;
  fromMs?: number;
  toMs?: number;
  signal?: AbortSignal;
}) => Promise<TracePreview>;

export interface TracePlotData {
  readonly trace: TraceRecord;
  readonly loadPreview: LoadPreview;
  /** How it moves; null: not known yet. */
  readonly dynamics: TraceDynamics | null;
  /** What the model behind it knows; null: not known yet. */
  readonly marks: TraceMarks | null;
  readonly view: TimeView;
}

/** One of several traces that are laid beside one another. */
export interface ComparedTrace {
  readonly trace: TraceRecord;
  readonly loadPreview: LoadPreview;
  readonly dynamics: TraceDynamics | null;
}

export interface ComparisonPlotData {
  readonly traces: readonly ComparedTrace[];
  readonly view: TimeView;
  /** By the traces' ids. */
  readonly visibility: Visibility;
}

/** One figure of a study. */
export interface StudyPlotData {
  readonly study: StudyRecord;
  readonly figure: StudyRecord['figures'][number];
  /** How an algorithm is called, by its id. */
  readonly nameOf: (id: string) => string;
}
