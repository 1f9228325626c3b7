import { tracesOfManifest, tracesOfSpec } from '#analysis/trace-owners';
import { ExperimentRecord, RunPage, RunRecord, TraceList, type RunRef, type RunState } from '#protocol/api';
import { ImportedId } from '#protocol/imported';
import { SampledPage, type CellSampled } from '#protocol/sampled';
import { sharedPage, type ShareAnswers, type SharedPage } from '#protocol/share';

/** An answer of the API to a GET of a path below /api/v1. */
export type Ask = (path: string, signal: AbortSignal) => Promise<unknown>;

/** What a page has read, by path without query. */
export interface Frozen {
  readonly answers: Record<string, unknown>;
  /** Runs whose samples it shows, or that it leads to. */
  readonly runs: readonly string[];
}

/** Of more the page holds figures only, and asks for the rest as one looks at it. */
const MOST_RUNS = 5000;
/** Runs whose samples are read for the figures over time without being asked for: they are gone through one by one. */
const MOST_RUNS_SAMPLED = 1000;
/** Runs of an experiment that its offline file may hold. */
const MOST_RUNS_ALONG = 200;
/** Of answers, before they are packed: what a page can hold. */
export const MOST_ANSWER_BYTES = 128 * 2 ** 20;
const RUNS_A_PAGE = 1000;
const CELLS_A_PAGE = 25;
const SPARKS_AT_ONCE = 64;
/** Of those that a page shows beside runs. */
const MOST_FILES = 8;
/** Of a trace that is read without the server. */
const PREVIEW_BINS = 10_000;

const isOver = (state: RunState): boolean => state !== 'queued' && state !== 'running';

/** Why a page cannot be frozen, by the code of the API. */
export class NotFrozen extends Error {
  override readonly name = 'NotFrozen';
  readonly code: 'SHARE_NOT_OVER' | 'SHARE_REFUSED' | 'MEASUREMENT_UNKNOWN';
  readonly hint: string | null;

  constructor(code: NotFrozen['code'], detail: string, hint: string | null = null) {
    super(detail);
    this.code = code;
    this.hint = hint;
  }
}

function refuseGoing(what: string): never {
  throw new NotFrozen(
    'SHARE_NOT_OVER',
    `${what} still goes on, and a share never changes`,
    'Freeze it when it is over; until then, send the link to the live view.',
  );
}

/** What answers, and how it says that there is no such thing. */
export interface Answerer {
  readonly ask: Ask;
  readonly isUnknown: (error: unknown) => boolean;
}

/** Runs that an experiment's page leads to, each once; those of one flow alone first. */
function runsAlong(runs: readonly RunRef[]): string[] {
  const along = runs.filter(({ state }) => state === 'done');
  along.sort((a, b) => Number(b.role === 'solo') - Number(a.role === 'solo'));
  return [...new Set(along.map(({ id }) => id))];
}

const Runs = ExperimentRecord.pick({ runs: true });

/** Those of a share, in the order in which it shows them. */
export function runsOfShare({ share, answers }: ShareAnswers): string[] {
  const page = sharedPage(share.address);
  const [id = ''] = page?.ids ?? [];
  if (page?.kind === 'experiment') return runsAlong(Runs.parse(answers[`/experiments/${id}`]).runs);
  return page?.kind === 'run' || page?.kind === 'overlay' ? [...page.ids] : [];
}

/** Everything that one page reads, as it stands now. */
export class PageReader {
  readonly #ask: Ask;
  readonly #isUnknown: Answerer['isUnknown'];
  readonly #signal: AbortSignal;
  readonly #answers: Record<string, unknown> = {};

  constructor({ ask, isUnknown }: Answerer, signal: AbortSignal) {
    this.#ask = ask;
    this.#isUnknown = isUnknown;
    this.#signal = signal;
  }

