import { statfs } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Lab } from '../lab.ts';
import { routeOf } from './route-of.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

/** What an operator may want to watch, in Prometheus' text form at /metrics. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #lag: Histogram;
  readonly #requests: Histogram;
  readonly viewers: Gauge;

  constructor({ scheduler, store, feed, fleet, outlook, quota, dataDir }: Lab) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'paceline_' });
    new Gauge({
      name: 'paceline_runs_active',
      help: 'Runs going on',
      registers,
      collect() {
        this.set(scheduler.active.size);
      },
    });
    new Gauge({
      name: 'paceline_runs_waiting',
      help: 'Runs in the queue',
      registers,
      collect() {
        this.set(store.jobs.count());
      },
    });
    new Gauge({
      name: 'paceline_queue_core_seconds',
      help: 'What waits and goes on: seconds that one core would take. To scale by: divided by how long it may take, these are the cores wanted',
      registers,
      collect() {
        this.set((outlook.allSeconds() ?? 0) * scheduler.cores);
      },
    });
    new Gauge({
      name: 'paceline_worker_cores',
      help: 'Cores of workers on other machines that runs may use',
      labelNames: ['state'],
      registers,
      collect() {
        const cards = fleet?.cards ?? [];
        this.set(
          { state: 'busy' },
          cards.reduce((sum, { cores_busy }) => sum + cores_busy, 0),
        );
        this.set(
          { state: 'all' },
          cards.reduce((sum, { cores }) => sum + cores, 0),
        );
      },
    });
    new Gauge({
      name: 'paceline_workers',
      help: 'Workers on other machines',
      registers,
      collect() {
        this.set(fleet?.cards.length ?? 0);
      },
    });
    const ended = new Counter({
      name: 'paceline_runs_ended_total',
      help: 'Runs that ended',
      labelNames: ['state'],
      registers,
    });
    feed.onAny((_run, _change, state) => {
      if (state !== undefined) ended.inc({ state });
    });
    new Gauge({
      name: 'paceline_data_bytes',
      help: 'What the data folder holds',
      registers,
      async collect() {
        this.set(await quota.used());
      },
    });
    new Gauge({
      name: 'paceline_disk_free_bytes',
      help: 'What its disk has left',
      registers,
      async collect() {
        const disk = await statfs(dataDir).catch(() => null);
        this.set(disk === null ? NaN : disk.bavail * disk.bsize);
      },
    });
    this.#requests = new Histogram({
      name: 'paceline_http_request_seconds',
      help: 'From a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    });
    this.viewers = new Gauge({ name: 'paceline_live_connections', help: 'Open live connections', registers });
    this.#lag = new Histogram({
      name: 'paceline_live_lag_seconds',
      help: 'From the arrival of samples to their sending, per live frame',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    });
  }

  observeLag(seconds: number): void {
    this.#lag.observe(seconds);
  }

  /** Counts what others answer, by route, `api` before those of the API, and by the class of its status. */
  timing(api: string): RequestHandler {
    return (req, res, next) => {
      const done = this.#requests.startTimer();
      res.once('finish', () => {
        const method = METHODS.has(req.method) ? req.method : 'other';
        done({ method, route: routeOf(req, api), status: `${Math.floor(res.statusCode / 100)}xx` });
      });
      next();
    };
  }

  readonly handler: RequestHandler = async (_req, res) => {
    res.type(this.#registry.contentType).send(await this.#registry.metrics());
  };
}
