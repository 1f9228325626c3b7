import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { NATIVE_BUILD, NATIVE_SOURCE } from '../lib/paths.mjs';
import { nativeBuild } from '../setup/native.mjs';
import type { Finding } from '#protocol/fidelity';

const PROGRAM = 'paceline-test-cca';
/** Tests of what several algorithms stand on. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  hystart: ['cubic', 'newreno'],
  monitor: ['allegro', 'vivace', 'proteus'],
  rtt: ['vivace', 'proteus'],
  libutp: ['ledbat'],
};

/** `proteus_test.cc` is about proteus-p, -s and -h; `copa_link_test.cc` about copa. */
export function ccasOfTest(file: string, ccas: readonly string[]): string[] {
  const [word = ''] = basename(file, '_test.cc').split('_');
  const families = SHARED[word] ?? [word];
  return ccas.filter((id) => families.includes(id) || families.includes(id.split('-')[0] ?? ''));
}

interface TestCase {
  readonly file: string;
  readonly name: string;
  readonly assertions: number;
  readonly passed: boolean;
}

const XML: readonly (readonly [string, string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
];
const unescape = (text: string): string => XML.reduce((plain, [code, sign]) => plain.replaceAll(code, sign), text);

/** The test cases that were run, of doctest's XML report. */
export function testCasesOf(xml: string): TestCase[] {
  const cases = xml.matchAll(/<TestCase name="([^"]*)" filename="([^"]*)"[^>]*[^/]>(.*?)<\/TestCase>/gs);
  return [...cases].map(([, name = '', file = '', body = '']) => {
    const result = /<OverallResultsAsserts successes="(\d+)" failures="(\d+)" test_case_success="(\w+)"/.exec(body);
    return {
      file: basename(file),
      name: unescape(name),
      assertions: Number(result?.[1] ?? 0) + Number(result?.[2] ?? 0),
      passed: result?.[3] === 'true',
    };
  });
}

async function xmlReport(): Promise<string> {
  await nativeBuild({ target: PROGRAM });
  // what goes through every algorithm by chance is not a check of one
  const args = ['--reporters=xml', '--source-file-exclude=*hostile*'];
  const child = spawn(join(NATIVE_BUILD, 'bin', PROGRAM), args, {
    cwd: NATIVE_SOURCE,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Uint8Array[] = [];
  child.stdout.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  await new Promise<void>((resolve, reject) => child.on('close', () => resolve()).on('error', reject));
  return Buffer.concat(chunks).toString('utf8');
}

/** What the C++ tests check of each algorithm, and whether it holds now. */
export async function nativeChecks(ccas: readonly string[]): Promise<Finding[]> {
  const common = { section: 'behaviour', source: 'native tests' } as const;
  try {
    return testCasesOf(await xmlReport()).flatMap(({ file, name, assertions, passed }) => {
      const about = ccasOfTest(file, ccas);
      if (about.length === 0) return [];
      const verdict = passed ? 'holds' : 'FAILS';
      const id = `behaviour/native/${file}/${name}`;
      return [
        { ...common, id, ccas: about, what: name, expected: file, measured: `${assertions} assertions`, verdict },
      ];
    });
  } catch (error) {
    const reason = `the C++ tests cannot be built: ${error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)}`;
    const what = 'the C++ tests of every algorithm';
    return [
      {
        ...common,
        id: 'behaviour/native',
        ccas: [...ccas],
        what,
        expected: '',
        measured: '',
        verdict: 'skipped',
        reason,
      },
    ];
  }
}
