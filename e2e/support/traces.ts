import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const LIBRARY = fileURLToPath(new URL('../../traces/made/', import.meta.url));
const RECORDINGS = fileURLToPath(new URL('../../../shared/traces/', import.meta.url));

export interface TraceFile {
  readonly path: string;
  readonly file: string;
}

const traceFile = (path: string): TraceFile => ({ path, file: basename(path) });

export interface TracePair {
  readonly what: string;
  readonly slow: TraceFile;
  readonly fast: TraceFile;
}

/** Real recordings where they are, beside the checkout (their licences keep them out of it); else the shipped library. */
export function tracePair(): TracePair {
  const slow = traceFile(`${RECORDINGS}lte-taxi-nyc.down.gz`);
  const fast = traceFile(`${RECORDINGS}5g-midband-irish-drive.rl`);
  if (existsSync(slow.path) && existsSync(fast.path)) return { what: 'recordings of an LTE and a 5G link', slow, fast };
  return {
    what: `shipped traces, because there are no recordings in ${RECORDINGS}`,
    slow: traceFile(`${LIBRARY}cellular-walk-lte.trace.gz`),
    fast: traceFile(`${LIBRARY}drop-1gbps-to-nothing.trace.gz`),
  };
}

export interface TraceFacts {
  readonly mean_mbps: number;
  readonly period_s: number;
  readonly opportunities: number;
  readonly longest_gap_ms: number;
}

/** Worked out here from the file's text, so that what the page shows is held against something else than itself. */
export function factsOf({ path }: TraceFile): TraceFacts {
  const bytes = readFileSync(path);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
  let opportunities = 0;
  let last = 0;
  let lastOpportunity = 0;
  let longest = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    // `ms`, or `ms count`; a count of 0 only says how long the trace is.
    const [ms = Number.NaN, count = 1] = line.trim().split(/\s+/).map(Number);
    if (count > 0) {
      longest = Math.max(longest, ms - lastOpportunity);
      lastOpportunity = ms;
    }
    opportunities += count;
    last = ms;
  }
  return {
    mean_mbps: (opportunities * 1500 * 8) / (last * 1000),
    period_s: last / 1000,
    opportunities,
    longest_gap_ms: longest,
  };
}
