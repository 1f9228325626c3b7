import type { Measurement } from '../bench.ts';
import { bulkManifest, constantLink } from './links.ts';
import { latenessOf, measure, type Measured } from './measure.ts';

const FIRST_MBPS = 5000;
const LAST_MBPS = 40_000;
const STEP = 1.5;
const HALVINGS = 2;
const DURATION_S = 4;
/** It keeps up when at least one of so many runs does: a single stall by something else on the machine is not its bound. */
const TRIES = 2;

const round = (mbps: number): number => Math.round(mbps / 100) * 100;

/** The rate from which on runs of this algorithm are marked as overruns, searched for. */
export async function overrunOf(
  path: 'tun' | 'udp',
  cca: string,
  engine_version: string,
  tracesDir: string,
): Promise<Measurement> {
  const manifest = (mbps: number) =>
    bulkManifest({ engine: 'realtime', path }, cca, constantLink(mbps, DURATION_S), engine_version);
  let why: string | null = null;
  const keepsUp = async (mbps: number): Promise<Measured | null> => {
    for (let i = 0; i < TRIES; i++) {
      const measured = await measure(manifest(mbps), tracesDir);
      if (!latenessOf(measured).overrun) return measured;
      why = measured.overrunBecause;
    }
    return null;
  };
  let best: { readonly mbps: number; readonly measured: Measured } | null = null;
  const tryAt = async (mbps: number): Promise<boolean> => {
    const measured = await keepsUp(mbps);
    if (measured !== null && mbps > (best?.mbps ?? 0)) best = { mbps, measured };
    return measured !== null;
  };
  let low = 0;
  let high = FIRST_MBPS;
  while (high <= LAST_MBPS && (await tryAt(high))) {
    low = high;
    high = round(high * STEP);
  }
  for (let i = 0; i < HALVINGS && high <= LAST_MBPS; i++) {
    const middle = round((low + high) / 2);
    if (await tryAt(middle)) low = middle;
    else high = middle;
  }
  return { what: `${cca} over ${path.toUpperCase()}: where this machine overruns`, measured: tell(best, high, why) };
}

function tell(
  best: { readonly mbps: number; readonly measured: Measured } | null,
  overrunAt: number,
  why: string | null,
): string {
  const kept =
    best === null
      ? 'at every rate that was tried'
      : `keeps up at ${best.mbps} Mbps (${((best.mbps * best.measured.utilisation) / 1000).toFixed(1)} Gbps carried)`;
  if (overrunAt > LAST_MBPS) return `${kept}; no overrun up to there, the search ends`;
  return `${kept}; overruns at ${overrunAt} Mbps${why === null ? '' : `: ${why}`}`;
}
