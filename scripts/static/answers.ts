// What the page of the site asks of the API, asked from within: the same checks and the same answers that a page of a server gets.
import { readFileSync } from 'node:fs';
import {
  ExperimentList,
  ExperimentRecord,
  RunPage,
  SparkList,
  TraceList,
  type Cell,
  type RunRef,
  type RunSpark,
} from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { FiguresPage, type CellFiguresRecord } from '#protocol/figures';
import { RunTable, type RunTableRow } from '#protocol/run-table';
import { SampledPage, type CellSampled } from '#protocol/sampled';
import { ShareList } from '#protocol/share';
import { SITE_ANSWERS } from '#protocol/static-site';
import { StudyList } from '#protocol/study';
import { WeightsList } from '#protocol/weights';
import { AppError } from '#server/errors';
import { framesOf } from '#server/jobs/frames-of';
import type { Lab } from '#server/lab';
import type { Shares } from '#server/shares/share-service';
import type { Filled } from './fill.ts';
import type { SiteFiles } from './site-files.ts';

const WHOLE = { stream: undefined, from_s: undefined, to_s: undefined };
const RUNS_A_PAGE = 1000;
const ROWS_A_PAGE = 500;
const CELLS_A_PAGE = 250;
const SAMPLED_A_PAGE = 25;
const SPARKS_AT_ONCE = 64;
/** Of more the page asks for no figures over time unless it is told to. */
const MOST_RUNS_SAMPLED = 1000;
const PENDING_MS = 200;

const NO_SERVER = 'It runs in real time, in a stack of a machine: this site has no server that could run it.';

/** What runs in real time only runs nowhere here, whatever the machine that made the site could do. */
export const withoutMachine = (listing: EngineListing): EngineListing => ({
  ...listing,
  ccas: listing.ccas.map(({ unavailable: _, ...cca }) =>
    cca.engines.includes('virtual') ? cca : { ...cca, unavailable: NO_SERVER },
  ),
});

/** One of each cell, which tables show at a glance: the last repetition of one flow alone, if there is one (server/analysis/page-reader.ts). */
export function shownRuns(runs: readonly RunRef[]): RunRef[] {
  const shown = new Map<string, RunRef>();
  for (const run of runs) {
    const known = shown.get(run.cell);
    if (known === undefined || run.role === 'solo' || known.role !== 'solo') shown.set(run.cell, run);
  }
  return [...shown.values()];
}

interface Source {
  readonly lab: Lab;
  readonly shares: Shares;
  readonly ask: (path: string) => Promise<unknown>;
  readonly files: SiteFiles;
  readonly filled: Filled;
}

export class AnswerWriter {
  readonly #lab: Lab;
  readonly #shares: Shares;
  readonly #ask: Source['ask'];
  readonly #files: SiteFiles;
  readonly #filled: Filled;
  /** Runs that have pages. */
  readonly #runs = new Set<string>();
  readonly #sampledRuns = new Set<string>();
  readonly #partly: string[] = [];

  constructor({ lab, shares, ask, files, filled }: Source) {
    this.#lab = lab;
    this.#shares = shares;
    this.#ask = ask;
    this.#files = files;
    this.#filled = filled;
  }

