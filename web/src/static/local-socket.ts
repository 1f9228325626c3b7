// What a server's live connection would bring, of the runs of this browser and of those that the site has: the same messages.
import { z } from 'zod';
import type { LiveMessage, LiveRequest } from '#protocol/api';
import { ControlFrame } from '#protocol/control';
import { FRAME_HEADER_BYTES, readFrameHeader } from '#protocol/frames';
import { wrapLiveFrame } from '#protocol/live';
import type { KeptExperiment } from './kept/database';
import { desk, type Desk } from './kept/desk';
import { itemOf, refsOf } from './kept/records';
import { recordings, type Recording } from './kept/recording';
import { framesOf } from './kept/samples';
import { runRecord } from './library-routes';
import { samplesLeftOut } from './refusals';

interface Subscription {
  readonly number: number;
  readonly run: string;
  readonly fromControl: number;
  readonly abort: AbortController;
  /** Something has changed of its run. */
  wake: () => void;
}

function* framesIn(bytes: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.byteLength;) {
    const end = at + FRAME_HEADER_BYTES + readFrameHeader(view, at).payloadBytes;
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** As much of a WebSocket as the page's live client uses. */
export class LocalSocket extends EventTarget {
  binaryType = 'arraybuffer';
  readyState = 0;
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #watched = new Set<string>();

  constructor() {
    super();
    void desk().then(
      (known) => {
        known.listen(({ kind, id }) => {
          if (kind === 'run') void this.#onRun(id);
        });
        this.readyState = 1;
        this.dispatchEvent(new Event('open'));
      },
      // Why nothing kept can be opened is the answer to whatever asks for it.
      () => undefined,
    );
  }

  send(text: string): void {
    const request = JSON.parse(text) as LiveRequest;
    switch (request.type) {
      case 'subscribe': {
        const { subscription: number, run, from_control: fromControl } = request;
        const made = { number, run, fromControl, abort: new AbortController(), wake: () => undefined };
        this.#subscriptions.set(number, made);
        void this.#serve(made);
        break;
      }
      case 'unsubscribe':
        this.#subscriptions.get(request.subscription)?.abort.abort();
        this.#subscriptions.delete(request.subscription);
        break;
      case 'watch':
        this.#watched.add(request.experiment);
        void this.#standing(request.experiment);
        break;
      case 'unwatch':
        this.#watched.delete(request.experiment);
        break;
      case 'watch_queue':
        break;
    }
  }

  #say(message: LiveMessage): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  #refuse(subscription: number, detail: string): void {
    this.#say({ type: 'error', subscription, code: 'SAMPLES_MISSING', detail });
  }

  #sendFrame(subscription: number, frame: Uint8Array): void {
    this.dispatchEvent(new MessageEvent('message', { data: wrapLiveFrame(subscription, frame).buffer }));
  }

  /** Follows a run from where it stands to its end. */
  async #serve(subscription: Subscription): Promise<void> {
    const { number, run, abort } = subscription;
    const { signal } = abort;
    try {
      for (let followed = false; ;) {
        const changed = new Promise<void>((resolve) => (subscription.wake = resolve));
        const recording = recordings.get(run);
        const state = await this.#state(number, run);
        if (state === null || signal.aborted) return;
        if (recording !== undefined) {
          await this.#follow(subscription, recording);
          followed = true;
        } else if (state === 'queued' || state === 'running') await changed;
        else {
          if (followed) this.#say({ type: 'complete', subscription: number });
          else await this.#stored(subscription);
          return;
        }
      }
    } catch (error) {
      if (!signal.aborted) this.#refuse(number, error instanceof Error ? error.message : String(error));
    }
  }

  /** What a run that goes on has sent, and all that it sends until it is over. */
  #follow({ number, fromControl, abort }: Subscription, recording: Recording): Promise<void> {
    return new Promise((resolve) => {
      const unlisten = recording.listen((told) => {
        if (told.kind === 'end') over();
        else if (told.kind === 'samples') this.#sendFrame(number, told.bytes);
        else this.#say({ type: 'control', subscription: number, seq: told.seq, frame: told.frame });
      });
      const over = (): void => {
        unlisten();
        resolve();
      };
      abort.signal.addEventListener('abort', over, { once: true });
      this.#all(number, recording.control, recording.samples, fromControl);
      if (recording.isOver) over();
    });
  }

  async #stored({ number, run, fromControl, abort }: Subscription): Promise<void> {
    const frames = await framesOf(run, abort.signal);
    if (abort.signal.aborted) return;
    if (frames === null) {
      this.#refuse(number, samplesLeftOut().detail);
      return;
    }
    this.#all(number, z.array(ControlFrame).parse(frames.control), framesIn(frames.samples), fromControl);
    this.#say({ type: 'complete', subscription: number });
  }

  #all(
    subscription: number,
    control: readonly ControlFrame[],
    samples: Iterable<Uint8Array>,
    fromControl: number,
  ): void {
    for (const [seq, frame] of control.entries())
      if (seq >= fromControl) this.#say({ type: 'control', subscription, seq, frame });
    // What the page has already it passes over.
    for (const bytes of samples) this.#sendFrame(subscription, bytes);
  }

  /** How it stands; null: there is no such run. */
  async #state(subscription: number, run: string) {
    const record = await runRecord(run);
    if (record === null) {
      this.#refuse(subscription, `There is no run ${run} on this site or in this browser.`);
      return null;
    }
    const { state, reason, time_s } = record;
    this.#say({ type: 'state', subscription, state, reason, time_s, eta_s: null });
    return state;
  }

  #tell(experiment: KeptExperiment, known: Desk, isMeant: (run: string) => boolean): void {
    const { id } = experiment;
    for (const run of refsOf(experiment, known)) if (isMeant(run.id)) this.#say({ type: 'run', experiment: id, run });
    const { state, runs_done, runs_failed, runs_total } = itemOf(experiment, known);
    this.#say({ type: 'experiment', experiment: id, state, runs_done, runs_failed, runs_total, eta_s: null });
  }

  /** What has changed between the answer that the page has and its beginning to watch is told by nobody else. */
  async #standing(id: string): Promise<void> {
    const known = await desk();
    const experiment = known.experiments.get(id);
    if (experiment !== undefined && this.#watched.has(id)) this.#tell(experiment, known, () => true);
  }

  async #onRun(id: string): Promise<void> {
    const known = await desk();
    for (const experiment of known.homesOf(id))
      if (this.#watched.has(experiment.id)) this.#tell(experiment, known, (run) => run === id);
    for (const { number, run, wake } of this.#subscriptions.values()) {
      if (run !== id) continue;
      if (recordings.has(run)) await this.#state(number, run);
      wake();
    }
  }
}
