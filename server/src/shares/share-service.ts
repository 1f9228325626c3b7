import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { MOST_ANSWER_BYTES, NotFrozen, PageReader, type Ask, type Frozen } from '#analysis/page-reader';
import type { Maker } from '#protocol/access';
import { MOST_SLUG_CHARACTERS } from '#protocol/ids';
import { sharedPage, slugOf, type NewShare, type SharedPage, type ShareRecord } from '#protocol/share';
import { takeIn, type Allowance } from '../allowance.ts';
import { AppError } from '../errors.ts';
import { framesOf } from '../jobs/frames-of.ts';
import type { Lab } from '../lab.ts';
import type { KeptFrames, SharedRun } from '../store/shares.ts';
import { keptText } from './kept-answers.ts';

const packed = promisify(gzip);
const MOST_SHARES_OF_A_NAME = 10_000;
const WHOLE = { stream: undefined, from_s: undefined, to_s: undefined };

interface Freezing {
  /** The API, as whoever freezes sees it. */
  readonly ask: Ask;
  readonly signal: AbortSignal;
  readonly maker?: Maker | null;
  /** Into what room it must fit; left out: the data folder's. */
  readonly allowance?: Allowance;
}

/** Makes shares, and gives what they keep. */
export class Shares {
  readonly #lab: Lab;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  get(slug: string): ShareRecord {
    const share = this.#lab.store.shares.get(slug);
    if (share === null) throw new AppError('SHARE_UNKNOWN', `there is no share ${slug}`);
    return share;
  }

  list(): ShareRecord[] {
    return this.#lab.store.shares.list();
  }

  remove(slug: string): void {
    this.get(slug);
    this.#lab.store.shares.remove(slug);
  }

  /** Keeps what the page at this address shows now. */
  async freeze(
    { address, title, note, slug }: NewShare,
    { ask, signal, maker = null, allowance = this.#lab.quota }: Freezing,
  ): Promise<ShareRecord> {
    const { store, engine } = this.#lab;
    const page = sharedPage(address);
    if (page === null)
      throw new AppError('SHARE_REFUSED', `${address} is no view that can be frozen`, {
        where: 'address',
        hint: 'There are shares of an experiment, a run, runs compared, a trace, and traces compared.',
      });
    const { answers, runs } = await this.#read(page, ask, signal);
    const text = JSON.stringify(answers);
    if (Buffer.byteLength(text) > MOST_ANSWER_BYTES)
      throw new AppError('SHARE_REFUSED', `a share holds at most ${MOST_ANSWER_BYTES / 2 ** 20} MiB of figures`);
    const kept = await packed(text);
    // Of a run that may be made again, what it shows goes along; an experiment’s page leads to the others only.
    const shared: SharedRun[] = [];
    for (const run of runs) shared.push({ run, frames: await this.#framesToKeep(run) });
    const bytes = shared.reduce(
      (sum, { frames }) => sum + (frames === null ? 0 : frames.samples.byteLength),
      kept.byteLength,
    );
    const wanted = slug ?? (slugOf(title) === '' ? page.kind : slugOf(title));
    const record = (free: string): ShareRecord => ({
      slug: free,
      title,
      note,
      kind: page.kind,
      address: page.path + page.query,
      created_at: new Date().toISOString(),
      engine_version: engine.version ?? '',
    });
    return takeIn(allowance, bytes, () => {
      for (let n = 1; n < MOST_SHARES_OF_A_NAME; n++) {
        const made = record(n === 1 ? wanted : numbered(wanted, n));
        if (!store.shares.insert(made, kept, shared)) continue;
        store.owners.put('share', made.slug, maker);
        return made;
      }
      throw new AppError('SHARE_REFUSED', `there are too many shares called ${wanted}`, { where: 'slug' });
    });
  }

  /** JSON, the same bytes for ever. */
  answersText(slug: string): string {
    const share = this.get(slug);
    return `{"share":${JSON.stringify(share)},"answers":${keptText(this.#lab.store.shares, slug)}}`;
  }

  /** The control frames of a run of the share, as a JSON array. */
  control(slug: string, run: string): string {
    const frames = this.#framesOf(slug, run);
    return frames === null ? this.#controlNow(run) : gunzipSync(frames.control).toString();
  }

  /** Its sample frames, one after the other. */
  *samples(slug: string, run: string): Generator<Uint8Array> {
    const frames = this.#framesOf(slug, run);
    if (frames === null) yield* framesOf(this.#lab.reader, run, WHOLE);
    else yield gunzipSync(frames.samples);
  }

  /** In the order in which the share shows them. */
  runs(slug: string): string[] {
    return this.#lab.store.shares.runs(slug);
  }

  async #read(page: SharedPage, ask: Ask, signal: AbortSignal): Promise<Frozen> {
    const isUnknown = (error: unknown): boolean => error instanceof AppError && error.code === 'TRACE_UNKNOWN';
    try {
      return await new PageReader({ ask, isUnknown }, signal).read(page);
    } catch (error) {
      if (!(error instanceof NotFrozen)) throw error;
      const { code, message, hint } = error;
      throw new AppError(code, message, hint === null ? {} : { hint }, { cause: error });
    }
  }

  #framesOf(slug: string, run: string): KeptFrames | null {
    this.get(slug);
    const frames = this.#lab.store.shares.frames(slug, run);
    if (frames === undefined) throw new AppError('RUN_UNKNOWN', `the share ${slug} does not show a run ${run}`);
    return frames;
  }

  #controlNow(run: string): string {
    return `[${this.#lab.reader
      .controls(run)
      .map(({ body }) => body)
      .join()}]`;
  }

  async #framesToKeep(run: string): Promise<KeptFrames | null> {
    // Samples that are not there may be made again: then this view would have others.
    if (this.#lab.store.runs.state(run) === 'done' && this.#lab.reader.heads(run).size > 0) return null;
    const samples = Buffer.concat([...framesOf(this.#lab.reader, run, WHOLE)]);
    return { control: await packed(this.#controlNow(run)), samples: await packed(samples) };
  }
}

/** `name-2`, within what a slug may hold. */
function numbered(slug: string, n: number): string {
  const end = `-${n}`;
  return slug.slice(0, MOST_SLUG_CHARACTERS - end.length).replace(/-$/, '') + end;
}
