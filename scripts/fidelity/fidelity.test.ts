// The fidelity report in short: a few of its checks made afresh, and that its data and what was kept of it fit together.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { behaviourChecks, checkBehaviour, checkIds } from './behaviour.ts';
import { DEVIATIONS, deviates, judgedByBand } from './deviations.ts';
import { checkFairness } from './fairness.ts';
import { ccasOfTest, testCasesOf } from './native-checks.ts';
import { comparePrototype, prototypesOf } from './prototypes.ts';
import { readStored } from './stored.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the fidelity report', () => {
  it.each(['newreno', 'vegas', 'copa', 'optimal'])('finds %s within its bounds, or says why not', async (cca) => {
    const checks = behaviourChecks(new Set([cca]));
    expect(checks.length).toBeGreaterThan(0);
    const findings = (await Promise.all(checks.map((check) => checkBehaviour(check, dir)))).flat();
    expect(findings.filter(({ verdict }) => verdict === 'FAILS')).toEqual([]);
    expect(findings.some(({ verdict }) => verdict === 'holds')).toBe(true);
  });

  it('finds two flows of Cubic equal', async () => {
    expect(await checkFairness('cubic', 1, dir)).toMatchObject({ verdict: 'holds', section: 'fairness' });
  });

  it('shows an authors’ figures beside ours, with the reason where they differ', async () => {
    const [vivace] = prototypesOf(new Set(['vivace']));
    if (vivace === undefined) throw new Error('no prototype of Vivace');
    const finding = await comparePrototype(vivace, dir);
    expect(finding.expected).toBe('22 Mbps, 2.2 ms, 0.1 % lost');
    expect(finding.verdict).toBe('holds');
  });

  it('keeps a finding for every check of its data', () => {
    const kept = new Set(readStored().findings.map(({ id }) => id));
    expect(checkIds().filter((id) => !kept.has(id))).toEqual([]);
  });

  it('explains nothing that does not deviate', () => {
    const { findings } = readStored();
    const explained = new Set(findings.flatMap(({ reason }) => (reason === undefined ? [] : [reason])));
    expect(DEVIATIONS.filter(({ reason }) => !explained.has(reason))).toEqual([]);
    expect(findings.filter(({ verdict }) => verdict === 'FAILS')).toEqual([]);
  });
});

describe('a deviation', () => {
  const finding = {
    section: 'fairness' as const,
    id: 'fairness/ledbat/4-BDP',
    ccas: ['ledbat'],
    what: '',
    expected: '',
    measured: '',
    source: '',
  };

  it('is documented for one side of the band', () => {
    expect(judgedByBand(finding, { low: 0.9, high: 0.95 }, 0.93).verdict).toBe('holds');
    expect(judgedByBand(finding, { low: 0.9, high: 0.95 }, 0.5)).toMatchObject({
      verdict: 'deviates',
      docs: 'docs/cca/ledbat.md',
    });
    expect(judgedByBand(finding, { low: 0.9, high: 0.95 }, 1).verdict).toBe('FAILS');
    expect(judgedByBand({ ...finding, id: 'fairness/newreno/4-BDP' }, { low: 0.9 }, 0.5).verdict).toBe('FAILS');
  });

  it('names ids by patterns', () => {
    expect(deviates('a/*/c', 'a/b/c')).toBe(true);
    expect(deviates('a/*/c', 'a/b/c/d')).toBe(false);
    expect(deviates('a/*', 'a/b/c')).toBe(true);
    expect(deviates('a/b', 'a/b/c')).toBe(false);
    expect(deviates('*x*', 'axb')).toBe(true);
    expect(deviates('a*a', 'a')).toBe(false);
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
