// Queries of runs in SQL, over `run_facts`. Names, tags and stars are said of a few experiments: which those are is asked first.
import { z } from 'zod';
import { RUN_FIELD, type RunField } from '#analysis/run-fields';
import type { AlikeRuns } from '#analysis/run-groups';
import type { Term } from '#analysis/run-query';
import type { SearchOrder } from '#analysis/run-rows';
import { RunState } from '#protocol/api';
import type { Db } from './database.ts';

/** Conditions and what stands for their question marks. */
interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}
const both = (parts: readonly Where[]): Where => ({
  sql: parts.length === 0 ? '1' : parts.map(({ sql }) => `(${sql})`).join(' AND '),
  values: parts.flatMap(({ values }) => values),
});
const any = (parts: readonly Where[]): Where => ({
  sql: parts.length === 0 ? '0' : parts.map(({ sql }) => `(${sql})`).join(' OR '),
  values: parts.flatMap(({ values }) => values),
});

const Names = z.array(z.object({ id: z.string(), name: z.string(), hidden: z.int(), starred: z.int() }));
const Ids = z.array(z.string());
const Figure = z.number().nullable();
const Group = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const About = z.object({ name: z.string(), starred: z.int() });

/** With `*` at its end the beginning is enough. In GLOB these characters mean something else. */
const glob = (value: string): string => value.replace(/[[*?]/g, '[$&]').replace(/\[\*\]$/, '*');

/** And the figures, which `figure` reads off it. */
export const FoundRow = z.looseObject({
  run_id: z.string(),
  made: z.string(),
  home: z.string(),
  ccas: z.string(),
  trace: z.string(),
  buffer: z.string(),
  state: RunState,
  role: z.string(),
  engine: z.string(),
  queue: z.string(),
  transport: z.string(),
  version: z.string(),
  rtt0: z.number(),
  loss_rate: z.number(),
  duration: z.number(),
  flows: z.int(),
  rep: z.int(),
});

export class RunSearch {
  readonly #db: Db;
  readonly #about;
  readonly #tags;
  readonly #row;

  constructor(db: Db) {
    this.#db = db;
    this.#about = db.prepare(
      `SELECT COALESCE(l.name, e.name) AS name, EXISTS (SELECT 1 FROM labels WHERE starred = 1
         AND ((kind = 'run' AND object_id = @run) OR (kind = 'experiment' AND object_id = @experiment))) AS starred
       FROM experiments e LEFT JOIN labels l ON l.kind = 'experiment' AND l.object_id = e.id WHERE e.id = @experiment`,
    );
    this.#tags = db
      .prepare(
        `SELECT DISTINCT tag FROM tags WHERE (kind = 'run' AND object_id = ?) OR (kind = 'experiment' AND object_id = ?) ORDER BY tag`,
      )
      .pluck();
    this.#row = db.prepare('SELECT * FROM run_facts WHERE run_id = ?');
  }

  /** Experiments as they are called, and whether they are out of sight: archived, deleted, or still being written. */
  #experiments(unseen: ReadonlySet<string>): z.infer<typeof Names> {
    const all = Names.parse(
      this.#db
        .prepare(
          `SELECT e.id, COALESCE(l.name, e.name) AS name, COALESCE(l.starred, 0) AS starred,
             (e.ready = 0 OR l.deleted_at IS NOT NULL) + 2 * (l.archived_at IS NOT NULL) AS hidden
           FROM experiments e LEFT JOIN labels l ON l.kind = 'experiment' AND l.object_id = e.id`,
        )
        .all(),
    );
    return unseen.size === 0 ? all : all.filter(({ id }) => !unseen.has(id));
  }

  /** Conditions of these terms. `unseen`: experiments that are not there for who asks. */
  where(terms: readonly Term[], unseen: ReadonlySet<string>): Where {
    const experiments = this.#experiments(unseen);
    const archived = terms.find((term) => term.kind === 'flag' && term.field.id === 'archived');
    const asked = archived?.kind === 'flag' && archived.yes !== archived.not;
    const out = experiments.filter(({ hidden }) => (hidden & 1) === 1 || (hidden > 0 && !asked)).map(({ id }) => id);
    const parts: Where[] = [];
    if (out.length > 0 || unseen.size > 0) {
      const seen = experiments.filter(({ id }) => !out.includes(id)).map(({ id }) => id);
      parts.push(this.#inExperiments(seen));
    }
    const runLabels = `SELECT object_id FROM labels WHERE kind = 'run' AND (deleted_at IS NOT NULL${asked ? '' : ' OR archived_at IS NOT NULL'})`;
    if (this.#db.prepare(`${runLabels} LIMIT 1`).get() !== undefined)
      parts.push({ sql: `f.run_id NOT IN (${runLabels})`, values: [] });
    for (const term of terms) {
      if (term.kind === 'flag' && term.field.id === 'archived') continue;
      const one = this.#term(term, experiments);
      parts.push(term.not ? { sql: `NOT (${one.sql})`, values: one.values } : one);
    }
    return both(parts);
  }

  #term(term: Term, experiments: z.infer<typeof Names>): Where {
    const named = (text: string): string[] =>
      experiments
        .filter(({ id, name }) => id === text || name.toLowerCase().includes(text.toLowerCase()))
        .map(({ id }) => id);
    switch (term.kind) {
      case 'anywhere':
        return any([
          { sql: 'instr(f.words, ?) > 0', values: [term.text.toLowerCase()] },
          this.#inExperiments(named(term.text)),
        ]);
      case 'within':
        return any(term.ranges.map((range) => withinOf(columnOf(term.field), range)));
      case 'date':
        return { sql: term.field.id === 'since' ? 'f.made >= ?' : 'f.made < ?', values: [term.day] };
      case 'flag': {
        const stars = any([
          { sql: `f.run_id IN (SELECT object_id FROM labels WHERE kind = 'run' AND starred = 1)`, values: [] },
          this.#inExperiments(experiments.filter(({ starred }) => starred === 1).map(({ id }) => id)),
        ]);
        return term.yes ? stars : { sql: `NOT (${stars.sql})`, values: stars.values };
      }
      case 'values':
        return any(term.values.map((value) => this.#value(term, value, { named, experiments })));
    }
  }

  #value(
    { field, exact }: { field: RunField; exact: boolean },
    value: string,
    { named, experiments }: { named: (text: string) => string[]; experiments: z.infer<typeof Names> },
  ): Where {
    if (field.id === 'experiment') return this.#inExperiments(named(value));
    if (field.id === 'tag') {
      const tagged = Ids.parse(
        this.#db
          .prepare(`SELECT object_id FROM tags WHERE kind = 'experiment' AND tag = ? COLLATE NOCASE`)
          .pluck()
          .all(value),
      );
      return any([
        {
          sql: `f.run_id IN (SELECT object_id FROM tags WHERE kind = 'run' AND tag = ? COLLATE NOCASE)`,
          values: [value],
        },
        this.#inExperiments(experiments.map(({ id }) => id).filter((id) => tagged.includes(id))),
      ]);
    }
    const column = columnOf(field);
    if (exact) return { sql: `trim(${column}) = ? COLLATE NOCASE`, values: [value] };
    // SQLite's lower() knows only the letters of ASCII: of the words, which begin with the trace, all are in lower case.
    if (field.id === 'trace')
      return {
        sql: `instr(substr(f.words, 1, length(f.words) - length(f.ccas) + 1), ?) > 0`,
        values: [value.toLowerCase()],
      };
    const wanted = glob(value.toLowerCase());
    return field.id === 'cca'
      ? { sql: `${column} GLOB ?`, values: [`* ${wanted}${wanted.endsWith('*') ? '' : ' *'}`] }
      : { sql: `lower(${column}) GLOB ?`, values: [wanted] };
  }

  /** Of a run that several experiments have, any of them counts. */
  #inExperiments(ids: readonly string[]): Where {
    if (ids.length === 0) return { sql: '0', values: [] };
    const list = JSON.stringify(ids);
    return {
      sql: `f.home IN (SELECT value FROM json_each(?)) OR (f.shared = 1 AND EXISTS (SELECT 1 FROM experiment_runs er
        WHERE er.run_id = f.run_id AND er.experiment_id IN (SELECT value FROM json_each(?))))`,
      values: [list, list],
    };
  }

  count({ sql, values }: Where): number {
    return z.int().parse(
      this.#db
        .prepare(`SELECT COUNT(*) FROM run_facts f WHERE ${sql}`)
        .pluck()
        .get(...values),
    );
  }

  /** Rows in their order from place `after` on; what has no value comes last. */
  rows({ sql, values }: Where, order: SearchOrder, after: number, most: number): z.infer<typeof FoundRow>[] {
    const column = order.field === 'made' ? 'f.made' : columnOf(RUN_FIELD.get(order.field));
    const way = order.down ? 'DESC' : 'ASC';
    const ids = Ids.parse(
      this.#db
        .prepare(
          `SELECT f.run_id FROM run_facts f WHERE ${sql}
           ORDER BY ${column} ${way} NULLS LAST, f.made ${way}, f.run_id ${way} LIMIT ? OFFSET ?`,
        )
        .pluck()
        .all(...values, most, after),
    );
    return ids.map((id) => FoundRow.parse(this.#row.get(id)));
  }

  /** What runs that are alike in these fields come to: per figure how many have it, its mean and the sum of its squares. */
  groups({ sql, values }: Where, by: readonly RunField[], figures: readonly RunField[], most: number): AlikeRuns[] {
    const keys = by.map(columnOf);
    const sums = figures.map(
      ({ column, id }) =>
        `COUNT(f.${column ?? ''}) AS n_${id}, AVG(f.${column ?? ''}) AS mean_${id}, SUM(f.${column ?? ''} * f.${column ?? ''}) AS squares_${id}`,
    );
    const found = this.#db
      .prepare(
        `SELECT ${keys.map((key, i) => `${key} AS k${i}`).join(', ')}, ${['COUNT(*) AS runs', ...sums].join(', ')}
         FROM run_facts f WHERE ${sql} GROUP BY ${keys.join(', ')} ORDER BY ${keys.join(', ')} LIMIT ?`,
      )
      .all(...values, most)
      .map((row) => Group.parse(row));
    const number = (value: string | number | null | undefined): number | null =>
      typeof value === 'number' ? value : null;
    return found.map((row) => ({
      keys: by.map((_, i) => row[`k${i}`] ?? ''),
      runs: Number(row['runs']),
      sums: figures.map(({ id }) => ({
        n: Number(row[`n_${id}`]),
        mean: number(row[`mean_${id}`]),
        squares: number(row[`squares_${id}`]),
      })),
    }));
  }

  /** What people say of a run and of its experiment. */
  said(run: string, experiment: string): { readonly name: string; readonly tags: string[]; readonly starred: boolean } {
    const { name, starred } = About.parse(this.#about.get({ run, experiment }));
    return { name, tags: Ids.parse(this.#tags.all(run, experiment)), starred: starred === 1 };
  }

  figure(row: object, { column }: RunField): number | null {
    return Figure.parse((row as Readonly<Record<string, unknown>>)[column ?? '']);
  }

  /** The commonest values of a field. `unseen`: experiments that are not there for who asks. */
  values(field: RunField, most: number, unseen: ReadonlySet<string>): string[] {
    const experiments = this.#experiments(unseen);
    if (field.id === 'experiment') {
      const names = experiments.filter(({ hidden }) => hidden === 0).map(({ name }) => name);
      return [...new Set(names)].reverse().slice(0, most);
    }
    const ids = experiments.map(({ id }) => id);
    const { sql, values } = unseen.size === 0 ? both([]) : this.#inExperiments(ids);
    if (field.id === 'tag') {
      const list = JSON.stringify([...unseen]);
      return Ids.parse(
        this.#db
          .prepare(
            `SELECT tag FROM tags t WHERE (kind = 'experiment' AND object_id NOT IN (SELECT value FROM json_each(?)))
               OR (kind = 'run' AND EXISTS (SELECT 1 FROM run_facts f WHERE f.run_id = t.object_id AND (${sql})))
             GROUP BY tag ORDER BY COUNT(*) DESC, tag LIMIT ?`,
          )
          .pluck()
          .all(list, ...values, most),
      );
    }
    if (field.kind !== 'word' && field.kind !== 'text') return [];
    const column = columnOf(field);
    const found = Ids.parse(
      this.#db
        .prepare(
          `SELECT ${column} FROM run_facts f WHERE ${sql} GROUP BY ${column} ORDER BY COUNT(*) DESC, ${column} LIMIT ?`,
        )
        .pluck()
        .all(...values, most),
    );
    return field.id === 'cca' ? [...new Set(found.flatMap((ids) => ids.trim().split(' ')))] : found;
  }
}

function columnOf(field: RunField | undefined): string {
  if (field?.column === undefined) throw new Error(`no column holds ${field?.id ?? 'it'}`);
  return `f.${field.column}`;
}

function withinOf(
  column: string,
  { low, high, open }: { low: number; high: number; open: 'none' | 'low' | 'high' },
): Where {
  const parts: Where[] = [{ sql: `${column} IS NOT NULL`, values: [] }];
  if (low !== -Infinity) parts.push({ sql: `${column} ${open === 'low' ? '>' : '>='} ?`, values: [low] });
  if (high !== Infinity) parts.push({ sql: `${column} ${open === 'high' ? '<' : '<='} ?`, values: [high] });
  return both(parts);
}
