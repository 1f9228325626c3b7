import { randomUUID } from 'node:crypto';
import type { TraceSourceRecord } from '#protocol/api';
import type { SourceChoices, TraceReport } from '#protocol/trace';
import { inspectTrace, traceForms, TraceRefused } from '#bridge/traces';
import { AppError } from '../errors.ts';
import type { Helpers } from '../helpers.ts';
import { remembered } from '../remember.ts';

/** Mean rates of the picture. */
const BINS = 400;
const LIFETIME_MS = 3_600_000;
const MOST = 16;

interface Source {
  readonly path: string;
  readonly name: string;
  readonly remove: () => Promise<void>;
  readonly timer: NodeJS.Timeout;
}

/** Files that were uploaded and are looked at, but are no traces yet: a person may still say what they are. They are gone after an hour. */
export class TraceSources {
  readonly #sources = new Map<string, Source>();
  readonly #formats = remembered(traceForms);
  readonly #helpers: Helpers;

  constructor(helpers: Helpers) {
    this.#helpers = helpers;
  }

  async add(
    file: Pick<Source, 'path' | 'name' | 'remove'>,
    choices: SourceChoices,
    gone?: AbortSignal,
  ): Promise<TraceSourceRecord> {
    const id = randomUUID();
    const timer = setTimeout(() => void this.remove(id).catch(() => undefined), LIFETIME_MS).unref();
    this.#sources.set(id, { ...file, timer });
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > MOST && oldest !== undefined) await this.remove(oldest);
    try {
      return await this.look(id, choices, gone);
    } catch (error) {
      // Nobody has learnt of it.
      await this.remove(id);
      throw error;
    }
  }

  get(id: string): Source {
    const source = this.#sources.get(id);
    if (source === undefined)
      throw new AppError('SOURCE_UNKNOWN', `there is no uploaded file ${id}`, {
        where: id,
        hint: 'It is kept for an hour, or until it became a trace. Upload it again.',
      });
    return source;
  }

  /** What it is taken for, and what would become of it. */
  async look(id: string, choices: SourceChoices, gone?: AbortSignal): Promise<TraceSourceRecord> {
    const { path, name } = this.get(id);
    const formats = await this.#formats();
    const record = (report: TraceReport | null, problem: TraceSourceRecord['problem']): TraceSourceRecord => ({
      id,
      name,
      formats,
      info: report?.info ?? null,
      preview: report?.preview ?? null,
      problem,
    });
    try {
      const limits = this.#helpers.files;
      const look = (signal: AbortSignal): Promise<TraceReport> =>
        inspectTrace(path, { bins: BINS, choices, signal, limits });
      return record(await this.#helpers.run(gone, look), null);
    } catch (error) {
      if (error instanceof TraceRefused) return record(null, error.problem);
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    const source = this.#sources.get(id);
    this.#sources.delete(id);
    clearTimeout(source?.timer);
    await source?.remove();
  }
}
