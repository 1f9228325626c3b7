// The samples of a run that has none any more, or never had: a run in virtual time is made once more, and what comes is kept if it comes to
// the very figures that are stored.
import { join } from 'node:path';
import type { SamplesMade } from '#protocol/api';
import { ControlFrame, type Hello } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';
import { run as runNative } from '#bridge/run';
import type { OwnEngines } from '#bridge/own-engines';
import { jsonHash, summaryHash } from '../bundle/hashes.ts';
import type { Engine } from '../engine.ts';
import { AppError } from '../errors.ts';
import type { ExperimentService } from '../experiments/experiment-service.ts';
import type { Helpers } from '../helpers.ts';
import { Recording } from '../jobs/recording.ts';
import type { RunReader } from '../jobs/run-reader.ts';
import type { Quota } from '../quota.ts';
import type { Store } from '../store/store.ts';
import type { Retention } from './retention.ts';

/** Whoever asks for many hears as often as this how far it is. */
const SOME_MS = 1000;

interface Parts {
  readonly dataDir: string;
  readonly store: Store;
  readonly engine: Engine;
  readonly experiments: ExperimentService;
  readonly reader: RunReader;
  readonly helpers: Helpers;
  readonly quota: Quota;
  readonly retention: Retention;
  readonly ownEngines: OwnEngines;
  /** Texts of own algorithms, by their hash. */
  readonly program: (sha256: string) => string | null;
}

interface Made {
  readonly hello: Hello | null;
  readonly summary: RunSummary;
}

export class SamplesAgain {
  readonly #parts: Parts;
  /** Runs whose samples are being made, for others who want the same. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those of runs of an experiment, from a place on, for some seconds; where one is refused the next comes. */
  async some(experiment: string, from: number, signal: AbortSignal): Promise<SamplesMade> {
    const { samplesGone } = this.#parts.store;
    const overAt = performance.now() + SOME_MS;
    const refused: SamplesMade['refused'] = [];
    let made = 0;
    let next = samplesGone.nextOf(experiment, from);
    for (; next !== null && performance.now() < overAt; next = samplesGone.nextOf(experiment, next.position + 1)) {
      signal.throwIfAborted();
      try {
        await this.make(next.run);
        made++;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'SAMPLES_NOT_MADE') throw error;
        refused.push({ run: next.run, reason: error.message });
      }
    }
    return { made, refused, next: next?.position ?? null };
  }

  /** Resolves when its samples are there. It is made to its end, whoever leaves. */
  make(run: string): Promise<void> {
    const going = this.#going.get(run) ?? this.#make(run).finally(() => this.#going.delete(run));
    this.#going.set(run, going);
    return going;
  }

  async #make(run: string): Promise<void> {
    const { store, engine, experiments, reader, quota, retention } = this.#parts;
    const { manifest, state, summary } = experiments.run(run);
    if (manifest.engine === 'realtime')
      throw refused('it was made in real time, and only a run in virtual time can be made again exactly');
    if (state !== 'done' || summary === null) throw refused('it has not ended well');
    retention.isWanted(run);
    if (reader.heads(run).size > 0) return;
    if (retention.isLeaving(run))
      throw new AppError('TOO_BUSY', 'its samples are just being let go', {}, { retryAfterS: 1 });
    await quota.admit(0);
    const { engine_version } = await engine.listing();
    store.transaction(() => {
      store.samplesGone.begin(run, null);
      // What a disk that failed in the middle has left.
      store.samples.deleteRows(run);
    });
    try {
      const made = await this.#record(run, { ...manifest, engine_version });
      if (summaryHash(made.summary) !== summaryHash(summary) || !isTold(made.hello, this.#helloOf(run)))
        throw refused(
          `the engine ${engine_version} makes another run than ${manifest.engine_version}, which made it`,
          'Run it again with this engine: the new run has its samples.',
        );
      store.samplesGone.drop(run);
    } catch (error) {
      store.transaction(() => {
        store.samples.deleteRows(run);
        store.samplesGone.end(run);
      });
      throw error;
    }
  }

  async #record(run: string, { qlog: _, ...manifest }: RunManifest): Promise<Made> {
    const { dataDir, store, helpers, ownEngines, program } = this.#parts;
    const recording = new Recording(run, store);
    const told: { hello: Hello | null } = { hello: null };
    const { outcome, reason, summary } = await helpers.run(undefined, async (signal) => {
      const made = await runNative(manifest, {
        tracesDir: join(dataDir, 'traces'),
        ownEngines,
        program,
        signal,
        onFrame: async (bytes, header, control) => {
          if (control?.type === 'hello') told.hello = control;
          // What it told the first time is there.
          if (control === null) await recording.accept(bytes, header, null);
        },
      });
      signal.throwIfAborted();
      return made;
    });
    if (outcome !== 'done' || summary === null) throw refused(reason ?? 'the engine did not make it');
    await recording.flush();
    return { ...told, summary };
  }

  #helloOf(run: string): ControlFrame | null {
    const [first] = this.#parts.store.samples.controls(run, 0, 1);
    return first === undefined ? null : ControlFrame.parse(JSON.parse(first.body));
  }
}

/** Columns are read as the first `hello` named them. */
const isTold = (now: Hello | null, then: ControlFrame | null): boolean =>
  now !== null && then?.type === 'hello' && jsonHash(now.streams) === jsonHash(then.streams);

const refused = (detail: string, hint?: string): AppError =>
  new AppError('SAMPLES_NOT_MADE', detail, hint === undefined ? {} : { hint });
