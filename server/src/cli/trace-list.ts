import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { findTraces, FIRST_TRACE_ORDER, sortTraces, TRACE_KEYS, TRACE_ORDERS } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { checked, parseWords, UsageError } from '../config.ts';
import { DataDirUnusable } from '../errors.ts';
import { DATABASE } from '../lab.ts';
import { migrationFiles } from '../store/database.ts';
import { LabelStore } from '../store/labels.ts';
import { TraceStore } from '../store/traces.ts';
import { aboutShipped, shippedTraces } from '../traces/shipped.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline trace list [WORD ...] [options]

The traces of a data folder, or the shipped ones if there is none: those that have every WORD in a name (also one that they had before),
technology, place, description or source. A server may be running; nothing is changed.

  --sort KEY         ${TRACE_KEYS.join(', ')}; with a minus before it the other way round (--sort=-mean).
                     Without it your own come first, the newest before all others
  --search WORDS     the same as WORD ...
  --technology T     exactly this one
  --place P          exactly this one
  --json             everything that is known of them
  --data-dir DIR     (default ./data, or $PACELINE_DATA_DIR)
`;

const Options = z.object({
  sort: z.enum(TRACE_ORDERS, { error: `wants one of ${TRACE_ORDERS.join(', ')}` }).default(FIRST_TRACE_ORDER),
  technology: z.string().default(''),
  place: z.string().default(''),
});

export async function listTraces(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      sort: { type: 'string' },
      search: { type: 'string' },
      technology: { type: 'string' },
      place: { type: 'string' },
      json: { type: 'boolean' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { sort, ...exact } = checked(Options, values, (key) => `--${key}`);
  const search = [values.search ?? '', ...positionals].join(' ');
  const traces = sortTraces(findTraces(await tracesOf(values['data-dir']), { search, ...exact }), sort);
  if (values.json === true) process.stdout.write(`${JSON.stringify(traces, null, 2)}\n`);
  else if (traces.length === 0) process.stderr.write('no trace is like that\n');
  else process.stdout.write(table([HEAD, ...traces.map(lineOf)]));
  return EXIT.ok;
}

const HEAD = ['mean, Mbps', 'length, s', 'added', 'technology', 'place', 'name'];
const lineOf = ({ name, info, origin, created_at, technology, place }: TraceRecord): string[] => [
  String(Number(info.mean_mbps.toPrecision(4))),
  String(info.period_ms / 1000),
  origin === 'library' ? 'shipped' : created_at.slice(0, 10),
  technology,
  place,
  name,
];

/** Only read: a server that has the folder is not in the way. */
async function tracesOf(dataDir: string | undefined): Promise<TraceRecord[]> {
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const file = join(folder, DATABASE);
  if (!existsSync(file)) {
    if (dataDir !== undefined) throw new UsageError(`trace list: there is no ${DATABASE} in ${folder}`);
    return (await shippedTraces()).map((shipped) => ({
      ...aboutShipped(shipped),
      id: shipped.info.sha256,
      created_at: new Date(0).toISOString(),
      info: shipped.info,
      spark: shipped.spark,
    }));
  }
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    if (db.pragma('user_version', { simple: true }) !== migrationFiles().length)
      throw new DataDirUnusable(
        `${file} is of another version of Paceline; the server brings it up to date when it starts`,
      );
    return new TraceStore(db, new LabelStore(db)).list();
  } finally {
    db.close();
  }
}
