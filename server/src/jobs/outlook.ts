import type { RunSetback } from '#protocol/api';
import type { Ahead, Job } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Active, Scheduler } from './scheduler.ts';

/** Below this share of the link time the pace of a run is not known well enough to go by. */
const KNOWN_PACE = 0.1;

/** How long things will take, and what they wait for. */
export class Outlook {
  readonly #scheduler: Scheduler;
  readonly #store: Store;

  constructor(scheduler: Scheduler, store: Store) {
    this.#scheduler = scheduler;
    this.#store = store;
  }

  /** Seconds until the run that is going on should be over; null when it is not going on. */
  runSeconds(run: string): number | null {
    const active = this.#scheduler.active.get(run);
    return active === undefined ? null : this.#remaining(active);
  }

  /** Seconds until the last of the experiment's runs should be over; null when none of them waits or goes on. */
  experimentSeconds(experiment: string): number | null {
    const { active, cores, speed } = this.#scheduler;
    const ahead = this.#store.jobs.ahead(experiment);
    let coreSeconds = 0;
    let longest = ahead === null ? null : 0;
    for (const [run, entry] of active) {
      const left = this.#remaining(entry);
      coreSeconds += left * entry.job.cores;
      if (this.#store.experiments.has(experiment, run)) longest = Math.max(longest ?? 0, left);
    }
    if (longest === null) return null;
    // Nothing of it waits: it only has to see its own runs to their end.
    if (ahead === null) return longest;
    if (this.#scheduler.hold.current !== null) return null;
    coreSeconds += this.#coreSeconds(ahead);
    const own_s = Math.max(speed.seconds(ahead.most_packets ?? 0), ahead.most_realtime_s ?? 0);
    return Math.max(coreSeconds / cores, longest, own_s);
  }

  /** Seconds until everything is made; null when there is nothing to make, or nothing is started. */
  allSeconds(): number | null {
    const { active, cores, hold } = this.#scheduler;
    if (hold.current !== null) return null;
    const going = [...active.values()].map((entry) => ({ left: this.#remaining(entry), cores: entry.job.cores }));
    const coreSeconds = going.reduce((sum, { left, cores: wanted }) => sum + left * wanted, 0);
    const ahead = this.#store.jobs.all();
    if (going.length === 0 && ahead.runs + ahead.realtime_cores === 0) return null;
    return Math.max((coreSeconds + this.#coreSeconds(ahead)) / cores, ...going.map(({ left }) => left));
  }

  #coreSeconds({
    packets,
    runs,
    realtime_core_s,
    realtime_cores,
  }: Pick<Ahead, 'packets' | 'runs' | 'realtime_core_s' | 'realtime_cores'>): number {
    const { overhead_s, packets_per_s } = this.#scheduler.speed.state;
    return packets / packets_per_s + runs * overhead_s + realtime_core_s + realtime_cores * overhead_s;
  }

  /** Why a queued run does not start although it may be its turn; null when it simply waits in line. */
  waitReason(run: string): string | null {
    const { active, blocked, hold } = this.#scheduler;
    const setback = this.#scheduler.setbackOf(run);
    if (setback !== null) return nextTryOf(setback, hold.current?.reason ?? null);
    if (hold.current !== null) return `waiting: ${hold.current.reason}`;
    if (blocked?.run_id === run && blocked.realtime_s !== null)
      return `waiting for a free core: a real-time run wants ${blocked.cores} to itself`;
    const realtime = [...active.values()].some(({ job, elsewhere }) => elsewhere === null && job.realtime_s !== null);
    return realtime && blocked !== null ? 'waiting for a free core: a real-time run must not be disturbed' : null;
  }

  #estimate(job: Job): number {
    const { speed } = this.#scheduler;
    return job.realtime_s === null ? speed.seconds(job.packets) : job.realtime_s + speed.state.overhead_s;
  }

  #remaining({ job, recording, duration_s, startedAt }: Active): number {
    const elapsed = (performance.now() - startedAt) / 1000;
    const share = recording.time_s / duration_s;
    if (job.realtime_s !== null) return Math.max(0, duration_s - recording.time_s);
    if (share > KNOWN_PACE) return (elapsed * (1 - share)) / share;
    return Math.max(0, this.#estimate(job) - elapsed);
  }
}

/** "was ended by SIGKILL; try 3 of 10 in 4 s" */
function nextTryOf({ reason, tries, most, retry_in_s }: RunSetback, held: string | null): string {
  const soon = retry_in_s === null ? '' : ` in ${Math.ceil(retry_in_s)} s`;
  return `${reason}; try ${tries + 1} of ${most}${held === null ? soon : ` waits: ${held}`}`;
}
