import { z } from 'zod';

export const SpeedState = z.object({ packets_per_s: z.number().positive(), overhead_s: z.number().min(0) });
export type SpeedState = z.infer<typeof SpeedState>;

/** Before anything was measured: as all studies ran on two cores of a small server, packets being those that a link could carry. */
const FIRST_GUESS: SpeedState = { packets_per_s: 1.4e7, overhead_s: 0.012 };
/** Weight of the newest run in the moving averages. */
const NEWEST = 0.2;
/** A run that should take less than this says something about the overhead, a longer one about the engine. */
const SHORT_S = 0.1;

/** What runs cost on this machine, learned from those that were done. */
export class SpeedMeter {
  #state: SpeedState;

  constructor(remembered: SpeedState | null) {
    this.#state = remembered ?? FIRST_GUESS;
  }

  get state(): SpeedState {
    return this.#state;
  }

  /** Seconds that a virtual run of so many packets should take. */
  seconds(packets: number): number {
    return packets / this.#state.packets_per_s + this.#state.overhead_s;
  }

  learn(packets: number, wall_s: number): void {
    const { packets_per_s, overhead_s } = this.#state;
    if (packets / packets_per_s < SHORT_S) {
      const overhead = Math.max(0, wall_s - packets / packets_per_s);
      this.#state = { packets_per_s, overhead_s: overhead_s + NEWEST * (overhead - overhead_s) };
    } else {
      const spent = Math.max(wall_s - overhead_s, wall_s / 4);
      // Averaged as seconds per packet: that is what adds up over runs.
      const perPacket = 1 / packets_per_s + NEWEST * (spent / packets - 1 / packets_per_s);
      this.#state = { packets_per_s: 1 / perPacket, overhead_s };
    }
  }
}
