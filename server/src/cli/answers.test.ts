import { describe, expect, it } from 'vitest';
import { resultsOf } from '#analysis/results';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';
import { answers } from './answers.ts';

const said = (runs: readonly TestRun[]): string[] =>
  answers(resultsOf(experimentOf(runs), LISTING.ccas))
    .trimEnd()
    .split('\n');

/** A run of each repetition. */
const repeated = (run: Omit<TestRun, 'utilisation'>, utilisations: readonly number[]): TestRun[] =>
  utilisations.map((utilisation, repetition) => ({ ...run, repetition, utilisation }));

describe('what came out', () => {
  it('is a line of one run, and nobody is first where nobody else is', () => {
    expect(said([{ cca: 'rival', buffer: { bdp: 1 }, utilisation: 0.51234, queueing_ms: 10 }])).toEqual([
      expect.stringMatching(/^algorithm +limit +utilisation, % +queueing, ms +p95, ms +loss, % +runs$/),
      expect.stringMatching(/^RIVAL +1 BDP +51.2 +10 .* 1$/),
    ]);
  });

  it('has a column for what differs, intervals from three repetitions on, and says what these are over', () => {
    const run = { cca: 'rival', buffer: { bdp: 1 }, queueing_ms: 10 };
    const lines = said([
      ...repeated({ ...run, trace: 'a' }, [0.5, 0.6, 0.7]),
      ...repeated({ ...run, trace: 'b' }, [0.5, 0.6]),
    ]);
    expect(lines[0]).toMatch(/^algorithm +trace +limit/);
    // Student's t on the logit: 4.3027 · 0.1 / √3 / (0.6 · 0.4) around logit 0.6.
    expect(lines[1]).toMatch(/^RIVAL +a +1 BDP +60 \(34\.8 … 80\.9\) +10 /);
    expect(lines[2]).toMatch(/^RIVAL +b +1 BDP +55 +10 /);
    expect(lines[3]).toBe('In brackets: 95 % intervals over the runs of each line.');
  });

  it('tells harm, with its verdict, of the line that it belongs to', () => {
    const text = said(
      [20, 40].flatMap((base_rtt_ms) =>
        [0, 1, 2].flatMap((repetition): TestRun[] => {
          const at = { base_rtt_ms, repetition, queueing_ms: 10, utilisation: 0.9 };
          const beside = repetition / 10;
          return [
            { ...at, cca: 'base', throughput_mbps: [10] },
            { ...at, cca: 'base', role: 'self_pair', ccas: ['base', 'base'], throughput_mbps: [5, 5 + beside] },
            { ...at, cca: 'rival', throughput_mbps: [10] },
            { ...at, cca: 'rival', role: 'baseline_pair', ccas: ['rival', 'base'], throughput_mbps: [9, 1 + beside] },
          ];
        }),
      ),
    ).join('\n');
    expect(text).toMatch(/ {2}algorithm +base RTT, ms +limit +throughput +delay\n/);
    for (const rtt of [20, 40]) expect(text).toMatch(new RegExp(` {2}RIVAL +${rtt} .* 89 \\(.*\\), harmful`));
  });

  it('has a column for what was swept, by its name', () => {
    const sweep = (value: number) => ({ path: 'flows.1.start_s', value });
    const lines = said([
      { cca: 'rival', utilisation: 0.5, queueing_ms: 10, sweep: sweep(0) },
      { cca: 'rival', utilisation: 0.6, queueing_ms: 10, sweep: sweep(5) },
      { cca: 'perfect', utilisation: 1, queueing_ms: 0 },
    ]);
    expect(lines[0]).toMatch(/^algorithm +start_s of flow 2 +limit/);
    expect(lines.slice(1, 4).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['RIVAL', '0'],
      ['RIVAL', '5'],
      ['PERFECT', '–'],
    ]);
  });

  it('ranks, with what the score’s interval is over and without what nobody measured', () => {
    const text = said(
      ['a', 'b', 'c'].flatMap((trace, i) => [
        ...repeated({ cca: 'rival', trace, queueing_ms: 10 }, [0.5 + i / 20, 0.52 + i / 20, 0.54 + i / 20]),
        ...repeated({ cca: 'base', trace, queueing_ms: 40 }, [0.9, 0.91, 0.92]),
      ]),
    ).join('\n');
    expect(text).toContain('Large object transfer, without intra and inter, which nobody measured; equal ranks');
    expect(text).toMatch(
      /\n {2}1 {2}BASE +0\.\d+ \([\d.]+ … [\d.]+ over 3 repetitions; [\d.]+ … [\d.]+ over 3 traces\)\n {2}2 {2}RIVAL /,
    );
  });

  it('ends where a person stops reading, and says what there is more', () => {
    const runs = Array.from({ length: 70 }, (_, i): TestRun => ({
      cca: 'rival',
      buffer: { bdp: i + 1 },
      utilisation: 0.5,
      queueing_ms: 10,
    }));
    const lines = said(runs);
    expect(lines).toHaveLength(62);
    expect(lines[61]).toBe('… and 10 more cells, in summary.csv');
  });

  it('says where shares with the baseline cross', () => {
    const pair = (bdp: number, share: number, repetition: number): TestRun => ({
      cca: 'rival',
      ccas: ['rival', 'base'],
      role: 'baseline_pair',
      buffer: { bdp },
      repetition,
      utilisation: 1,
      queueing_ms: 10,
      throughput_mbps: [12 * share, 12 * (1 - share)],
    });
    const runs = [0, 1, 2].flatMap((i) => [pair(1, 0.7 + i / 100, i), pair(16, 0.3 - i / 100, i)]);
    const text = said(runs).join('\n');
    expect(text).toContain('Queue limit at which the shares of a link with the baseline cross');
    expect(text).toMatch(/RIVAL +4 BDP( \([\d.]+ BDP … [\d.]+ BDP\))? +the baseline has more beyond$/);
    expect(said(runs.slice(0, 1)).join('\n')).not.toContain('cross');
  });
});
