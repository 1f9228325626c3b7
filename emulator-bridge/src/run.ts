import type { RunManifest } from '#protocol/manifest';
import type { RunOutcome } from './outcome.ts';
import { runRealtime } from './realtime.ts';
import { runTun } from './tun.ts';
import { runVirtual, type VirtualOptions } from './virtual.ts';

export type { ChangeLink, RunOutcome } from './outcome.ts';
export type RunOptions = VirtualOptions;

/** Runs one manifest. Never rejects because of what a child does: that is an outcome. */
export function run(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  switch (manifest.path) {
    case 'memory':
      return runVirtual(manifest, options);
    case 'udp':
      return runRealtime(manifest, options);
    case 'tun':
      return runTun(manifest, options);
  }
}
