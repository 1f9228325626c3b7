import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { FIGURE_FIELDS, GROUP_FIELDS, RUN_FIELDS, SORT_FIELDS } from '#analysis/run-fields';
import type { RunTableGroup, RunTableRow } from '#protocol/run-table';
import { checked, parseWords, UsageError } from '../config.ts';
import { AppError, DataDirUnusable } from '../errors.ts';
import { RunTables } from '../experiments/run-table.ts';
import { DATABASE } from '../lab.ts';
import { Slices } from '../slices.ts';
import { migrationFiles, type Db } from '../store/database.ts';
import { PrivateStore } from '../store/private.ts';
import { RunFacts } from '../store/run-facts.ts';
import { RunSearch } from '../store/run-search.ts';
import { SettingStore } from '../store/settings.ts';
import { decimal } from './decimal.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline runs [QUERY] [options]

Every run of every experiment of a data folder that the query finds. A server may be running; nothing is changed.
  paceline runs 'cca:bbr tag:thesis util<0.8 -state:failed' --sort=-p95

Fields (all terms must hold; several values with commas between them; field=value: exactly; -term: not; a word alone: in names)
${RUN_FIELDS.map(({ id, means, example }) => `  ${id.padEnd(11)}${example.padEnd(24)}${means}`).join('\n')}

  --sort FIELD       made, or a field; with a minus before it the greatest first (--sort=-util). Without it the newest first
  --group FIELDS     means with 95 % intervals of runs that are alike in up to four fields (--group cca,buffer)
  --limit N          rows that are printed (default 50)
  --json             everything that is known of them
  --data-dir DIR     (default ./data, or $PACELINE_DATA_DIR)
`;

const Options = z.object({
  sort: z
    .string()
    .default('-made')
    .transform((text) => ({ down: text.startsWith('-'), field: text.replace(/^-/, '') }))
    .refine(({ field }) => SORT_FIELDS.includes(field), `wants one of ${SORT_FIELDS.join(', ')}`),
  group: z
    .string()
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',')))
    .refine(
      (fields) => fields.length <= 4 && fields.every((id) => GROUP_FIELDS.includes(id)),
      `wants up to four of ${GROUP_FIELDS.join(', ')}`,
    ),
  limit: z.coerce.number().int().min(1).max(100_000).default(50),
});

const SHOWN = FIGURE_FIELDS.filter(({ usual }) => usual === true);

export async function runs(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      sort: { type: 'string' },
      group: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { sort, group, limit } = checked(Options, values, (key) => `--${key}`);
  const db = opened(values['data-dir']);
  try {
    const tables = new RunTables(
      { facts: new RunFacts(db), search: new RunSearch(db), private: new PrivateStore(db, new SettingStore(db)) },
      new Slices(),
      Infinity,
    );
    const asked = { q: positionals.join(' '), sort, group, after: 0, limit: group.length > 0 ? 0 : limit };
    const found = await tables.find(asked).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'QUERY_INVALID')
        throw new UsageError(`runs: ${error.message} (${error.details.where ?? ''})`);
      throw error;
    });
    if (values.json === true) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    else if (found.total === 0) process.stderr.write('no run is like that\n');
    else if (found.groups !== null)
      process.stdout.write(
        table([[...group, 'runs', ...SHOWN.map(({ id }) => id)], ...found.groups.map((one) => groupLine(one, group))]),
      );
    else {
      process.stdout.write(
        table([
          [
            ...SHOWN.map(({ id, unit }) => (unit === '' ? id : `${id}, ${unit}`)),
            'state',
            'limit',
            'CCA',
            'trace',
            'experiment',
            'id',
          ],
          ...found.rows.map(lineOf),
        ]),
      );
      if (found.total > found.rows.length)
        process.stderr.write(`${found.rows.length} of ${found.total}; --limit has more\n`);
    }
    return EXIT.ok;
  } finally {
    db.close();
  }
}

const text = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : decimal(value);

const lineOf = (row: RunTableRow): string[] => [
  ...SHOWN.map(({ id }) => text(row.figures[id])),
  row.state,
  row.buffer,
  row.ccas.join(' + '),
  row.trace,
  row.experiment.name,
  row.id,
];

const groupLine = ({ values, runs: count, figures }: RunTableGroup, group: readonly string[]): string[] => [
  ...group.map((id) => String(values[id])),
  String(count),
  ...SHOWN.map(({ id }) => {
    const figure = figures[id];
    if (figure === null || figure === undefined) return '–';
    return figure.low === null ? text(figure.mean) : `${text(figure.mean)} (${text(figure.low)}–${text(figure.high)})`;
  }),
];

/** Only read. What is due of the table is made in memory, so that it need not wait for a server. */
function opened(dataDir: string | undefined): Db {
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const file = join(folder, DATABASE);
  if (!existsSync(file)) throw new UsageError(`runs: there is no ${DATABASE} in ${folder}`);
  const db = new Database(file, { readonly: true, fileMustExist: true });
  if (db.pragma('user_version', { simple: true }) !== migrationFiles().length) {
    db.close();
    throw new DataDirUnusable(
      `${file} is of another version of Paceline; the server brings it up to date when it starts`,
    );
  }
  db.pragma('temp_store = MEMORY');
  // Tables of this connection alone come before those of the file.
  for (const name of ['run_facts', 'run_facts_due'])
    db.exec(
      `CREATE TEMP TABLE ${name} AS SELECT * FROM main.${name}; CREATE UNIQUE INDEX temp.${name}_key ON ${name} (run_id);`,
    );
  return db;
}
