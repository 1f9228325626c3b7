// One WebSocket for the whole page. It carries any number of runs and experiments, comes back by itself, and then asks for exactly
// the rows that are still missing.
import { LiveMessage, type LiveRequest, type QueueHold, type RunState } from '#protocol/api';
import { ControlFrame } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import { unwrapLiveFrame } from '#protocol/live';
import type { SampleStore } from './sample-store';
import { openSocket, type SocketFactory } from './socket';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;

export type StateMessage = Extract<LiveMessage, { type: 'state' }>;
export type ExperimentMessage = Extract<LiveMessage, { type: 'run' | 'experiment' }>;
export type Connection = 'connecting' | 'open' | 'lost';

interface Subscription {
  readonly run: string;
  readonly store: SampleStore;
  readonly onState: (message: StateMessage) => void;
  readonly onError: (detail: string) => void;
  /** Number on the wire; a new one for each attempt, so that late frames of an old attempt are told apart. */
  wire: number;
}

const over: readonly RunState[] = ['done', 'failed', 'cancelled', 'invalid'];
export const isOver = (state: RunState): boolean => over.includes(state);

export class LiveClient {
  readonly #open: SocketFactory;
  readonly #subscriptions = new Set<Subscription>();
  readonly #watches = new Map<string, Set<(message: ExperimentMessage) => void>>();
  readonly #statusListeners = new Set<() => void>();
  #socket: WebSocket | null = null;
  #nextWire = 1;
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #connection: Connection = 'connecting';
  #hold: QueueHold | null = null;

  constructor(open: SocketFactory) {
    this.#open = open;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Why the server starts no run; null while it does. */
  get hold(): QueueHold | null {
    return this.#hold;
  }

  readonly subscribeConnection = (listener: () => void): (() => void) => {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  };

  /** Opens the socket ahead of its first use, so that a run's first sample does not wait for it. */
  connect(): void {
    if (this.#socket !== null || this.#timer !== null) return;
    const socket = this.#open();
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => this.#onOpen());
    socket.addEventListener('message', (event: MessageEvent<string | ArrayBuffer>) => this.#onMessage(event.data));
    socket.addEventListener('close', () => this.#onClose(socket));
  }

  subscribeRun(
    run: string,
    store: SampleStore,
    onState: (message: StateMessage) => void,
    onError: (detail: string) => void,
  ): () => void {
    const subscription: Subscription = { run, store, onState, onError, wire: 0 };
    this.#subscriptions.add(subscription);
    this.connect();
    if (this.#isOpen()) this.#sendSubscribe(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      if (this.#isOpen()) this.#send({ type: 'unsubscribe', subscription: subscription.wire });
    };
  }

  watchExperiment(experiment: string, listener: (message: ExperimentMessage) => void): () => void {
    const listeners = this.#watches.get(experiment) ?? new Set();
    const first = listeners.size === 0;
    listeners.add(listener);
    this.#watches.set(experiment, listeners);
    this.connect();
    if (first && this.#isOpen()) this.#send({ type: 'watch', experiment });
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#watches.get(experiment) !== listeners) return;
      this.#watches.delete(experiment);
      if (this.#isOpen()) this.#send({ type: 'unwatch', experiment });
    };
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === 1;
  }

  #send(request: LiveRequest): void {
    this.#socket?.send(JSON.stringify(request));
  }

  #sendSubscribe(subscription: Subscription): void {
    const { store } = subscription;
    subscription.wire = this.#nextWire++;
    this.#send({
      type: 'subscribe',
      subscription: subscription.wire,
      run: subscription.run,
      from: store.nextRows(),
      from_control: store.nextControl,
      skip_ahead: false,
    });
  }

  #onOpen(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#setConnection('open');
    this.#send({ type: 'watch_queue' });
    for (const experiment of this.#watches.keys()) this.#send({ type: 'watch', experiment });
    for (const subscription of this.#subscriptions) if (!subscription.store.complete) this.#sendSubscribe(subscription);
  }

  #onClose(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#setConnection('lost');
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.connect();
    }, this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
  }

  #setConnection(connection: Connection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#statusListeners) listener();
  }

  #onMessage(data: string | ArrayBuffer): void {
    if (typeof data === 'string') this.#onText(data);
    else this.#onBinary(data);
  }

  #onBinary(data: ArrayBuffer): void {
    const { subscription, frame } = unwrapLiveFrame(new Uint8Array(data));
    this.#find(subscription)?.store.addSamples(decodeSamples(frame));
  }

  #onText(text: string): void {
    const message = LiveMessage.parse(JSON.parse(text));
    switch (message.type) {
      case 'control':
        this.#find(message.subscription)?.store.addControl(message.seq, ControlFrame.parse(message.frame));
        break;
      case 'state': {
        this.#find(message.subscription)?.onState(message);
        break;
      }
      case 'complete':
        this.#onComplete(message.subscription);
        break;
      case 'run':
      case 'experiment':
        for (const listener of this.#watches.get(message.experiment) ?? []) listener(message);
        break;
      case 'queue':
        this.#hold = message.hold;
        this.#tell();
        break;
      case 'error': {
        const subscription = message.subscription === null ? undefined : this.#find(message.subscription);
        // That a page asks for an experiment that is not there it hears by itself.
        if (subscription === undefined && message.code === 'EXPERIMENT_UNKNOWN') break;
        if (subscription === undefined) console.warn(`live: ${message.code}: ${message.detail}`);
        else subscription.onError(message.detail);
        break;
      }
    }
  }

  #onComplete(wire: number): void {
    const subscription = this.#find(wire);
    if (subscription === undefined) return;
    if (subscription.store.hasGap) this.#sendSubscribe(subscription);
    else subscription.store.markComplete();
  }

  #find(wire: number): Subscription | undefined {
    for (const subscription of this.#subscriptions) if (subscription.wire === wire) return subscription;
    return undefined;
  }
}

/** The page's own connection. */
export const liveClient = new LiveClient(openSocket);
