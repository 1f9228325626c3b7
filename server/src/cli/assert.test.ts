// Expectations as they are judged: real runs, exit codes, what is written for a CI, and the example whose algorithm is changed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nativeDir } from '#bridge/programs';
import { Baseline } from '#protocol/baseline';
import { testFolder } from '../testing/folder.ts';
import { ownText } from '../testing/own-texts.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { assert } from './assert.ts';
import { readBaseline } from './baseline-file.ts';
import { explain } from './exit.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = testFolder();
const at = (name: string): string => join(folder(), name);
const write = (name: string, content: unknown): string => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  return name;
};
const read = (name: string): string => readFileSync(at(name), 'utf8');
/** What one command has made the next has, in all of these tests: traces take longest. */
const kept = mkdtempSync(join(tmpdir(), 'paceline-kept-'));
afterAll(() => rmSync(kept, { recursive: true, force: true }));
const KEPT = ['--data-dir', kept];
const paceline = (words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new TestProcess('bin/paceline.mjs', words, folder(), { ...process.env, ...env }).ended();

/** What is said of bad input, which it has to be. */
async function refused(work: () => Promise<unknown>): Promise<string> {
  const error: unknown = await work().then(
    () => null,
    (fault: unknown) => fault,
  );
  const { code, text } = explain(error);
  expect([code, text]).toEqual([2, expect.not.stringContaining('    at ')]);
  return text;
}

const SPEC = {
  name: 'short',
  duration_s: 5,
  repetitions: 6,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }],
  buffers: [{ bdp: 2 }],
};
const BETA = { ...SPEC, ccas: [{ id: 'cubic', params: { beta: 0.9 } }] };
const Example = z.object({ spec: z.looseObject({ ccas: z.array(z.looseObject({ id: z.string() })) }) }).loose();

