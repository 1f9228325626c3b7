import { wrapLiveFrame } from '#protocol/live';
import type { LiveRequest } from '#protocol/api';
import type { Lab } from '../lab.ts';
import type { Standing } from '../store/runs.ts';
import { StreamCursor } from './cursor.ts';
import type { Outlet } from './outlet.ts';
import { Pacer } from './pacer.ts';

/** At most 30 turns a second; a turn sends one frame per stream unless there is history to catch up with. */
const TURN_MS = 1000 / 30;
const STATE_EVERY_MS = 500;
/** Rows of one frame: some 200 kB of a sender's columns. */
const FRAME_ROWS = 4096;
const CONTROLS_AT_ONCE = 256;

type Subscribe = Extract<LiveRequest, { type: 'subscribe' }>;

/**
 * One viewer of one run. It knows how far the viewer has come and sends what is new, from the store or from the running recording alike;
 * the run knows nothing of its viewers. While the connection is full nothing is sent and nothing is kept: it goes on where it was.
 */
export class Subscription {
  readonly #request: Subscribe;
  readonly #lab: Lab;
  readonly #outlet: Outlet;
  readonly #pacer: Pacer;
  readonly #stopListening: () => void;
  #cursors = new Map<number, StreamCursor>();
  #nextControl: number;
  #standing: Standing;
  #standingIsNew = true;
  #stateChanged = false;
  #standingSent = Number.NEGATIVE_INFINITY;
  #complete = false;
  #behind = false;
  #waitingSince: number | null = null;

  constructor(request: Subscribe, standing: Standing, lab: Lab, outlet: Outlet, failed: (error: unknown) => void) {
    this.#request = request;
    this.#standing = standing;
    this.#lab = lab;
    this.#outlet = outlet;
    this.#nextControl = request.from_control;
    this.#pacer = new Pacer(TURN_MS, () => outlet.together(() => this.#turn()), failed);
    for (const [stream, row] of Object.entries(request.from)) this.#cursors.set(Number(stream), new StreamCursor(row));
    this.#stopListening = lab.feed.on(request.run, (_, change) => {
      if (change === 'state') this.#stateChanged = true;
      this.#waitingSince ??= performance.now();
      this.#pacer.poke();
    });
    this.#pacer.poke();
  }

  close(): void {
    this.#stopListening();
    this.#pacer.stop();
  }

  /** The connection has room again. */
  resume(): void {
    if (this.#behind) this.#pacer.poke();
  }

  /** Only in a turn: a store that cannot be read is this viewer's trouble, not that of the run that told of its change. */
  #look(): void {
    this.#stateChanged = false;
    const standing = this.#lab.store.runs.standing(this.#request.run);
    if (standing === null) return;
    if (standing.started_at !== this.#standing.started_at && this.#standing.started_at !== null) {
      // It runs again: everything that was sent is void, and all streams begin anew.
      this.#cursors = new Map();
      this.#nextControl = 0;
    }
    this.#standing = standing;
    this.#standingIsNew = true;
    this.#complete = false;
  }

  #turn(): void {
    if (this.#stateChanged) this.#look();
    if (this.#complete) return;
    if (this.#outlet.isFull()) {
      this.#behind = true;
      return;
    }
    this.#sendState();
    if (this.#sendControl() && this.#sendSamples()) {
      this.#behind = false;
      const { state } = this.#standing;
      if (state !== 'queued' && state !== 'running') {
        this.#complete = true;
        this.#outlet.send({ type: 'complete', subscription: this.#request.subscription });
      }
    } else {
      this.#behind = true;
    }
    if (this.#waitingSince !== null) this.#outlet.observeLag((performance.now() - this.#waitingSince) / 1000);
    this.#waitingSince = null;
  }

  #sendState(): void {
    const now = performance.now();
    const { state, reason } = this.#standing;
    if (!this.#standingIsNew && (state !== 'running' || now - this.#standingSent < STATE_EVERY_MS)) return;
    this.#standingIsNew = false;
    this.#standingSent = now;
    const { subscription, run } = this.#request;
    const { outlook, scheduler } = this.#lab;
    this.#outlet.send({
      type: 'state',
      subscription,
      state,
      reason: state === 'queued' ? outlook.waitReason(run) : reason,
      time_s: scheduler.recordingOf(run)?.time_s ?? this.#standing.time_s,
      eta_s: outlook.runSeconds(run),
    });
  }

  /** False when the connection was full before everything was sent. */
  #sendControl(): boolean {
    const { run, subscription } = this.#request;
    for (;;) {
      const frames = this.#lab.reader.controls(run, this.#nextControl, CONTROLS_AT_ONCE);
      if (frames.length === 0) return true;
      for (const { seq, body } of frames) {
        if (this.#outlet.isFull()) return false;
        // The frame is JSON already.
        this.#outlet.sendText(`{"type":"control","subscription":${subscription},"seq":${seq},"frame":${body}}`);
        this.#nextControl = seq + 1;
      }
    }
  }

  #sendSamples(): boolean {
    const { run, subscription, skip_ahead } = this.#request;
    const skip = skip_ahead && this.#behind;
    for (const [stream, head] of this.#lab.reader.heads(run)) {
      const cursor = this.#cursors.get(stream) ?? new StreamCursor(0);
      this.#cursors.set(stream, cursor);
      if (skip) cursor.skipTo(head);
      for (;;) {
        if (this.#outlet.isFull()) return false;
        const rows = cursor.take(head, FRAME_ROWS);
        if (rows === null) break;
        this.#outlet.sendBinary(wrapLiveFrame(subscription, this.#lab.reader.read(run, stream, rows.from, rows.to)));
      }
    }
    return true;
  }
}
