// Stored experiments and addresses are named by what their specs were planned to: it must not change for specs that know nothing new.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { experimentId, runIdOf } from '#analysis/identity';
import { expandSpec } from '#analysis/planner';
import { LISTING, findTrace } from '#analysis/testing';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';

/** As planned on 2026-11-24, before there were sweeps. */
interface Earlier {
  readonly spec: ExperimentSpecInput;
  readonly experiment: string;
  readonly count: number;
  /** SHA-256 of all `first` has the beginning of. */
  readonly runs: string;
  readonly first: readonly (readonly [cell: string, role: string, repetition: number, id: string])[];
}

const EARLIER = JSON.parse(
  readFileSync(new URL('./testing-earlier-specs.json', import.meta.url), 'utf8'),
) as readonly Earlier[];
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

test.each(EARLIER)('experiment $experiment still has its $count runs', ({ spec, experiment, count, runs, first }) => {
  const made = expandSpec(ExperimentSpec.parse(spec), { engine: LISTING, findTrace });
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  const planned = [...made.runs].map((run) => [run.cell, run.role, run.repetition, runIdOf(run.canonical, sha256)]);
  expect(planned.slice(0, first.length)).toEqual(first);
  expect(planned).toHaveLength(count);
  expect(sha256(JSON.stringify(planned)).toString('hex')).toBe(runs);
  expect(experimentId(made.spec, LISTING.engine_version, sha256)).toBe(experiment);
});
