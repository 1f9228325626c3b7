// The fidelity report in short: a few of its checks made afresh, and that its data and what was kept of it fit together.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '#protocol/fidelity';
import { ROOT } from '../lib/paths.mjs';
import { behaviourChecks, checkBehaviour, checkIds } from './behaviour.ts';
import { asWritten, type Bench } from './bench.ts';
import { DEVIATIONS, judged, parseDeviations, unknownIds } from './deviations.ts';
import { checkFairness } from './fairness.ts';
import type { Figure } from './finding.ts';
import { ccasOfTest, testCasesOf } from './native-checks.ts';
import { comparePrototype, prototypesOf } from './prototypes.ts';
import { readStored } from './stored.ts';
import { NO_SWITCHES, parseSwitches, switched } from './switches.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the fidelity report', () => {
  it.each(['newreno', 'vegas', 'copa', 'optimal'])('finds %s within its bounds, or says why not', async (cca) => {
    const checks = behaviourChecks(new Set([cca]));
    expect(checks.length).toBeGreaterThan(0);
    const findings = (await Promise.all(checks.map((check) => checkBehaviour(check, asWritten(dir))))).flat();
    expect(findings.filter(({ verdict }) => verdict === 'FAILS')).toEqual([]);
    expect(findings.some(({ verdict }) => verdict === 'holds')).toBe(true);
  });

  it('finds two flows of Cubic equal', async () => {
    expect(await checkFairness('cubic', 1, asWritten(dir))).toMatchObject({ verdict: 'holds', section: 'fairness' });
  });

  it('shows an authors’ figures beside ours, with the reason where they differ', async () => {
    const [vivace] = prototypesOf(new Set(['vivace']));
    if (vivace === undefined) throw new Error('no prototype of Vivace');
    const finding = await comparePrototype(vivace, asWritten(dir));
    expect(finding.expected).toBe('22 Mbps, 2.2 ms, 0.1 % lost');
    expect(finding.verdict).toBe('holds');
  });

  it('keeps a finding for every check of its data', () => {
    const kept = new Set(readStored().findings.map(({ id }) => id));
    expect(checkIds().filter((id) => !kept.has(id))).toEqual([]);
  });

  it('documents what deviates and nothing else, each on a page that there is', () => {
    const { findings } = readStored();
    const deviating = findings.filter(({ verdict }) => verdict === 'deviates').map(({ id }) => id);
    const documented = DEVIATIONS.flatMap(({ checks }) => checks.map(({ id }) => id));
    expect([...new Set(documented)].toSorted()).toEqual(deviating.toSorted());
    expect(findings.filter(({ verdict }) => verdict === 'FAILS')).toEqual([]);
    expect(DEVIATIONS.filter(({ docs }) => !existsSync(join(ROOT, docs)))).toEqual([]);
  });
});

describe('a deviation', () => {
  const finding = {
    section: 'fairness' as const,
    id: 'fairness/someone/4-BDP',
    ccas: ['someone'],
    what: '',
    expected: '',
    measured: '',
    source: '',
  };
  const documented = (id: string, figure: string) =>
    parseDeviations([
      {
        reason: 'takes a queue for the path',
        docs: 'docs/cca/ledbat.md',
        evidence: { command: 'npm run fidelity', shows: '0.99 without a queue' },
        checks: [{ id, figure, side: 'below', bound: 0.7 }],
      },
    ]);
  const asIs = { altered: false, partial: false };
  const index = (value: number): Figure => ({ name: 'index', band: { low: 0.9, high: 0.95 }, value });
  const verdict = (value: number, bench = asIs): Finding =>
    judged(finding, [index(value)], bench, documented(finding.id, 'index'));

  it('is documented for one side of the band, up to its bound', () => {
    expect(verdict(0.8)).toMatchObject({ verdict: 'deviates', reason: 'takes a queue for the path' });
    expect(verdict(0.7).verdict).toBe('deviates');
    expect(verdict(0.69)).toMatchObject({
      verdict: 'FAILS',
      reason: expect.stringContaining('as far as 0.7') as string,
    });
    expect(verdict(1).verdict).toBe('FAILS');
    expect(verdict(NaN).verdict).toBe('FAILS');
  });

  it('that nobody documented FAILS, whichever other figure of the check is documented', () => {
    expect(judged(finding, [index(0.8)], asIs, []).verdict).toBe('FAILS');
    const other: Figure = { name: 'delay', band: { high: 10 }, value: 11 };
    const both = judged(finding, [index(0.8), other], asIs, documented(finding.id, 'index'));
    expect(both).toMatchObject({
      verdict: 'FAILS',
      reason: 'delay is 11, expected ≤ 10, and deviations.json does not say why',
    });
    expect(
      judged({ ...finding, id: 'fairness/someone/1-BDP' }, [index(0.8)], asIs, documented(finding.id, 'index')).verdict,
    ).toBe('FAILS');
  });

  it('that is none any more FAILS until its entry is gone', () => {
    expect(verdict(0.93)).toMatchObject({ verdict: 'FAILS', reason: expect.stringContaining('out of date') as string });
    expect(judged(finding, [], asIs, documented(finding.id, 'index')).verdict).toBe('FAILS');
    expect(judged(finding, [index(0.93)], asIs, []).verdict).toBe('holds');
  });

  it('that is gone with a switch thrown says nothing about its entry', () => {
    expect(verdict(0.93, { altered: true, partial: false }).verdict).toBe('holds');
    expect(judged(finding, [], { altered: false, partial: true }, documented(finding.id, 'index')).verdict).toBe(
      'holds',
    );
    expect(verdict(0.69, { altered: true, partial: false }).verdict).toBe('FAILS');
  });

  it('has one entry, of a check that there is', () => {
    const twice = [...documented('a', 'index'), ...documented('a', 'index')];
    expect(() => parseDeviations(twice)).toThrow('two entries for a: index');
    expect(() => parseDeviations([{ reason: 'because' }])).toThrow('evidence');
    const known = judged(finding, [index(0.8)], asIs, documented(finding.id, 'index'));
    expect(unknownIds([known], documented(finding.id, 'index'))).toEqual([]);
    expect(unknownIds([known], documented('fairness/nobody', 'index'))).toEqual(['fairness/nobody']);
  });
});

