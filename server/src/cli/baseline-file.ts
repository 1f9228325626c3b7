// Baselines as files, and those that another data folder holds without having been written down.
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { baselineText, otherFields, questionOf, sideOf, sideOfBaseline, type Side } from '#analysis/baseline';
import { canonicalJson } from '#analysis/identity';
import { jsonLines } from '#analysis/json-lines';
import { Baseline } from '#protocol/baseline';
import type { BaselineRef } from '#protocol/expectations';
import { faultsOf } from '#protocol/faults';
import { AppError } from '../errors.ts';
import { DATABASE, openLab } from '../lab.ts';
import { createLog } from '../log.ts';
import { badFile, boundedText, jsonOf } from './bounded-file.ts';
import { ownNames } from './made.ts';

const MOST_BYTES = 64 * 2 ** 20;
/** More faults of one file nobody reads. */
const MOST_FAULTS = 20;

export async function readBaseline(file: string): Promise<Side> {
  const text = await boundedText(file, MOST_BYTES);
  const json = jsonOf(text, file);
  if (typeof json !== 'object' || json === null || !('format' in json) || json.format !== 'paceline-baseline')
    throw badFile(file, 'it is no baseline: paceline baseline save writes one');
  const found = Baseline.safeParse(json);
  if (!found.success) {
    const all = faultsOf(found.error).slice(0, MOST_FAULTS);
    const lines = jsonLines(
      text,
      all.map(({ path }) => path),
    );
    throw new AppError('SPEC_INVALID', `${file} is no whole baseline`, {
      faults: all.map(({ path, detail }, i) => ({
        where: `${file}:${lines[i] ?? 1}`,
        detail: `${path.join('.')}: ${detail}`.replace(/^: /, ''),
      })),
    });
  }
  try {
    // What is compared later; deeper than the stack goes it is no spec.
    canonicalJson([found.data.spec, found.data.params]);
  } catch {
    throw badFile(file, 'its spec is nested too deeply');
  }
  const side = sideOfBaseline(found.data);
  if (side.places.size !== found.data.places.length)
    throw badFile(file, 'a place is there twice: it is no whole baseline');
  return side;
}

/** In one step: who reads it meanwhile finds the one before. */
export async function writeBaseline(file: string, baseline: Baseline): Promise<void> {
  const fresh = `${resolve(file)}.${process.pid}.new`;
  await writeFile(fresh, baselineText(baseline));
  await rename(fresh, resolve(file));
}

interface Stored {
  readonly dataDir: string;
  /** Absent: the newest that asks the same. */
  readonly experiment?: string | undefined;
  readonly question?: Readonly<Record<string, unknown>>;
}

/** What an experiment of a data folder came to; nothing of it is made. */
export async function storedSide({ dataDir, experiment, question }: Stored): Promise<Side> {
  if (!existsSync(join(dataDir, DATABASE))) throw badFile(dataDir, 'it is no data folder');
  const lab = openLab({ dataDir: resolve(dataDir), workers: 1, log: createLog('warn') });
  try {
    const names = await ownNames(lab);
    const all =
      experiment === undefined ? lab.experiments.list({ archived: true }) : [lab.experiments.item(experiment)];
    for (const { id, name } of all.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))) {
      const spec = lab.store.experiments.spec(id);
      if (spec === null) continue;
      if (experiment === undefined && otherFields(questionOf(spec, names), question ?? {}).length > 0) continue;
      return sideOf(await lab.experiments.whole(id), names, `${name} of ${dataDir}`);
    }
  } finally {
    await lab.close();
  }
  throw badFile(dataDir, 'none of its experiments asks the same');
}

/** What an expectation names. `now`: what it is compared with: it has to have been asked the same. */
export async function baselineSide(ref: BaselineRef, folder: string, now: Side): Promise<Side> {
  const side =
    typeof ref === 'string'
      ? await readBaseline(resolve(folder, ref))
      : await storedSide({
          dataDir: resolve(folder, ref.data_dir),
          experiment: ref.experiment,
          question: now.question,
        });
  const other = otherFields(side.question, now.question);
  if (other.length > 0) {
    const called = typeof ref === 'string' ? ref : ref.data_dir;
    throw badFile(
      called,
      `it was made of another spec: ${other.join(', ')} ${other.length === 1 ? 'is' : 'are'} not the same. ` +
        'What was asked must be; parameters of algorithms, engine, seed and repetitions may have changed',
    );
  }
  return side;
}
