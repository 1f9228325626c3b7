import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseWords, UsageError } from '../config.ts';
import { reportOf } from '../export/report.ts';
import { openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline report EXPERIMENT [--out FILE.html] [--data-dir DIR]

Writes what came out of an experiment as one HTML file to read anywhere: answers, figures, tables, methods, sources and the numbers.
Nothing is fetched when it is opened, and nothing runs in it.

  EXPERIMENT       its id, as in the address of its page: /e/ID
  --out FILE       where it goes (default: paceline-ID.html)
  --data-dir DIR   where its runs are (default: $PACELINE_DATA_DIR, else ./data: the server's)
`;

/** The report of an experiment of this lab, as a file. */
export const writeReport = async (lab: Lab, id: string, file: string): Promise<void> =>
  pipeline(Readable.from(await reportOf(lab, id, null)), createWriteStream(file));

export async function report(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { out: { type: 'string' }, 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [id, ...more] = positionals;
  if (id === undefined) throw new UsageError('report: of which experiment?');
  if (more.length > 0) throw new UsageError(`report: one experiment at a time: ${more.join(' ')}`);
  const lab = openLab({
    dataDir: resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data'),
    workers: 1,
    log: createLog('warn'),
  });
  try {
    const { id: known } = lab.experiments.item(id);
    const file = values.out ?? `paceline-${known}.html`;
    await writeReport(lab, known, resolve(file));
    process.stdout.write(`${file}\n`);
    return EXIT.ok;
  } finally {
    await lab.close();
  }
}
