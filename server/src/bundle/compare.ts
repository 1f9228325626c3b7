// What a bundle says came out, against what came out here.
import { canonicalJson } from '#analysis/identity';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import type { BundledRun } from '#protocol/bundle';
import type { RunRef } from '#protocol/api';
import { RunSummary } from '#protocol/summary';
import type { Lab } from '../lab.ts';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { jsonHash, samplesHash, summaryHash } from './hashes.ts';
import { refused, type Bundle } from './read.ts';

export interface Difference {
  readonly run: string;
  /** Which run it is, for people. */
  readonly what: string;
  readonly detail: string;
}

export interface Comparison {
  readonly runs: number;
  /** Summaries that are the same, byte for byte, and runs whose samples are, of those with samples on both sides. */
  readonly same: number;
  readonly samples: { readonly compared: number; readonly same: number };
  /** The first ones. */
  readonly differences: readonly Difference[];
  readonly different: number;
}

const MOST_NAMED = 20;
const placeOf = ({ cell, role, repetition }: Pick<BundledRun, 'cell' | 'role' | 'repetition'>): string =>
  canonicalJson([cell, role, repetition]);

/** Figures that are not the same. */
function metricsText(said: unknown, ours: RunSummary): string {
  const theirs = RunSummary.safeParse(said).data;
  if (theirs === undefined) return 'its summary is not of the form that this version knows';
  const parts = METRIC_IDS.flatMap((id) => {
    const [before, now] = [METRICS[id].of(theirs), METRICS[id].of(ours)];
    return before === now ? [] : [`${METRICS[id].column} ${before ?? 'none'} in the bundle, ${now ?? 'none'} here`];
  });
  return parts.length === 0 ? 'the summary differs, but none of its metrics' : parts.slice(0, 4).join('; ');
}

/** null: they are the same. */
function differenceOf(theirs: BundledRun, ours: RunRef | undefined): string | null {
  if (ours === undefined) return 'it is not among the runs here';
  if (theirs.state !== ours.state)
    return `it is ${theirs.state} in the bundle, ${ours.state} here${ours.reason === null ? '' : `: ${ours.reason}`}`;
  if (theirs.summary === null || ours.summary === null)
    return theirs.summary === null && ours.summary === null ? null : 'only one of them has a summary';
  return theirs.summary_sha256 === summaryHash(ours.summary) ? null : metricsText(theirs.summary, ours.summary);
}

/** Reads the bundle's runs one after the other. */
export async function compare(lab: Lab, bundle: Bundle, experiment: WholeExperiment): Promise<Comparison> {
  const ours = new Map<string, RunRef>();
  for (const run of experiment.runs) ours.set(placeOf(run), run);
  const differences: Difference[] = [];
  let [runs, places, same, different] = [0, 0, 0, 0];
  const samples = { compared: 0, same: 0 };
  const tell = (theirs: BundledRun, detail: string): void => {
    different += 1;
    const what = `${theirs.role.replace('_', ' ')}, repetition ${theirs.repetition + 1}`;
    if (differences.length < MOST_NAMED) differences.push({ run: theirs.run, what, detail });
  };
  const seen = new Set<string>();
  for await (const theirs of bundle.runs()) {
    checkClaim(theirs);
    places += 1;
    // The baseline's pair with itself stands in two places.
    if (seen.has(theirs.run)) continue;
    seen.add(theirs.run);
    runs += 1;
    const own = ours.get(placeOf(theirs));
    const detail = differenceOf(theirs, own);
    if (detail !== null || own === undefined) {
      tell(theirs, detail ?? '');
      continue;
    }
    const hash = theirs.samples_sha256 === null ? null : samplesHash(lab.reader, own.id);
    if (hash !== null) samples.compared += 1;
    if (hash !== null && hash !== theirs.samples_sha256) {
      tell(theirs, 'the summary is the same, but its samples are not');
      continue;
    }
    if (hash !== null) samples.same += 1;
    same += 1;
  }
  if (places !== ours.size && different === 0) {
    different = Math.abs(ours.size - places);
    differences.push({ run: '', what: 'runs', detail: `the bundle tells of ${places}, the spec makes ${ours.size}` });
  }
  return { runs, same, samples, differences, different };
}

/** The hash that a bundle gives for a summary is that of the summary that it gives. */
function checkClaim({ run, summary, summary_sha256 }: BundledRun): void {
  if ((summary === null ? null : jsonHash(summary)) !== summary_sha256)
    throw refused(`run ${run}: its summary does not have the SHA-256 that stands beside it`, run);
}