describe('paceline assert', () => {
  it('catches a change of Cubic’s β in the example, at either end', async () => {
    const file = join(ROOT, 'examples/ci/cubic-beta.json');
    const kept = await paceline(['assert', file, ...KEPT]);
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringMatching(/^2 of 2 expectations hold \(10 runs, /m)]);
    const example = Example.parse(JSON.parse(readFileSync(file, 'utf8')));
    const of = (beta: number): string =>
      write(`beta-${beta}.json`, { ...example, spec: { ...example.spec, ccas: [{ id: 'cubic', params: { beta } }] } });
    const [small, large] = [await paceline(['assert', of(0.5), ...KEPT]), await paceline(['assert', of(0.9), ...KEPT])];
    expect([small.code, large.code]).toEqual([3, 3]);
    expect(small.stdout).toMatch(/^BROKEN +Half a BDP .*: utilisation ≥ 97\.0\s% in every cell \| found 94\.\d/m);
    expect(large.stdout).toMatch(/^BROKEN +It probes gently: loss ≤ 0\.500\s% in every run \| found [12]\.\d/m);
  });

  it('says it to a CI: JUnit, annotations at the line, a table with the frontier beside it, JSON', async () => {
    write(
      'e.json',
      `{"spec": ${JSON.stringify(SPEC)},\n"expectations": [\n{"metric": "utilisation", "at_least": 0.5},\n{"name": "No, 100%: ]]> & | never",\n"metric": "loss", "at_most": 0}]}`,
    );
    write('summary', 'before\n');
    const words = ['assert', 'e.json', '--junit', 'out.xml', '--markdown', 'out.markdown', '--github', ...KEPT];
    const env = { GITHUB_STEP_SUMMARY: at('summary'), GITHUB_WORKSPACE: folder() };
    const { code, stdout } = await paceline(words, env);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^::error file=e\.json,line=4,title=broken%3A No%2C 100%25%3A \]\]> & \| never::expected loss ≤ 0\s%25 in every cell%0Afound /m,
    );
    expect(stdout.match(/^::error/gm)).toHaveLength(1);
    expect(read('out.xml')).toContain(
      'name="No, 100%: ]]&gt; &amp; | never" file="e.json" line="4"><failure type="broken"',
    );
    expect(read('out.xml')).toContain('tests="2" failures="1" errors="0" skipped="0"');
    expect(read('out.markdown')).toContain(String.raw`No, 100%: \]\]&gt; &amp; \| never`);
    expect(read('out.markdown')).toContain('![Throughput–delay frontier](out-frontier.svg)');
    expect(read('out-frontier.svg')).toMatch(/^<svg xmlns=.*Cubic.*<\/svg>\n$/s);
    expect(read('summary')).toMatch(/^before\n### short\n/);
    expect(read('summary')).not.toContain('![');
    const json = await paceline(['assert', 'e.json', '--json', ...KEPT]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      runs: 6,
      retried: 0,
      expectations: [
        { verdict: 'ok', line: 3, n: 6 },
        { verdict: 'broken', line: 4 },
      ],
    });
  });

  it('holds runs against a baseline, and those of another data folder', async () => {
    write('spec.json', SPEC);
    write('beta.json', BETA);
    const saved = await paceline([
      'baseline',
      'save',
      'main',
      'spec.json',
      '--to',
      'base.json',
      '--label',
      'r1',
      '--data-dir',
      'old',
    ]);
    expect([saved.code, saved.stdout]).toEqual([0, expect.stringMatching(/^base\.json: 6 runs in 1 cell, engine /)]);
    const text = read('base.json');
    const again = await paceline([
      'baseline',
      'save',
      'main',
      'spec.json',
      '--to',
      'base.json',
      '--label',
      'r1',
      ...KEPT,
    ]);
    expect([again.code, read('base.json')]).toEqual([0, text]);
    const expectations = (of: string, ...baselines: unknown[]): string =>
      write('e.json', {
        spec: of,
        expectations: baselines.map((not_worse_than) => ({ metric: 'loss', not_worse_than })),
      });
    const same = await paceline(['assert', expectations('spec.json', 'base.json'), ...KEPT]);
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringMatching(/^ok +loss not worse than main \(r1\) \| found the same, /),
    ]);
    const worse = await paceline(['assert', expectations('beta.json', 'base.json', { data_dir: 'old' }), ...KEPT]);
    expect(worse.code).toBe(3);
    // Each could give 1 in 64, and there are two.
    const basis = String.raw`; p = 0\.031 in view of 2 comparisons; .*; 6 pairs, signs of 6 draws exchanged \(exact\)$`;
    expect(worse.stdout).toMatch(new RegExp(String.raw`^BROKEN .* than main \(r1\) .*${basis}`, 'm'));
    expect(worse.stdout).toMatch(new RegExp(`^BROKEN .* than short of .*/old .*${basis}`, 'm'));
    expect(worse.stdout).toMatch(/^parameters of algorithm 1 were \{\} and are \{"beta":0\.9\}$/m);
    const compared = await paceline(['baseline', 'compare', 'base.json', 'beta.json', '--error-rate', '0.2', ...KEPT]);
    expect([compared.code, compared.stdout]).toEqual([3, expect.stringMatching(/^WORSE +loss /m)]);
  });

  it('decides nothing with too few repetitions, and lets one choose what that counts as', async () => {
    write('two.json', { ...SPEC, repetitions: 2 });
    write('beta.json', { ...BETA, repetitions: 2 });
    await paceline(['baseline', 'save', 'main', 'two.json', '--to', 'base.json', ...KEPT]);
    write('e.json', { spec: 'beta.json', expectations: [{ metric: 'loss', not_worse_than: 'base.json' }] });
    const fails = await paceline(['assert', 'e.json', '--junit', 'fails.xml', ...KEPT]);
    expect(fails.code).toBe(1);
    expect(fails.stdout).toMatch(/^undecided .* too few repetitions: 5 would do where no pair is the same/);
    const passes = await paceline(['assert', 'e.json', '--undecided', 'pass', '--junit', 'passes.xml', ...KEPT]);
    expect(passes.code).toBe(0);
    expect([read('fails.xml'), read('passes.xml')]).toEqual([
      expect.stringContaining('<failure type="undecided"'),
      expect.stringContaining('<skipped message="undecided'),
    ]);
  });

  it('refuses what is none, with its place', async () => {
    write('spec.json', SPEC);
    const refusal = async (...expectations: unknown[]): Promise<string> => {
      const file = write('e.json', { spec: 'spec.json', expectations });
      return refused(() => assert([at(file)]));
    };
    const good = { metric: 'loss', at_most: 1 };
    expect(await refusal(good, { metric: 'loss', at_mots: 1 })).toMatch(/e\.json:8: expectations\.1: Unrecognized key/);
    expect(await refusal({ metric: 'lost', at_most: 1 })).toMatch(/e\.json:4: there is no metric "lost": there are /);
    expect(await refusal({ metric: 'loss', at_least: 2, at_most: 1 })).toMatch(/e\.json:6: .*nothing can be both/);
    expect(await refusal({ ...good, select: 'util>0.5' })).toMatch(/e\.json:4: runs are chosen by their conditions/);
    expect(await refusal()).toMatch(/e\.json:3: expectations: /);
    expect(await assert([at('e.json'), '--bisect'])).toBe(125);
    write('e.json', { spec: 'spec.json', expectations: [{ ...good, select: 'cca:bbr' }] });
    const none = await paceline(['assert', 'e.json', ...KEPT]);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('e.json:4: "cca:bbr" finds none of the 6 runs'),
    ]);
    write('e.json', '{"spec": "spec.json",\n"expectations": [}');
    expect(await refused(() => assert([at('e.json')]))).toMatch(/e\.json:2:18: expected a value/);
    expect(await assert(['nowhere.json', '--bisect'])).toBe(125);
    expect(await assert(['nowhere.json', '--bisect', '--nope'])).toBe(128);
  });
});

