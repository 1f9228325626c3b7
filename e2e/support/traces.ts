import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const LIBRARY = fileURLToPath(new URL('../../traces/made/', import.meta.url));

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

/**
 * What a newcomer may bring: the beginnings of two recordings that are shipped, a 3G link and a 5G link. As files of their own, because a recording that is
 * brought whole is the shipped trace.
 */
export function tracePair(): TracePair {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-e2e-traces-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const beginning = (id: string, ms: number): TraceFile => {
    const lines = gunzipSync(readFileSync(`${LIBRARY}${id}.trace.gz`))
      .toString()
      .split('\n');
    const path = join(folder, `${id}-${ms / 1000}s.trace`);
    writeFileSync(path, `${lines.filter((line) => line !== '' && Number.parseInt(line, 10) <= ms).join('\n')}\n`);
    return traceFile(path);
  };
  return {
    what: 'recordings of a 3G and a 5G link',
    slow: beginning('3g-hspa-citydrive', 120_000),
    fast: beginning('5g-mmwave-drive-lumos103', 90_000),
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
