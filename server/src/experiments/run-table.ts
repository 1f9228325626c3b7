// The table of every run.
import { z } from 'zod';
import { FIGURE_FIELDS, RUN_FIELD, type RunField } from '#analysis/run-fields';
import { METRICS } from '#analysis/metrics';
import { parseRunQuery, queryValue } from '#analysis/run-query';
import { FEWEST_FOR_INTERVAL, intervalAround } from '#analysis/statistics';
import { RunRole } from '#protocol/api';
import type { RunTable, RunTableGroup, RunTableRow } from '#protocol/run-table';
import { AppError } from '../errors.ts';
import type { Slices } from '../slices.ts';
import type { FoundRow, SearchOrder } from '../store/run-search.ts';
import type { Store } from '../store/store.ts';

/** Rows that are brought up to date between two turns of others. */
const AT_ONCE = 20;
/** How long an answer waits for rows that are due: a large folder of an earlier version is read meanwhile. */
const PATIENCE_MS = 100;
const MOST_GROUPS = 1000;

export interface RunTableAsked {
  readonly q: string;
  readonly sort: SearchOrder;
  readonly group: readonly string[];
  /** Of groups; absent: the usual ones. */
  readonly figures?: readonly string[] | undefined;
  readonly after: number;
  readonly limit: number;
}

export class RunTables {
  readonly #store: Pick<Store, 'facts' | 'search'>;
  readonly #slices: Slices;
  readonly #patienceMs: number;
  #settling: Promise<void> | null = null;

  constructor(store: Pick<Store, 'facts' | 'search'>, slices: Slices, patienceMs = PATIENCE_MS) {
    this.#store = store;
    this.#slices = slices;
    this.#patienceMs = patienceMs;
  }

  async find({ q, sort, group, figures, after, limit }: RunTableAsked): Promise<RunTable> {
    const { terms, faults } = parseRunQuery(q);
    const [first] = faults;
    if (first !== undefined)
      throw new AppError('QUERY_INVALID', first.detail, {
        where: `q, characters ${first.from + 1} to ${first.to}`,
        faults: faults.map(({ from, to, detail }) => ({ where: `${from}-${to}`, detail })),
      });
    await this.#upToDate();
    const { search } = this.#store;
    const where = search.where(terms);
    const total = search.count(where);
    const fields = group.flatMap((id) => RUN_FIELD.get(id) ?? []);
    const wanted = FIGURE_FIELDS.filter(({ id, usual }) => figures?.includes(id) ?? usual === true);
    const rows = limit === 0 ? [] : search.rows(where, sort, after, limit);
    return {
      total,
      rows: this.#described(rows),
      next: after + rows.length < total && rows.length > 0 ? after + rows.length : null,
      groups:
        fields.length === 0
          ? null
          : search.groups(where, fields, wanted, MOST_GROUPS).map((row) => groupOf(row, fields, wanted, q)),
      pending: this.#store.facts.due(),
    };
  }

  async values(field: RunField, most: number): Promise<string[]> {
    await this.#upToDate();
    return this.#store.search.values(field, most);
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

  #described(rows: readonly z.infer<typeof FoundRow>[]): RunTableRow[] {
    const { search } = this.#store;
    return rows.map((row) => {
      const { run_id: id, home, state, trace, buffer, engine, queue, transport, version } = row;
      const { rtt0, loss_rate, duration, flows, rep, made } = row;
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

/** What tells a group's runs from others, in the language of queries. */
function groupOf(found: unknown, fields: readonly RunField[], wanted: readonly RunField[], q: string): RunTableGroup {
  const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()])).parse(found);
  const values = fields.map(({ id }, i): [string, string | number] => {
    const value = row[`k${i}`] ?? '';
    return [id, typeof value === 'string' ? value.trim() : value];
  });
  const terms = values.map(([id, value]) => `${id}=${queryValue(String(value))}`);
  const figures = wanted.map(({ id, metric }) => {
    const [n, mean, squares] = [Number(row[`n_${id}`]), row[`mean_${id}`], row[`squares_${id}`]];
    if (n === 0 || typeof mean !== 'number' || typeof squares !== 'number' || metric === undefined)
      return [id, null] as const;
    if (n < FEWEST_FOR_INTERVAL) return [id, { n, mean, low: null, high: null }] as const;
    const variance = Math.max(0, squares - n * mean * mean) / (n - 1);
    const range = METRICS[metric].range({ base_rtt_ms: 0 });
    const { low, high } = intervalAround(mean, Math.sqrt(variance / n), n - 1, range);
    return [id, { n, mean, low, high }] as const;
  });
  return {
    values: Object.fromEntries(values),
    query: [q.trim(), ...terms].filter((part) => part !== '').join(' '),
    runs: Number(row['runs']),
    figures: Object.fromEntries(figures) as RunTableGroup['figures'],
  };
}