describe('a baseline that cannot be used', () => {
  it('is refused with its place, whatever it holds', async () => {
    write('spec.json', SPEC);
    await paceline(['baseline', 'save', 'main', 'spec.json', '--to', 'base.json', ...KEPT]);
    const text = read('base.json');
    const refusal = (content: string): Promise<string> => refused(() => readBaseline(at(write('bad.json', content))));
    expect(await refusal(text.slice(0, -40))).toMatch(/bad\.json:\d+:\d+: expected /);
    expect(await refusal('{"places": []}')).toMatch(/bad\.json: it is no baseline/);
    expect(await refusal('null')).toMatch(/bad\.json: it is no baseline/);
    const figures = (by: string): Promise<string> => refusal(text.replace(/"utilisation": \[[^,]*,/, by));
    expect(await figures('"utilisation": [')).toMatch(/bad\.json:\d+: places\.0\.figures: each figure has a value/);
    expect(await figures('"utilisation": [1e999,')).toMatch(/bad\.json:\d+: places\.0\.figures\.utilisation\.0: /);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await refusal(text.replace('"spec": {', `"spec": {"x": ${deep},`))).toMatch(
      /bad\.json: .*(deeply|cannot be read)/,
    );
    const { places, ...rest } = Baseline.parse(JSON.parse(text));
    const twice = JSON.stringify({ ...rest, places: [...places, ...places] });
    expect(await refusal(twice)).toMatch(/bad\.json: a place is there twice/);
    writeFileSync(at('huge.json'), '');
    truncateSync(at('huge.json'), 65 * 2 ** 20);
    expect(await refused(() => readBaseline(at('huge.json')))).toMatch(/huge\.json: it is larger than 64 MiB/);
    execFileSync('mkfifo', [at('pipe')]);
    expect(await refused(() => readBaseline(at('pipe')))).toMatch(/pipe: it is no file/);
    write('other.json', text.replace('"duration_s": 5', '"duration_s": 6'));
    const other = await paceline(['baseline', 'compare', 'other.json', 'spec.json', ...KEPT]);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('other.json: it was made of another spec: duration_s is not the same'),
    ]);
  });
});

describe.skipIf(!existsSync(join(nativeDir(), 'paceline.wasm')))('a run without a result', () => {
  it('is never passed over', async () => {
    write('mine.ts', ownText('Mine', "if (this.acks > 100) throw new Error('enough');"));
    const spec = { ...SPEC, repetitions: 1, ccas: [{ id: 'cubic' }, { id: 'mine.ts' }] };
    write('e.json', { spec, expectations: [{ select: 'cca:cubic', metric: 'utilisation', at_least: 0.5 }] });
    const judged = await paceline(['assert', 'e.json', '--undecided', 'pass', '--retries', '3', ...KEPT]);
    expect([judged.code, judged.stdout]).toEqual([1, expect.stringMatching(/^ok .*\nrun \w+ is failed: .*enough/)]);
    // It failed by itself: that it would not do otherwise the next time is known.
    expect(judged.stdout).not.toContain('made again');
    const saved = await paceline(['baseline', 'save', 'main', 'e.json', '--to', 'base.json', ...KEPT]);
    expect([saved.code, saved.stderr]).toEqual([
      1,
      expect.stringMatching(/is failed: .*: what lacks runs is no baseline/),
    ]);
    expect(existsSync(at('base.json'))).toBe(false);
  });
});
