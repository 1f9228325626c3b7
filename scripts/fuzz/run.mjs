import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../lib/find.mjs';
import { NATIVE_SOURCE, ROOT } from '../lib/paths.mjs';
import { CommandFailed, run } from '../lib/run.mjs';
import { nativeBuild } from '../setup/native.mjs';
import { writeSeeds } from './seeds.mjs';

const BUILD = `${ROOT}/build/fuzz`;
const PROGRAM = 'paceline-fuzz-traces';
/** By the clock on the wall, which runs while others have the processor; what an input may take of that says the target itself. */
const STANDS_STILL_S = 600;
const MOST_MEMORY_MB = 1024;
const LONGEST_INPUT = 4096;

/** Why there can be no fuzzing on this machine; null when there can. */
export async function fuzzerUnavailable() {
  if (findProgram('clang++') === undefined) return 'there is no clang++ on this machine';
  const folder = mkdtempSync(join(tmpdir(), 'paceline-fuzz-'));
  try {
    writeFileSync(
      `${folder}/try.cc`,
      'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n',
    );
    await run('clang++', ['-fsanitize=fuzzer,address,undefined', `${folder}/try.cc`, '-o', `${folder}/try`]);
    return null;
  } catch {
    return 'clang++ has no libFuzzer here (Debian: libclang-rt-dev)';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import('../lib/run.mjs').Priority} [priority] */
export function buildFuzzer(priority) {
  const options = ['-DPACELINE_SANITIZE=fuzzer', '-DCMAKE_CXX_COMPILER=clang++'];
  return nativeBuild({ folder: BUILD, options, target: PROGRAM, priority });
}

/**
 * @typedef {{ inputs: number, formats: Map<string, { given: number, read: number }>, failure: string | null }} Fuzzed `failure`: what
 * was found, with the file that shows it
 * @param {string} output of one process
 * @param {number | null} code
 * @returns {Fuzzed}
 */
export function fuzzed(output, code) {
  const inputs = Number(/number_of_executed_units:\s+(\d+)/.exec(output)?.[1] ?? 0);
  const formats = new Map(
    [...output.matchAll(/^inputs of (.+): (\d+), read (\d+)$/gm)].map(([, name = '', given, read]) => [
      name,
      { given: Number(given), read: Number(read) },
    ]),
  );
  const failure = code === 0 ? null : output.trimEnd().split('\n').slice(-30).join('\n');
  return { inputs, formats, failure };
}

/** @param {readonly Fuzzed[]} parts
 * @returns {Fuzzed} */
function together(parts) {
  const formats = new Map();
  for (const part of parts)
    for (const [name, { given, read }] of part.formats) {
      const sum = formats.get(name) ?? { given: 0, read: 0 };
      formats.set(name, { given: sum.given + given, read: sum.read + read });
    }
  return {
    inputs: parts.reduce((sum, part) => sum + part.inputs, 0),
    formats,
    failure: parts.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

/**
 * Reads mutated files until so many were read or so much time is over. What makes a reader fail is kept in build/fuzz/found.
 * @param {{ runs?: number, seconds?: number, jobs?: number, echo?: boolean, priority?: import('../lib/run.mjs').Priority }} choice
 */
export async function fuzz({ runs, seconds, jobs = 1, echo = false, priority = 'low' }) {
  const corpus = `${BUILD}/corpus`;
  mkdirSync(corpus, { recursive: true });
  mkdirSync(`${BUILD}/found`, { recursive: true });
  writeSeeds(`${BUILD}/seeds`);
  const limit = [
    ...(runs === undefined ? [] : [`-runs=${Math.ceil(runs / jobs)}`]),
    ...(seconds === undefined ? [] : [`-max_total_time=${seconds}`]),
  ];
  const bounds = [
    `-timeout=${STANDS_STILL_S}`,
    `-report_slow_units=${STANDS_STILL_S}`,
    `-rss_limit_mb=${MOST_MEMORY_MB}`,
    `-max_len=${LONGEST_INPUT}`,
    '-reload=1',
  ];
  const rest = [`-dict=${NATIVE_SOURCE}/fuzz/words.dict`, `-artifact_prefix=${BUILD}/found/`, '-print_final_stats=1'];
  const words = [corpus, `${BUILD}/seeds`, ...limit, ...bounds, ...rest, '-entropic=0'];
  return together(await Promise.all(Array.from({ length: jobs }, () => fuzzOnce(words, echo, priority))));
}

/**
 * @param {readonly string[]} words
 * @param {boolean} echo
 * @param {import('../lib/run.mjs').Priority} priority
 * @returns {Promise<Fuzzed>}
 */
async function fuzzOnce(words, echo, priority) {
  const env = { ...process.env, ASAN_OPTIONS: 'malloc_context_size=3:quarantine_size_mb=16' };
  try {
    return fuzzed(await run(`${BUILD}/bin/${PROGRAM}`, words, { env, echo, priority, seeksLeaks: true }), 0);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return fuzzed(error.output || error.message, 1);
  }
}
