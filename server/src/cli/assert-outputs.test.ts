// What others read: JUnit's XML, GitHub's workflow commands, Markdown, exit codes; with names that somebody else has chosen.
import { describe, expect, it } from 'vitest';
import type { Verdict } from '#analysis/expectation-verdict';
import { machineVerdict } from '#analysis/validity';
import { summaryOf } from '#analysis/testing';
import { after } from '../jobs/setbacks.ts';
import { annotation, annotations, harmless } from './assert-github.ts';
import { junitXml } from './assert-junit.ts';
import { markdownText, reportMarkdown } from './assert-markdown.ts';
import { bisectCode, exitCode, reportText, type AssertReport } from './assert-report.ts';
import { isOfMachine } from './made.ts';

const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  kind: 'bound',
  name: 'a name',
  verdict: 'ok',
  metric: 'loss',
  expected: 'loss ≤ 1 %',
  found: '0.5 %',
  where: 'Cubic',
  value: 0.005,
  interval: null,
  n: 3,
  basis: 'mean of 3 repetitions',
  p: null,
  reason: null,
  ...more,
});
const report = (verdicts: readonly Verdict[], more: Partial<AssertReport> = {}): AssertReport => ({
  file: 'ci/e.json',
  lines: verdicts.map((_, i) => i + 3),
  name: 'an experiment',
  engine_version: '1',
  error_rate: 0.05,
  runs: 3,
  retried: 0,
  failed: [],
  verdicts,
  notes: [],
  ...more,
});
const HOSTILE = 'a"<b>&\'\u0000\u001b]]>--\ud800\ufffe\n::error::x';
const FAILED = { id: 'r', state: 'failed' as const, reason: 'why\n<x>' };

describe('JUnit’s XML', () => {
  it('holds whatever names hold, and is read as what was meant', () => {
    const broken = verdict({ verdict: 'broken', name: HOSTILE, where: HOSTILE, reason: HOSTILE });
    const xml = junitXml(report([broken], { name: HOSTILE, file: HOSTILE, failed: [FAILED] }), 'fail');
    // Nothing that XML 1.0 does not have, and nothing but what was written as markup.
    expect(xml).not.toMatch(/(?![\t\n\r])[\p{Cc}\p{Surrogate}\ufffe]/u);
    expect(
      xml.replaceAll(
        /<\/?(testsuites|testsuite|testcase|failure|error|system-out)( [a-z]+="[^"<]*")*\/?>|<\?xml[^>]*>/g,
        '',
      ),
    ).not.toMatch(/[<]/);
    expect(xml.match(/&(?!(amp|lt|gt|quot|#39|#10|#9|#13);)/g)).toBeNull();
    expect(xml).toContain('name="a&quot;&lt;b&gt;&amp;&#39;\ufffd\ufffd]]&gt;--\ufffd\ufffd&#10;::error::x"');
    expect(xml).toContain('tests="2" failures="1" errors="1" skipped="0"');
  });
});

describe('GitHub’s commands', () => {
  it('are escaped as its toolkit does', () => {
    const at = { file: 'a,b:c%.json', line: 7, title: 'x\r\ny' };
    expect(annotation('error', at, '50 %: a,b\r\n::warning::')).toBe(
      '::error file=a%2Cb%3Ac%25.json,line=7,title=x%0D%0Ay::50 %25: a,b%0D%0A::warning::\n',
    );
  });

  it('are one line for what does not hold, and no other text begins one', () => {
    const all = report([verdict(), verdict({ verdict: 'broken', name: HOSTILE }), verdict({ verdict: 'undecided' })]);
    const env = { GITHUB_WORKSPACE: process.cwd() };
    const lines = annotations(all, 'fail', env).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^::error file=ci\/e\.json,line=4,/),
      expect.stringMatching(/^::error file=ci\/e\.json,line=5,/),
    ]);
    expect(annotations(all, 'pass', env)).toMatch(/^::warning .*line=5/m);
    expect(harmless('::add-mask::x\n  ::debug::y\na ##[add-path]z')).toBe(
      ': :add-mask::x\n  : :debug::y\na ## [add-path]z',
    );
    expect(harmless(reportText(all))).not.toMatch(/^\s*::|##\[/m);
  });
});

describe('Markdown', () => {
  it('shows names as they are, and keeps cells apart', () => {
    expect(markdownText('a|b\n<img src=x> [x](y) `z` @all *b*')).toBe(
      String.raw`a\|b &lt;img src=x&gt; \[x\](y) \`z\` &#64;all \*b\*`,
    );
    const text = reportMarkdown(report([verdict({ name: HOSTILE })], { failed: [FAILED] }), 'a (1).svg');
    const row = text.split('\n').find((line) => line.includes('✅')) ?? '';
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    expect(text).toContain('![Throughput–delay frontier](a%20%281%29.svg)');
    expect(reportMarkdown(report([verdict()]), null)).not.toContain('![');
  });
});

describe('exit codes', () => {
  it('say what is broken first, and never pass over a run without a result', () => {
    const [ok, broken, undecided] = [verdict(), verdict({ verdict: 'broken' }), verdict({ verdict: 'undecided' })];
    expect(exitCode(report([ok]), 'fail')).toBe(0);
    expect(exitCode(report([ok, broken, undecided], { failed: [FAILED] }), 'pass')).toBe(3);
    expect(exitCode(report([ok, undecided]), 'fail')).toBe(1);
    expect(exitCode(report([ok, undecided]), 'pass')).toBe(0);
    expect(exitCode(report([ok], { failed: [FAILED] }), 'pass')).toBe(1);
    expect([0, 3, 1, 2, 130].map(bisectCode)).toEqual([0, 1, 125, 125, 130]);
  });
});

describe('runs that are made again', () => {
  const none = { crashed: 0, hung: 0, killed: 9, killed_too: 0, lost: 0, server: 0, among_others: 0, last: null };
  const failed = (reason: string) => isOfMachine({ state: 'failed', reason, summary: null });
  const summary = summaryOf({ utilisation: 0.5, queueing_ms: 10 });

  it('are those that were killed, and none that ended by itself', () => {
    const killed = after(none, 'killed', 'the engine was ended by SIGKILL');
    expect(killed.after_ms).toBeNull();
    expect(failed(killed.reason)).toBe(true);
    expect(failed(after({ ...none, crashed: 2 }, 'crashed', 'SIGSEGV').reason)).toBe(false);
    expect(failed('mine.ts:3: TypeError')).toBe(false);
  });

  it('are those that this machine did not keep up with, and none that counts', () => {
    const lateness = {
      wakeups: 10,
      p50_us: 1,
      p99_us: 5000,
      max_us: 9000,
      late_opportunities: 0,
      unmodelled_losses: 0,
      overrun: false,
    };
    const late = { ...summary, lateness };
    expect(machineVerdict(late).reasons).toHaveLength(1);
    expect(isOfMachine({ state: 'invalid', reason: 'late', summary: late })).toBe(true);
    expect(isOfMachine({ state: 'done', reason: null, summary: late })).toBe(false);
    expect(isOfMachine({ state: 'invalid', reason: 'it ended after 3 s of 5 s', summary })).toBe(false);
  });
});
