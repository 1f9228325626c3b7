import { resolve } from 'node:path';
import { parseWords, UsageError } from '../config.ts';
import { checkDatabase, openLab } from '../lab.ts';
import { createLog } from '../log.ts';
import { merge as mergeInto, type Merged } from '../shard/merge.ts';
import { importLibrary } from '../traces/library.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline merge DIR ... --data-dir DIR [--json]

Brings what paceline run SPEC.json --shard I/N has made in other data folders into one: experiments, results, samples. These folders are
only read, and need not be there at once: what is missing is told, and comes with the next merge. Nothing is run. Afterwards
paceline run SPEC.json --data-dir DIR --out OUT writes what came out, and makes what is still missing. Exit code 1 when a folder or an
experiment was left out, or two have other results of the same run.
`;

/** So many are named. */
const MOST_NAMED = 20;

export async function merge(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (positionals.length === 0) throw new UsageError('merge: which data folders?');
  if (values['data-dir'] === undefined)
    throw new UsageError('merge: --data-dir names the folder that they are brought into');
  const dataDir = resolve(values['data-dir']);
  const folders = positionals.map((folder) => resolve(folder));
  if (folders.includes(dataDir)) throw new UsageError(`merge: ${dataDir} is what the others are brought into`);
  const lab = openLab({ dataDir, workers: 1, log: createLog('warn') });
  try {
    await checkDatabase(lab);
    await importLibrary(lab.traces, lab.store, createLog('warn'));
    const merged = await mergeInto(lab, folders);
    if (values.json) process.stdout.write(`${JSON.stringify(merged, null, 2)}\n`);
    else tell(merged);
    return merged.different.length + merged.faults.length === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await lab.close();
  }
}

function tell({ experiments, brought, different, faults }: Merged): void {
  for (const fault of faults) process.stderr.write(`paceline: ${fault}\n`);
  for (const { run, folder } of different.slice(0, MOST_NAMED))
    process.stdout.write(`run ${run}: ${folder} has another result of it; the first one stays\n`);
  if (different.length > MOST_NAMED) process.stdout.write(`and ${different.length - MOST_NAMED} more\n`);
  for (const { id, name, runs, missing } of experiments)
    process.stdout.write(
      `${id} “${name}”: ${missing === 0 ? `all ${runs} runs` : `${missing} of ${runs} runs are missing`}\n`,
    );
  process.stdout.write(`${brought} results came\n`);
}
