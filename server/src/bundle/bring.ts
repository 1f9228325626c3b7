// Brings what a bundle carries into a data folder: traces, weights and own algorithms, each under the hash of what it is.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { tracesOfSpec } from '#analysis/trace-owners';
import type { BundledTrace, ImportedBundle } from '#protocol/bundle';
import type { Maker } from '#protocol/access';
import { NOTHING_SAID } from '#protocol/labels';
import { plainLine, plainText } from '#protocol/text';
import type { Lab } from '../lab.ts';
import { ownTextOf } from '../own/own-text.ts';
import type { Eyes } from '../store/private.ts';
import { damageOf } from '../traces/stored-file.ts';
import { refused, type Bundle } from './read.ts';

interface Bringing {
  readonly origin: 'file' | 'upload';
  /** Who brings it; left out: somebody who sees everything. */
  readonly maker?: Maker | null | undefined;
  readonly eyes?: Eyes | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a bundle has brought, for whoever sent it. */
export async function imported(lab: Lab, bundle: Bundle, bringing: Bringing): Promise<ImportedBundle> {
  const { experiment, name, engine_version } = bundle.head;
  const brought = await bring(lab, bundle, bringing);
  await keepLabels(lab, bundle, bringing.maker ?? null);
  const same_engine = (await lab.engine.listing()).engine_version === engine_version;
  return {
    experiment,
    name,
    engine_version,
    same_engine,
    spec: bundle.spec,
    traces: [...brought.traces],
    weights: [...brought.weights],
    algorithms: [...brought.algorithms],
  };
}

/**
 * What was said of the experiment is said of it here, too, once it is made; what somebody has said here already stays. What is measured is
 * another experiment each time: its labels stay in the bundle.
 */
async function keepLabels(lab: Lab, { head, spec }: Bundle, maker: Maker | null): Promise<void> {
  const said = { ...head.labels, ...(head.name === spec.name ? {} : { name: plainLine(head.name) }) };
  if (head.measured || Object.keys(said).length === 0) return;
  const id = await lab.experiments.reserve(spec, maker);
  const known = lab.store.labels.get('experiment', id);
  if (!isDeepStrictEqual(known, NOTHING_SAID)) return;
  const { note = '', ...others } = said;
  const change = { ...others, note: plainText(note) };
  lab.store.transaction(() => lab.store.labels.change('experiment', id, change, new Date().toISOString()));
}

interface Brought {
  /** By content hash: those that were not there. */
  readonly traces: readonly string[];
  readonly weights: readonly string[];
  readonly algorithms: readonly string[];
}

/** `spec` needs these; a trace may be there already. */
async function bring(lab: Lab, bundle: Bundle, bringing: Bringing): Promise<Brought> {
  const { head, spec } = bundle;
  const { eyes = 'all', signal } = bringing;
  const said = new Map(head.traces.map((trace) => [trace.id, trace]));
  const traces: string[] = [];
  for (const id of tracesOfSpec(spec)) {
    if (lab.store.traces.get(id) !== null && !lab.store.private.isUnseen('trace', id, eyes)) continue;
    const trace = said.get(id);
    if (trace === undefined || !bundle.has(`traces/${id}.trace`))
      throw refused(
        `the trace ${trace === undefined ? id : `${plainLine(trace.name)} (${id})`} is not in the bundle${(trace?.left_out ?? null) === null ? '' : `: ${trace?.left_out ?? ''}`}`,
        id,
      );
    await withFile(lab, bundle, `traces/${id}.trace`, id, (path) => addTrace(lab, path, trace, bringing));
    traces.push(id);
  }
  const weights: string[] = [];
  for (const { id, name } of head.weights) {
    if (lab.store.weights.get(id) !== null) continue;
    await withFile(lab, bundle, `weights/${id}.json`, id, async (path) => {
      const { record } = await lab.weights.add(path, plainLine(name), signal);
      if (record.id !== id) throw refused(`weights/${id}.json is ${record.id}`, id);
    });
    weights.push(id);
  }
  return { traces, weights, algorithms: await bringAlgorithms(lab, bundle, signal) };
}

async function bringAlgorithms(lab: Lab, bundle: Bundle, signal?: AbortSignal): Promise<string[]> {
  const brought: string[] = [];
  for (const { id, program, name } of bundle.head.algorithms ?? []) {
    const file = `algorithms/${program}.ts`;
    await withFile(lab, bundle, file, program, async (path) => {
      const { algorithm, added } = await lab.ownAlgorithms.add(
        ownTextOf(await readFile(path), file),
        plainLine(name),
        signal,
      );
      if (algorithm.id !== id) throw refused(`${file} is ${algorithm.id}`, id);
      if (added) brought.push(id);
    });
  }
  return brought;
}

async function addTrace(
  lab: Lab,
  path: string,
  { id, name, description, licence, source, technology, place }: BundledTrace,
  { origin, maker = null, signal }: Bringing,
): Promise<void> {
  const line = (text: string, most: number): string => plainLine(text).slice(0, most);
  const { record } = await lab.traces.add(path, {
    name,
    origin,
    description: description.slice(0, 2000),
    licence: line(licence, 200),
    source: source.slice(0, 2000),
    technology: line(technology, 60),
    place: line(place, 60),
    choices: { format: 'trace', options: { columns: 'ms count' } },
    // What another keeps private stays so, to both.
    ...(lab.traces.isPrivate(id) && { maker, isPrivate: true }),
    signal,
  });
  if (record.id !== id) throw refused(`traces/${id}.trace is another trace, ${record.id}`, id);
}

/** One of its files where nobody else writes, if it is what its name says. */
async function withFile(
  lab: Lab,
  bundle: Bundle,
  name: string,
  id: string,
  use: (path: string) => Promise<void>,
): Promise<void> {
  await mkdir(lab.tempDir, { recursive: true });
  const path = join(lab.tempDir, `bundle-${randomUUID()}`);
  try {
    await bundle.extract(name, path);
    if ((await damageOf(path, id)) !== null) throw refused(`${name} does not have the SHA-256 of its name`, name);
    await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