describe('a switch', () => {
  const ccas = ['copa', 'proteus-s'];

  it('changes one algorithm’s parameters, or every run', () => {
    const switches = parseSwitches(
      ['proteus-s.dev_coeff=0.01', 'copa.mode=default_only', 'run.seed=3', 'run.second_start_s=20'],
      ccas,
    );
    const plan = {
      flows: [{ cca: 'copa', params: { delta: 0.1 } }, { cca: 'proteus-s' }],
      capacity: { kind: 'constant', rate_mbps: 12 },
      queueBytes: 1000,
      rttMs: 40,
      seconds: 10,
    } as const;
    expect(switched(plan, switches)).toMatchObject({
      flows: [
        { cca: 'copa', params: { delta: 0.1, mode: 'default_only' } },
        { cca: 'proteus-s', params: { dev_coeff: 0.01 }, startS: 20 },
      ],
      seed: 3,
    });
    expect(switched(plan, NO_SWITCHES).flows[0]?.params).toEqual({ delta: 0.1 });
  });

  it.each([
    ['copa', 'written as'],
    ['nobody.x=1', 'there is no nobody'],
    ['run.weather=1', 'not weather'],
    ['run.constructor=1', 'not constructor'],
    ['run.seed=often', 'no number'],
  ])('%s is refused with what is wrong', (text, wrong) => {
    expect(() => parseSwitches([text], ccas)).toThrow(wrong);
  });
});

describe('the report can fail', () => {
  it('sees that an algorithm was broken, where it holds and where its deviation is documented', async () => {
    const broken = (...texts: string[]): Bench => ({
      ...asWritten(dir),
      switches: parseSwitches(texts, ['copa', 'bbr3']),
      altered: true,
    });
    const check = behaviourChecks(new Set(['copa']))[0];
    if (check === undefined) throw new Error('no check of Copa');
    const verdicts = async (bench: Bench) => (await checkBehaviour(check, bench)).map(({ verdict }) => verdict);
    expect(await verdicts(asWritten(dir))).not.toContain('FAILS');
    expect(await verdicts(broken('copa.delta=0.02'))).toContain('FAILS');

    const deviating = behaviourChecks(new Set(['bbr3'])).find(
      ({ link, loss }) => link.rateMbps === 12 && loss === 0.015,
    );
    if (deviating === undefined) throw new Error('no check of BBRv3 over 12 Mbps at 1.5 % loss');
    expect(await checkBehaviour(deviating, asWritten(dir))).toMatchObject([{ verdict: 'deviates' }]);
    const [worse] = await checkBehaviour(deviating, broken('bbr3.loss_thresh=0.1'));
    expect(worse).toMatchObject({ verdict: 'FAILS', reason: expect.stringContaining('documented is above') as string });
  });

  it('and says so by its exit code', () => {
    const report = (...words: string[]) =>
      spawnSync(
        process.execPath,
        ['--import', 'tsx', join(ROOT, 'scripts/fidelity.ts'), '--only', 'prototypes', '--ccas', 'vivace', ...words],
        { cwd: ROOT, encoding: 'utf8' },
      );
    expect(report()).toMatchObject({ status: 0, stdout: expect.not.stringContaining('FAILS') as string });
    const without = report('--switch', 'vivace.b_latency=0');
    expect(without).toMatchObject({ status: 1, stdout: expect.stringContaining('FAILS') as string });
    expect(report('--switch', 'vivace=1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('written as') as string,
    });
  });
});

describe('the C++ tests’ report', () => {
  const xml = `<doctest>
    <TestCase name="left out" filename="tests/cca/copa_test.cc" line="1" skipped="true"/>
    <TestCase name="one &lt; two &amp; &quot;three&quot;" filename="tests/cca/copa_link_test.cc" line="2">
      <OverallResultsAsserts successes="3" failures="0" test_case_success="true"/>
    </TestCase>
    <TestCase name="wrong" filename="tests/cca/proteus_test.cc" line="3">
      <Expression success="false" type="CHECK" filename="x" line="4"></Expression>
      <OverallResultsAsserts successes="1" failures="1" test_case_success="false"/>
    </TestCase>
  </doctest>`;

  it('is read as doctest writes it', () => {
    expect(testCasesOf(xml)).toEqual([
      { file: 'copa_link_test.cc', name: 'one < two & "three"', assertions: 3, passed: true },
      { file: 'proteus_test.cc', name: 'wrong', assertions: 2, passed: false },
    ]);
  });

  it('belongs to the algorithms that its file is about', () => {
    const ccas = ['copa', 'proteus-p', 'proteus-s', 'bbr', 'bbr3', 'cubic', 'newreno'];
    expect(ccasOfTest('proteus_test.cc', ccas)).toEqual(['proteus-p', 'proteus-s']);
    expect(ccasOfTest('bbr_link_test.cc', ccas)).toEqual(['bbr']);
    expect(ccasOfTest('hystart_test.cc', ccas)).toEqual(['cubic', 'newreno']);
    expect(ccasOfTest('registry_test.cc', ccas)).toEqual([]);
  });
});
