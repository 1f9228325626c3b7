import type { Lab } from '../lab.ts';

const TURN_MS = 250;
/** Where lines cannot be rewritten (a log file), a line now and then. */
const PLAIN_TURN_MS = 5000;

/** One line on stderr that says how far an experiment is and how long it will take. */
export class Progress {
  readonly #timer: NodeJS.Timeout;
  readonly #rewrite = process.stderr.isTTY;
  readonly #line: () => string;
  readonly #stop: readonly (() => void)[];

  constructor(lab: Lab, id: string) {
    this.#line = () => {
      const { runs_done, runs_failed, runs_total } = lab.experiments.item(id);
      const eta = lab.experiments.eta(id);
      const failed = runs_failed === 0 ? '' : `, ${runs_failed} failed`;
      const left = eta === null || runs_done + runs_failed === runs_total ? '' : `, about ${duration(eta)} left`;
      return `${runs_done} of ${runs_total} runs${failed}${left}`;
    };
    const said = new Set<string>();
    const say = (what: string): void => {
      if (said.has(what)) return;
      said.add(what);
      process.stderr.write(`${this.#rewrite ? '\r\x1b[K' : ''}${what}\n`);
    };
    this.#stop = [
      lab.feed.onAny((run, change) => {
        const setback = change === 'state' ? lab.scheduler.setbackOf(run) : null;
        if (setback !== null) say(`run ${run}: ${setback.reason}; try ${setback.tries + 1} of ${setback.most} follows`);
      }),
      lab.scheduler.hold.onChange((hold) => {
        if (hold === null) say('it goes on');
        else say(`it waits: ${hold.reason}. ${hold.hint}`);
      }),
    ];
    this.#timer = setInterval(
      () => {
        process.stderr.write(this.#rewrite ? `\r\x1b[K${this.#line()}` : `${this.#line()}\n`);
      },
      this.#rewrite ? TURN_MS : PLAIN_TURN_MS,
    );
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stop) stop();
    process.stderr.write(`${this.#rewrite ? '\r\x1b[K' : ''}${this.#line()}\n`);
  }
}

/** A few words. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