  async read({ kind, ids, query }: SharedPage): Promise<Frozen> {
    await this.#keep('/ccas');
    const runs: string[] = [];
    switch (kind) {
      case 'experiment':
        runs.push(...(await this.#experiment(ids[0] ?? '', query)));
        break;
      case 'run':
      case 'overlay':
        for (const id of ids) await this.#run(id, kind === 'run');
        if (kind === 'overlay') await this.#imported(query);
        runs.push(...ids);
        break;
      case 'trace':
      case 'traces':
        for (const id of ids) await this.#trace(id, true);
        await this.#traceList(ids);
        break;
    }
    return { answers: this.#answers, runs };
  }

  /** Files of other programs that are compared with runs. */
  async #imported(query: string): Promise<void> {
    const files = (new URLSearchParams(query).get('files') ?? '').split(',').filter((id) => id !== '');
    for (const id of [...new Set(files)].slice(0, MOST_FILES)) {
      if (!ImportedId.safeParse(id).success)
        throw new NotFrozen('MEASUREMENT_UNKNOWN', `there is no imported file ${id}`);
      await this.#keep(`/imported-series/${id}`);
    }
  }

  async #keep(path: string): Promise<unknown> {
    return (this.#answers[path] = await this.#ask(path, this.#signal));
  }

  async #keepIfThere(path: string): Promise<void> {
    try {
      await this.#keep(path);
    } catch (error) {
      if (!this.#isUnknown(error)) throw error;
    }
  }

  /** The page makes everything it shows of a record with all runs; what else it reads is said in web/src/api. */
  async #experiment(id: string, query: string): Promise<string[]> {
    const path = `/experiments/${id}`;
    const first = ExperimentRecord.parse(await this.#ask(path, this.#signal));
    if (!isOver(first.state)) refuseGoing(`experiment ${id}`);
    if (first.runs_total > MOST_RUNS)
      throw new NotFrozen(
        'SHARE_REFUSED',
        `an experiment of more than ${MOST_RUNS} runs is too large for a share`,
        'Its report and its bundle, under Download, hold all of it.',
      );
    const { runs_next, ...record } = first;
    const runs = [...record.runs];
    for (let next = runs_next ?? null; next !== null;) {
      const page = RunPage.parse(await this.#ask(`${path}/runs?limit=${RUNS_A_PAGE}&after=${next}`, this.#signal));
      runs.push(...page.runs);
      next = page.next;
    }
    if (runs.some(({ state }) => !isOver(state))) refuseGoing(`a run of experiment ${id}`);
    this.#answers[path] = { ...record, runs };
    await this.#keep(`${path}/answers`);
    const traces = tracesOfSpec(record.spec);
    await this.#traceList(traces);
    for (const trace of traces) await this.#trace(trace, false);
    await this.#sparks(runs);
    const over = new URLSearchParams(query).get('over') === 'yes';
    if (over || runs.length <= MOST_RUNS_SAMPLED) await this.#sampled(path);
    const along = runsAlong(runs);
    const [any] = runs;
    // Of studies a site without a server has runs in tables only.
    if (any !== undefined) await this.#keepIfThere(`/runs/${any.id}`);
    for (const id of along.slice(0, MOST_RUNS_ALONG)) await this.#keepIfThere(`/runs/${id}`);
    return along;
  }

  async #sampled(path: string): Promise<void> {
    const cells: CellSampled[] = [];
    for (let next: number | null = 0; next !== null;) {
      const asked = `${path}/sampled?of=spread,plane,rto&limit=${CELLS_A_PAGE}&after=${next}`;
      const answer = await this.#ask(asked, this.#signal).catch((error: unknown) => {
        if (!this.#isUnknown(error)) throw error;
        return null;
      });
      if (answer === null) return;
      const page: SampledPage = SampledPage.parse(answer);
      cells.push(...page.cells);
      next = page.next;
    }
    this.#answers[`${path}/sampled`] = { cells, next: null };
  }

  /** One run of each cell at a glance: the page shows the last repetition of one flow alone, if there is one. */
  async #sparks(runs: readonly RunRef[]): Promise<void> {
    const shown = new Map<string, RunRef>();
    for (const run of runs) {
      const known = shown.get(run.cell);
      const better = known === undefined || run.role === 'solo' || known.role !== 'solo';
      if (run.time_s > 0 && better) shown.set(run.cell, run);
    }
    const ids = [...new Set([...shown.values()].map(({ id }) => id))];
    const sparks: unknown[] = [];
    for (let from = 0; from < ids.length; from += SPARKS_AT_ONCE) {
      const asked = `/sparks?runs=${ids.slice(from, from + SPARKS_AT_ONCE).join()}`;
      const found = (await this.#ask(asked, this.#signal)) as { sparks: unknown[] };
      sparks.push(...found.sparks);
    }
    this.#answers['/sparks'] = { sparks };
  }

  async #run(id: string, alone: boolean): Promise<void> {
    const record = RunRecord.parse(await this.#keep(`/runs/${id}`));
    if (!isOver(record.state)) refuseGoing(`run ${id}`);
    const [home] = record.experiments;
    if (home !== undefined) await this.#context(home.id, home.cell);
    const { capacity } = record.manifest.forward;
    for (const trace of tracesOfManifest(record.manifest)) await this.#trace(trace, false);
    if (!alone) return;
    if (capacity.kind === 'trace' && `/traces/${capacity.sha256}` in this.#answers)
      await this.#keep(`/traces/${capacity.sha256}/marks`);
    await this.#keep(`/runs/${id}/measurements`);
  }

  /** What a run's page says of its experiment: the limit as it was asked for, and how many repetitions there are. */
  async #context(id: string, cell: string): Promise<void> {
    const path = `/experiments/${id}`;
    const { runs_next: _, cells_next: __, ...record } = ExperimentRecord.parse(await this.#ask(path, this.#signal));
    const before = ExperimentRecord.safeParse(this.#answers[path]);
    const cells = record.cells.filter(({ key }) => key === cell);
    this.#answers[path] = { ...record, runs: [], cells: [...(before.data?.cells ?? []), ...cells] };
  }

  /** A trace that has gone since a run was made over it is not there for the live page either. */
  async #trace(id: string, whole: boolean): Promise<void> {
    const path = `/traces/${id}`;
    if (path in this.#answers) return;
    if (!whole) return this.#keepIfThere(path);
    await this.#keep(path);
    await this.#keep(`${path}/dynamics`);
    await this.#keep(`${path}/marks`);
    this.#answers[`${path}/preview`] = await this.#ask(`${path}/preview?bins=${PREVIEW_BINS}`, this.#signal);
  }

  async #traceList(ids: readonly string[]): Promise<void> {
    const { traces } = TraceList.parse(await this.#ask('/traces', this.#signal));
    this.#answers['/traces'] = { traces: traces.filter(({ id }) => ids.includes(id)) };
  }
}
