// What a worker tells of one run, taken as if a program of this machine had said it.
import { appendFile } from 'node:fs/promises';
import type { RunOptions, RunOutcome } from '#bridge/outcome';
import { FrameDecoder } from '#bridge/frame-decoder';
import { TelemetryRules } from '#bridge/telemetry-rules';
import type { LinkChange } from '#protocol/control';
import { WorkerEnd, type ToldKind } from '#protocol/fleet';

/** One entry of what is told. */
export interface Told {
  readonly job: string;
  /** Counts from 0. */
  readonly number: number;
  readonly kind: ToldKind;
  readonly payload: Uint8Array;
}

/** Whether there is more to come; if not, what came of it. Null: it was not made. */
export type Taken =
  { readonly over: false } | { readonly over: true; readonly outcome: RunOutcome | null; readonly reason: string };

const GOES_ON: Taken = { over: false };
const NOTHING_TOLD = { stderrTail: '', summary: null, cost: null };

/** Something is missing of what was told: the run has to be made again. */
export class Gap extends Error {
  override readonly name = 'Gap';
}

export class Receipt {
  readonly #options: RunOptions;
  readonly #change: (change: LinkChange) => void;
  readonly #decoder = new FrameDecoder();
  readonly #rules = new TelemetryRules();
  #next = 0;

  constructor(options: RunOptions, change: (change: LinkChange) => void) {
    this.#options = options;
    this.#change = change;
  }

  /** Throws Gap; whatever else is wrong with it is how the run has failed. */
  async take({ number, kind, payload }: Told): Promise<Taken> {
    // Sent again after a connection broke.
    if (number < this.#next) return GOES_ON;
    if (number > this.#next) throw new Gap(`${number - this.#next} pieces of what it told are missing`);
    this.#next += 1;
    switch (kind) {
      case 'begun':
        return GOES_ON;
      case 'changeable':
        this.#options.onChangeable?.(this.#change);
        return GOES_ON;
      case 'frames':
        return this.#frames(payload);
      case 'qlog':
        await this.#qlog(payload);
        return GOES_ON;
      case 'end':
        return this.#end(payload);
    }
  }

  async #frames(bytes: Uint8Array): Promise<Taken> {
    for (const frame of this.#decoder.push(bytes))
      await this.#options.onFrame(frame.bytes, frame.header, this.#rules.check(frame));
    return GOES_ON;
  }

  /** The flow's number, then bytes of its file. */
  async #qlog(payload: Uint8Array): Promise<void> {
    const file = this.#options.qlogFile?.(payload[0] ?? 0) ?? null;
    if (file !== null) await appendFile(file, payload.subarray(1));
  }

  #end(payload: Uint8Array): Taken {
    const end = WorkerEnd.parse(JSON.parse(new TextDecoder().decode(payload)));
    if (end.kind === 'missing') return { over: true, outcome: lost(end.reason), reason: end.reason };
    if (end.kind === 'returned') return { over: true, outcome: null, reason: end.reason };
    const { worker, wall_s } = end;
    const { code, ...outcome } = end.outcome;
    const whole = outcome.outcome !== 'done' || (this.#rules.ended && this.#decoder.pendingBytes === 0);
    if (!whole) throw new Gap('its telemetry has no end');
    return {
      over: true,
      outcome: { ...outcome, ...(code !== undefined && { code }), elsewhere: { worker, wall_s } },
      reason: '',
    };
  }
}

/** Lost on the way, or with the worker: to be tried again. */
export const lost = (reason: string): RunOutcome => ({ outcome: 'failed', cause: 'lost', reason, ...NOTHING_TOLD });
/** What it told breaks the rules, and would again. */
export const broken = (reason: string): RunOutcome => ({ outcome: 'failed', cause: 'own', reason, ...NOTHING_TOLD });
export const stopped = (): RunOutcome => ({ outcome: 'cancelled', cause: null, reason: 'stopped', ...NOTHING_TOLD });
