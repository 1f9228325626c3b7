// The table of every run.
import type { z } from 'zod';
import { FIGURE_FIELDS, RUN_FIELD, type RunField } from '#analysis/run-fields';
import { MOST_GROUPS, groupFigures, groupOf } from '#analysis/run-groups';
import { parseRunQuery, queryProblem } from '#analysis/run-query';
import type { RunTableAsked } from '#analysis/run-rows';
import { RunRole } from '#protocol/api';
import type { RunTable, RunTableRow } from '#protocol/run-table';
import { AppError } from '../errors.ts';
import type { Slices } from '../slices.ts';
import type { Eyes } from '../store/private.ts';
import type { FoundRow } from '../store/run-search.ts';
import type { Store } from '../store/store.ts';

/** Rows that are brought up to date between two turns of others. */
const AT_ONCE = 20;
/** How long an answer waits for rows that are due: a large folder of an earlier version is read meanwhile. */
const PATIENCE_MS = 100;

type Kept = Pick<Store, 'facts' | 'search' | 'private'>;

export class RunTables {
  readonly #store: Kept;
  readonly #slices: Slices;
  readonly #patienceMs: number;
  #settling: Promise<void> | null = null;

  constructor(store: Kept, slices: Slices, patienceMs = PATIENCE_MS) {
    this.#store = store;
    this.#slices = slices;
    this.#patienceMs = patienceMs;
  }

  /** `eyes`: of who asks. */
  async find({ q, sort, group, figures, after, limit }: RunTableAsked, eyes: Eyes = 'all'): Promise<RunTable> {
    const { terms, faults } = parseRunQuery(q);
    const problem = queryProblem(faults);
    if (problem !== null) {
      const { detail, where, faults } = problem;
      throw new AppError('QUERY_INVALID', detail, { where, faults });
    }
    await this.#upToDate();
    const { search, private: hidden } = this.#store;
    const where = search.where(terms, hidden.unseen('experiment', eyes));
    const total = search.count(where);
    const fields = group.flatMap((id) => RUN_FIELD.get(id) ?? []);
    const wanted = groupFigures(figures);
    const rows = limit === 0 ? [] : search.rows(where, sort, after, limit);
    return {
      total,
      rows: this.#described(rows, eyes),
      next: after + rows.length < total && rows.length > 0 ? after + rows.length : null,
      groups:
        fields.length === 0
          ? null
          : search.groups(where, fields, wanted, MOST_GROUPS).map((one) => groupOf(one, fields, wanted, q)),
      pending: this.#store.facts.due(),
    };
  }

  async values(field: RunField, most: number, eyes: Eyes = 'all'): Promise<string[]> {
    await this.#upToDate();
    const { search, private: hidden } = this.#store;
    return search.values(field, most, hidden.unseen('experiment', eyes));
  }

  /** As far as that is quick: what is left goes on by itself. */
  async #upToDate(): Promise<void> {
    if (this.#store.facts.due() === 0) return;
    this.#settling ??= this.#slices.run(this.#steps()).finally(() => {
      this.#settling = null;
    });
    if (this.#patienceMs === Infinity) return this.#settling;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#patienceMs)));
    await Promise.race([this.#settling, patience]).finally(() => clearTimeout(timer));
  }

  *#steps(): Generator<undefined, void, undefined> {
    while (this.#store.facts.settle(AT_ONCE) > 0) yield undefined;
  }

  #described(rows: readonly z.infer<typeof FoundRow>[], eyes: Eyes): RunTableRow[] {
    const { search, private: hidden } = this.#store;
    const unseen = hidden.unseen('experiment', eyes);
    return rows.map((row) => {
      const { run_id: id, state, trace, buffer, engine, queue, transport, version } = row;
      const { rtt0, loss_rate, duration, flows, rep, made } = row;
      // Of several experiments one that may be seen.
      const home = eyes !== 'all' && unseen.has(row.home) ? (hidden.experimentOf(id, eyes) ?? row.home) : row.home;
      const { name, tags, starred } = search.said(id, home);
      const figures = FIGURE_FIELDS.map((field) => [field.id, search.figure(row, field)] as const);
      return {
        id,
        state,
        trace,
        buffer,
        engine,
        queue,
        transport,
        version,
        rtt0,
        loss_rate,
        duration,
        flows,
        rep,
        made,
        tags,
        starred,
        experiment: { id: home, name },
        ccas: row.ccas.trim().split(' '),
        role: RunRole.parse(row.role),
        figures: Object.fromEntries(figures),
      };
    });
  }
}
