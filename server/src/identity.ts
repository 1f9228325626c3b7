import { hash, randomUUID } from 'node:crypto';
import * as identity from '#analysis/identity';
import type { RunManifest } from '#protocol/manifest';
import type { ExperimentSpec } from '#protocol/spec';

const sha256 = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Of a manifest as canonical JSON. */
export const runIdOf = (canonical: string): string => identity.runIdOf(canonical, sha256);
export const runId = (manifest: RunManifest): string => runIdOf(identity.canonicalJson(manifest));

export const experimentId = (spec: ExperimentSpec, engineVersion: string, traits?: identity.ExperimentTraits): string =>
  identity.experimentId(spec, engineVersion, sha256, traits);

/** Sets a real-time measurement apart from every other. */
export const newMeasurement = (): string => randomUUID();
