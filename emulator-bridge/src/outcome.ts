// What every way of running a manifest is given, and what it gives back.
import type { Cost, ControlFrame, LinkChange } from '#protocol/control';
import type { FrameHeader } from '#protocol/frames';
import type { RunSummary } from '#protocol/summary';
import type { BpfObject } from './bpf.ts';
import type { ExternalProgram } from './external.ts';
import type { Cause } from './failure.ts';

export interface RunOptions {
  /** Holds `<sha256>.trace` for every trace that the manifest names. */
  readonly tracesDir: string;
  /** The text of an own algorithm by the hash of its bytes; null or absent: it is not here. */
  readonly program?: (sha256: string) => string | null;
  /** What the operator has set up; flows name one by its id. */
  readonly external?: readonly ExternalProgram[];
  /** Aborting it stops the run at once. */
  readonly signal?: AbortSignal;
  /** What can be loaded into the kernel for a run; those that its flows name are. */
  readonly bpf?: readonly BpfObject[];
  /** Called for every frame in order. While a returned promise is pending the children are paused. */
  readonly onFrame: (bytes: Uint8Array, header: FrameHeader, control: ControlFrame | null) => void | Promise<void>;
  /** False: nobody will look at the samples of a run in virtual time. All else is told as ever. */
  readonly samples?: boolean;
  /** A child that says nothing for so long is taken for hung. */
  readonly hangMs?: number;
  /** Where the qlog of a flow over QUIC goes; null or absent: none is kept. */
  readonly qlogFile?: (flow: number) => string | null;
  /** Where what external programs write goes when the run is over; absent: nowhere. `lost`: why not all of it is there. */
  readonly logs?: { readonly folder: string; readonly lost: (error: unknown) => void };
  /** Called when the run's link can be changed while it goes on, with what changes it. */
  readonly onChangeable?: (change: ChangeLink) => void;
}

/** Takes effect at once; the run's telemetry says so with a `link_change` event. */
export type ChangeLink = (change: LinkChange) => void;

export interface RunOutcome {
  readonly outcome: 'done' | 'failed' | 'cancelled';
  /** Why it is not done, in one sentence. */
  readonly reason: string | null;
  /** Of a failure: whose it is. */
  readonly cause: Cause | null;
  readonly code?: string;
  readonly stderrTail: string;
  readonly summary: RunSummary | null;
  readonly cost: Cost | null;
  /** The worker on another machine that made it, and the seconds that it took there. */
  readonly elsewhere?: { readonly worker: string; readonly wall_s: number };
}
