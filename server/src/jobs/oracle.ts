// What the delayed-feedback oracle does over the link of a run: from the store where an experiment has made that very run, else made here
// and kept in memory. It is a function of its manifest, so whoever asks again gets the same.
import { join } from 'node:path';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import { ControlFrame } from '#protocol/control';
import { FRAME_KIND_SAMPLES } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import { encodeControl } from '#protocol/samples';
import { oracleManifest } from '#analysis/oracle';
import { runVirtual } from '#bridge/virtual';
import type { Engine } from '../engine.ts';
import { AppError } from '../errors.ts';
import type { ExperimentService } from '../experiments/experiment-service.ts';
import type { Helpers } from '../helpers.ts';
import { runId } from '../identity.ts';
import { SharedAnswers } from '../shared-answers.ts';
import type { Store } from '../store/store.ts';
import { framesOf } from './frames-of.ts';
import type { RunReader } from './run-reader.ts';

/** A minute of 10 ms samples is some 800 kB. */
const KEPT = 4;
const MOST_BYTES = 32 * 1024 * 1024;

/** Who is drawn: the link, the oracle and its receiver. */
const STREAMS: ReadonlySet<number> = new Set([FORWARD_LINK_STREAM, senderStream(0), receiverStream(0)]);
/** What a reader must know of the samples, and what they come to. */
const isTold = ({ type }: ControlFrame): boolean => type === 'hello' || type === 'summary' || type === 'end';

interface From {
  readonly dataDir: string;
  readonly engine: Engine;
  readonly experiments: ExperimentService;
  readonly helpers: Helpers;
  readonly reader: RunReader;
  readonly store: Store;
}

export class Oracles {
  readonly #lab: From;
  readonly #made = new SharedAnswers<Uint8Array>(KEPT);

  constructor(lab: From) {
    this.#lab = lab;
  }

  /** Telemetry frames: hello, summary and end, then the samples of `STREAMS`. */
  async of(run: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { engine, experiments, reader } = this.#lab;
    const { manifest } = experiments.run(run);
    if (manifest.engine === 'realtime' && reader.controls(run).some(({ body }) => isLinkChange(body)))
      throw refused('its link was changed while it ran, and the oracle would have another');
    const listing = await engine.listing();
    const own = oracleManifest(manifest, listing);
    if (own === null) throw refused('no flow of it passes the link whose capacity the oracle would be told');
    const stored = this.#stored(own);
    if (stored !== null) return stored;
    const now = { ...own, engine_version: listing.engine_version };
    return this.#stored(now) ?? this.#made.ask(runId(now), signal, (left) => this.#make(now, left));
  }

  #stored(manifest: RunManifest): Uint8Array | null {
    const { reader, store } = this.#lab;
    const id = runId(manifest);
    if (store.runs.state(id) !== 'done' || reader.heads(id).size === 0) return null;
    const told = reader.controls(id).map(({ body }) => ControlFrame.parse(JSON.parse(body)));
    const all = { from_s: undefined, to_s: undefined };
    const samples = [...STREAMS].flatMap((stream) => [...framesOf(reader, id, { ...all, stream })]);
    return joined(told, samples);
  }

  async #make(manifest: RunManifest, gone: AbortSignal): Promise<Uint8Array> {
    const { dataDir, helpers } = this.#lab;
    return helpers.run(gone, async (signal) => {
      const tooMuch = new AbortController();
      const told: ControlFrame[] = [];
      const samples: Uint8Array[] = [];
      let bytes = 0;
      const { outcome, reason } = await runVirtual(manifest, {
        tracesDir: join(dataDir, 'traces'),
        signal: AbortSignal.any([signal, tooMuch.signal]),
        onFrame: (frame, { kind, stream }, control) => {
          if (control !== null) told.push(control);
          if (kind !== FRAME_KIND_SAMPLES || !STREAMS.has(stream)) return;
          bytes += frame.byteLength;
          if (bytes > MOST_BYTES) tooMuch.abort();
          // The buffer is the reader's.
          else samples.push(frame.slice());
        },
      });
      signal.throwIfAborted();
      if (tooMuch.signal.aborted) throw refused('its samples are too many to be made for a look');
      if (outcome !== 'done') throw refused(reason ?? 'the engine did not make it');
      return joined(told, samples);
    });
  }
}

const isLinkChange = (body: string): boolean => body.includes('"link_change"');

const joined = (controls: readonly ControlFrame[], samples: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([...controls.filter(isTold).map((control, seq) => encodeControl(seq, control)), ...samples]);

const refused = (detail: string): AppError => new AppError('ORACLE_UNAVAILABLE', detail);
