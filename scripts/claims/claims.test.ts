import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Lanes } from '../fidelity/lanes.ts';
import { CLAIMS, distance, type Measured } from '../fidelity/reminis/claims.ts';
import { nameOf, readings } from '../fidelity/reminis/readings.ts';
import { ROOT } from '../lib/paths.mjs';
import type { Answer } from './claim.ts';
import { kendall, Lab } from './lab.ts';
import { faults, REASONS } from './reasons.ts';
import { zeusClaims } from './zeus.ts';

const answer = (id: string, holds: boolean): Answer => ({
  paper: 'p',
  claim: { id, where: '', what: '', published: '', measure: () => Promise.resolve({ text: '', holds }) },
  measured: { text: '', holds },
});

describe('the reasons of what does not hold', () => {
  const reasons = { 'p/out': 'because', 'p/in': 'no more', 'p/gone': 'of nothing' };
  it('are missed where there is none, where they are out of date, and where they are of no claim', () => {
    const answers = [answer('p/out', false), answer('p/bare', false), answer('p/in', true), answer('p/fine', true)];
    expect(faults(answers, true, reasons)).toEqual([
      'p/bare does not hold, and reasons.json does not say why',
      'p/in holds: its reason in reasons.json is out of date',
      'reasons.json: p/gone is no claim',
    ]);
    expect(faults(answers, false, reasons)).toHaveLength(2);
    expect(faults([answer('constructor', false)], false, reasons)).toHaveLength(1);
  });

  it('are of claims that there are, each of which has a name of its own', () => {
    const options = { shipped: '', dir: '', lanes: new Lanes(1), seeds: 1, linuxReceiver: true };
    const ids = [...zeusClaims(new Lab(options), 40).map(({ id }) => id), ...CLAIMS.map(({ id }) => `reminis/${id}`)];
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(REASONS).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('Kendall’s τ', () => {
  it('is 1 for the same order, −1 for the opposite, and counts pairs between', () => {
    expect(kendall([1, 2, 3], [10, 20, 30])).toBe(1);
    expect(kendall([1, 2, 3], [30, 20, 10])).toBe(-1);
    // one of six pairs the other way round
    expect(kendall([1, 2, 4, 3], [1, 2, 3, 4])).toBeCloseTo(4 / 6);
  });
});

describe('Reminis’ claims', () => {
  it('are as far off as the tolerances say, by ratio or by difference, and as far as can be when nothing was measured', () => {
    const one = (form: (typeof CLAIMS)[number]['form'], published: number, tolerance: number) => ({
      ...CLAIMS[0]!,
      form,
      published,
      tolerance,
    });
    expect(distance(one('about', 80, 10), 65)).toBeCloseTo(1.5);
    expect(distance(one('at most', 20, 2), 19)).toBe(0);
    expect(distance(one('at most', 20, 2), 22)).toBeCloseTo(1);
    expect(distance(one('at least', -20, 10), -35)).toBeCloseTo(1.5);
    expect(distance(one('factor', 2, 1.25), 2.5)).toBeCloseTo(1);
    expect(distance(one('factor', 2, 1.25), 1.6)).toBeCloseTo(1);
    expect(distance(one('about', 80, 10), NaN)).toBe(3);
  });

  it('look at the settings that they are about', async () => {
    const seen: string[] = [];
    const figures: Measured = { utilisation: 50, mbps: 10, delayMs: 30, p95Ms: 40, queueingMs: 5, lost: 0 };
    for (const claim of CLAIMS)
      await claim.measure((cca, setting) => {
        seen.push(`${cca} ${setting.rttMs} ${JSON.stringify(setting.queue)} ${JSON.stringify(setting.params ?? {})}`);
        return Promise.resolve(figures);
      });
    expect(seen).toContain('reminis 20 {"packets":51200} {}');
    expect(seen).toContain('reminis 10 {"packets":3200} {"dtt_mode":"absolute","dtt_ms":20}');
    expect(seen).toContain('reminis 50 {"bdp":1} {}');
    expect(seen).toContain('bbr2 20 {"packets":3200} {"dtt_factor":2}');
  });

  it('are put to every reading, each by a name of its own', () => {
    const all = readings();
    expect(all).toHaveLength(576);
    expect(new Set(all.map(nameOf)).size).toBe(all.length);
  });
});

describe('npm run claims', () => {
  it('refuses a paper, a number of seeds and a receiver that there are not', () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts/claims.ts'), ...words], {
        cwd: ROOT,
        encoding: 'utf8',
      });
    expect(run('--papers', 'nature')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no nature; there are zeus, reminis') as string,
    });
    expect(run('--seeds', '0').status).toBe(2);
    expect(run('--receiver', 'phone').status).toBe(2);
  });
});