  /** Those whose samples are there. */
  get sampledRuns(): string[] {
    return [...this.#sampledRuns];
  }

  /** Paths that others of their kind are without. */
  get partly(): readonly string[] {
    return this.#partly;
  }

  /** Also those of which nothing was run: their pages say so. */
  async studies(): Promise<string[]> {
    return StudyList.parse(await this.#ask('/studies')).studies.map(({ id }) => id);
  }

  async write(): Promise<void> {
    for (const path of SITE_ANSWERS) await this.#keep(path);
    await this.#ccas();
    await this.#traces();
    for (const id of await this.studies()) await this.#keep(`/studies/${id}`);
    for (const { id } of WeightsList.parse(await this.#ask('/weights')).weights)
      this.#files.bytes(`/weights/${id}/file`, readFileSync(await this.#lab.weights.file(id)), 'answers');
    await this.#experiments();
    await this.#runTable();
    for (const { slug } of ShareList.parse(await this.#ask('/shares')).shares) await this.#share(slug);
  }

  async #keep(path: string, query = ''): Promise<void> {
    this.#files.json(path, await this.#ask(path + query));
  }

  #some(path: string): string {
    this.#partly.push(path);
    return path;
  }

  async #ccas(): Promise<void> {
    const listing = EngineListing.parse(await this.#ask('/ccas'));
    this.#files.json('/ccas', withoutMachine(listing));
    for (const { id } of listing.ccas) await this.#keep(`/ccas/${id}/notes`);
    for (const [id, sample] of this.#filled.samples) this.#files.json(this.#some(`/ccas/${id}/sample`), sample);
  }

  async #traces(): Promise<void> {
    const list = TraceList.parse(await this.#ask('/traces?archived=true'));
    this.#files.json('/traces', list);
    for (const { id } of list.traces) {
      const path = `/traces/${id}`;
      await this.#keep(path);
      await this.#keep(`${path}/dynamics`);
      await this.#keep(`${path}/marks`);
      await this.#keep(`${path}/labels`);
      await this.#recipe(`${path}/recipe`);
      this.#files.bytes(`${path}/content`, readFileSync(await this.#lab.traces.file(id)), 'answers');
    }
  }

  /** A recording has none. */
  async #recipe(path: string): Promise<void> {
    try {
      await this.#keep(path);
      this.#some(path);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TRACE_WITHOUT_RECIPE') throw error;
    }
  }

  async #experiments(): Promise<void> {
    const list = ExperimentList.parse(await this.#ask('/experiments?archived=true'));
    this.#files.json('/experiments', list);
    for (const { id } of list.experiments) await this.#experiment(id);
  }

  async #experiment(id: string): Promise<void> {
    const path = `/experiments/${id}`;
    const record = await this.#record(path);
    this.#files.json(path, record);
    await this.#keep(`${path}/answers`);
    await this.#keep(`${path}/labels`);
    const ofStudy = this.#filled.ofStudies.has(id);
    // The page makes them of the runs, all of which it has; what intervals are made from does not pack, and studies would have most of it.
    if (!ofStudy) {
      await this.#keep(`${path}/terms`);
      await this.#figures(path);
    }
    if (record.runs.length <= MOST_RUNS_SAMPLED) await this.#sampled(path);
    const hasPages = !this.#filled.withoutRuns.has(id);
    await this.#sparks(path, hasPages ? record.runs : shownRuns(record.runs));
    if (hasPages) for (const run of record.runs) await this.#run(run.id, this.#filled.sampled.has(id));
  }

  /** With all of its cells and runs. */
  async #record(path: string): Promise<ExperimentRecord> {
    const first = ExperimentRecord.parse(await this.#ask(path));
    const { runs_next, cells_next, ...record } = first;
    const runs: RunRef[] = [...record.runs];
    for (let next = runs_next ?? null; next !== null;) {
      const page = RunPage.parse(await this.#ask(`${path}/runs?limit=${RUNS_A_PAGE}&after=${next}`));
      runs.push(...page.runs);
      next = page.next;
    }
    const cells: Cell[] = [...record.cells];
    for (let next = cells_next ?? null; next !== null;) {
      const page = await this.#lab.experiments.cells(first.id, { after: next, limit: RUNS_A_PAGE });
      cells.push(...page.cells);
      next = page.next;
    }
    return { ...record, cells, runs };
  }

  async #figures(path: string): Promise<void> {
    const cells: CellFiguresRecord[] = [];
    for (let next: number | null = 0; next !== null;) {
      const page: FiguresPage = FiguresPage.parse(
        await this.#ask(`${path}/figures?limit=${CELLS_A_PAGE}&after=${next}`),
      );
      cells.push(...page.cells);
      next = page.next;
    }
    this.#files.json(`${path}/figures`, { cells, next: null });
  }

  async #sampled(path: string): Promise<void> {
    const cells: CellSampled[] = [];
    for (let next: number | null = 0; next !== null;) {
      const asked = `${path}/sampled?of=spread,plane,rto&limit=${SAMPLED_A_PAGE}&after=${next}`;
      const page: SampledPage = SampledPage.parse(await this.#ask(asked));
      cells.push(...page.cells);
      next = page.next;
    }
    this.#files.json(this.#some(`${path}/sampled`), { cells, next: null });
  }

  async #sparks(path: string, runs: readonly RunRef[]): Promise<void> {
    const sparks: RunSpark[] = [];
    const ids = [...new Set(runs.map(({ id }) => id))];
    for (let from = 0; from < ids.length; from += SPARKS_AT_ONCE) {
      const asked = `/sparks?runs=${ids.slice(from, from + SPARKS_AT_ONCE).join()}`;
      sparks.push(...SparkList.parse(await this.#ask(asked)).sparks);
    }
    this.#files.json(`${path}/sparks`, { sparks });
  }

  async #run(id: string, samples: boolean): Promise<void> {
    const path = `/runs/${id}`;
    if (!this.#runs.has(id)) {
      this.#runs.add(id);
      await this.#keep(path);
      await this.#keep(`${path}/labels`);
      await this.#keep(`${path}/measurements`);
      await this.#keep(`${path}/logs`);
    }
    if (!samples || this.#sampledRuns.has(id)) return;
    this.#sampledRuns.add(id);
    const { reader } = this.#lab;
    const controls = reader.controls(id).map(({ body }) => body);
    this.#files.json(`${path}/control`, `[${controls.join()}]`, 'samples');
    this.#files.bytes(this.#some(`${path}/samples`), Buffer.concat([...framesOf(reader, id, WHOLE)]), 'samples');
  }

  /** Of the runs that have pages. */
  async #runTable(): Promise<void> {
    const rows: RunTableRow[] = [];
    for (let next: number | null = 0; next !== null;) {
      const page: RunTable = RunTable.parse(await this.#ask(`/runs?limit=${ROWS_A_PAGE}&after=${next}`));
      if (page.pending > 0) {
        await new Promise((resolve) => setTimeout(resolve, PENDING_MS));
        rows.length = 0;
        next = 0;
        continue;
      }
      rows.push(...page.rows);
      next = page.next;
    }
    this.#files.json('/runs', { rows: rows.filter(({ id }) => this.#runs.has(id)) });
  }

  async #share(slug: string): Promise<void> {
    const path = `/shares/${slug}`;
    await this.#keep(path);
    this.#files.json(`${path}/answers`, this.#shares.answersText(slug));
    for (const run of this.#shares.runs(slug)) {
      this.#files.json(`${path}/runs/${run}/control`, this.#shares.control(slug, run), 'samples');
      this.#files.bytes(`${path}/runs/${run}/samples`, Buffer.concat([...this.#shares.samples(slug, run)]), 'samples');
    }
  }
}
