import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { LiveRequest, type LiveMessage } from '#protocol/api';
import { knownError } from '../http/problem.ts';
import type { Lab } from '../lab.ts';
import type { Eyes } from '../store/private.ts';
import { troubleOf } from '../store/trouble.ts';
import type { Outlet } from './outlet.ts';
import { Subscription } from './subscription.ts';
import { ExperimentWatch } from './watch.ts';

/** More than this on its way to one viewer, and it is slow: sending waits. */
const FULL_BYTES = 2 ** 20;
const MOST_AT_ONCE = 64;

interface ConnectionOptions {
  readonly lab: Lab;
  readonly log: Logger;
  /** Of who looks: what somebody may can change while they look. */
  readonly eyes: () => Eyes;
  readonly observeLag: (seconds: number) => void;
}

/** One open live connection: what its viewer looks at. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #lab: Lab;
  readonly #eyes: () => Eyes;
  readonly #log: Logger;
  readonly #outlet: Outlet;
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #watches = new Map<string, ExperimentWatch>();
  #stopWatchingQueue: (() => void) | null = null;
  #closed = false;

  constructor(socket: WebSocket, line: Duplex, { lab, log, eyes, observeLag }: ConnectionOptions) {
    this.#socket = socket;
    this.#lab = lab;
    this.#eyes = eyes;
    this.#log = log;
    const sent = (): void => {
      if (socket.bufferedAmount < FULL_BYTES / 2) this.#resume();
    };
    this.#outlet = {
      send: (message) => this.#send(message),
      sendText: (text) => socket.send(text, sent),
      sendBinary: (bytes) => socket.send(bytes, sent),
      isFull: () => socket.bufferedAmount > FULL_BYTES,
      together: (work) => {
        line.cork();
        try {
          work();
        } finally {
          line.uncork();
        }
      },
      observeLag,
    };
    socket.on('message', (data, isBinary) => {
      if (this.#closed) return;
      if (isBinary) this.#refuse(null, 'REQUEST_INVALID', 'requests are text');
      else this.#receive((data as Buffer).toString('utf8'));
    });
  }

  /** Nothing is read or sent any more. */
  close(): void {
    this.#closed = true;
    this.#stopWatchingQueue?.();
    for (const subscription of this.#subscriptions.values()) subscription.close();
    for (const watch of this.#watches.values()) watch.close();
    this.#subscriptions.clear();
    this.#watches.clear();
  }

  #resume(): void {
    for (const subscription of this.#subscriptions.values()) subscription.resume();
    for (const watch of this.#watches.values()) watch.resume();
  }

  #send(message: LiveMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  #refuse(subscription: number | null, code: string, detail: string): void {
    this.#send({ type: 'error', subscription, code, detail });
  }

  #receive(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      this.#refuse(null, 'JSON_INVALID', 'a request that is not JSON');
      return;
    }
    const request = LiveRequest.safeParse(json);
    if (!request.success) {
      const [issue] = request.error.issues;
      this.#refuse(null, 'REQUEST_INVALID', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
      return;
    }
    try {
      this.#answer(request.data);
    } catch (error) {
      this.#fail(request.data.type === 'subscribe' ? request.data.subscription : null, error);
    }
  }

  /** A store that cannot be read or written concerns this request alone, and who asked is told. */
  #fail(subscription: number | null, error: unknown): void {
    this.#log.error({ err: error }, 'a live request failed');
    const { code, message } = knownError(error);
    this.#refuse(subscription, code, message);
  }

  #answer(request: LiveRequest): void {
    switch (request.type) {
      case 'subscribe':
        this.#subscribe(request);
        return;
      case 'unsubscribe':
        this.#subscriptions.get(request.subscription)?.close();
        this.#subscriptions.delete(request.subscription);
        return;
      case 'watch':
        this.#watch(request.experiment);
        return;
      case 'unwatch':
        this.#watches.get(request.experiment)?.close();
        this.#watches.delete(request.experiment);
        return;
      case 'watch_queue':
        this.#watchQueue();
        return;
    }
  }

  #subscribe(request: Extract<LiveRequest, { type: 'subscribe' }>): void {
    const { subscription, run } = request;
    const standing = this.#lab.store.runs.standing(run);
    if (standing === null || this.#lab.store.private.isUnseen('run', run, this.#eyes())) {
      this.#refuse(subscription, 'RUN_UNKNOWN', `there is no run ${run}`);
    } else if (this.#subscriptions.size >= MOST_AT_ONCE && !this.#subscriptions.has(subscription)) {
      this.#refuse(subscription, 'REQUEST_INVALID', `at most ${MOST_AT_ONCE} subscriptions at once`);
    } else {
      this.#subscriptions.get(subscription)?.close();
      if (standing.state === 'queued') goesFirst(() => this.#lab.store.jobs.raiseRun(run));
      const failed = (error: unknown): void => {
        this.#subscriptions.get(subscription)?.close();
        this.#subscriptions.delete(subscription);
        this.#fail(subscription, error);
      };
      this.#subscriptions.set(subscription, new Subscription(request, standing, this.#lab, this.#outlet, failed));
    }
  }

  #watchQueue(): void {
    const { hold } = this.#lab.scheduler;
    this.#stopWatchingQueue ??= hold.onChange((now) => this.#send({ type: 'queue', hold: now }));
    this.#send({ type: 'queue', hold: hold.current });
  }

  #watch(experiment: string): void {
    const { experiments, private: hidden } = this.#lab.store;
    if (experiments.item(experiment) === null || hidden.isUnseen('experiment', experiment, this.#eyes())) {
      this.#refuse(null, 'EXPERIMENT_UNKNOWN', `there is no experiment ${experiment}`);
    } else if (this.#watches.size >= MOST_AT_ONCE && !this.#watches.has(experiment)) {
      this.#refuse(null, 'REQUEST_INVALID', `at most ${MOST_AT_ONCE} experiments at once`);
    } else {
      this.#watches.get(experiment)?.close();
      goesFirst(() => this.#lab.experiments.lookAt(experiment));
      const failed = (error: unknown): void => {
        this.#watches.get(experiment)?.close();
        this.#watches.delete(experiment);
        this.#fail(null, error);
      };
      this.#watches.set(experiment, new ExperimentWatch(experiment, this.#lab, this.#outlet, failed));
    }
  }
}

/** What is looked at goes first; a disk that takes nothing does not keep anybody from looking. */
function goesFirst(raise: () => void): void {
  try {
    raise();
  } catch (error) {
    if (troubleOf(error) === null) throw error;
  }
}
