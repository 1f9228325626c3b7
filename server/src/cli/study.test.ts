// Studies from a terminal: what is listed, what runs, what is written, and what is refused.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StudyRecord } from '#protocol/study';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { SMALL_STUDY } from '../testing/small-study.ts';

// A study is some commands, one after the other.
vi.setConfig({ testTimeout: 300_000 });

const folder = testFolder();
const open: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((command) => command.kill('SIGKILL')));
});

function study(...args: string[]): Promise<Ended> {
  const data = join(folder(), 'data');
  mkdirSync(join(data, 'studies'), { recursive: true });
  writeFileSync(join(data, 'studies', 'small.study.json'), JSON.stringify(SMALL_STUDY));
  const command = new TestProcess('bin/paceline.mjs', ['study', ...args, '--data-dir', data], folder());
  open.push(command);
  return command.ended();
}

describe('paceline study', () => {
  it('says how long it takes, runs what is missing, and prints every claim with its verdict', async () => {
    const first = await study('run', 'small');
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/^3 runs, about [\s\S]*done after /)]);
    expect(first.stdout).toContain('A small study: 1 hold, 1 fail, 1 cannot be tested here');
    expect(first.stdout).toContain('✓ Both use most of it: 2 of 2 within the tolerance');
    expect(first.stdout).toMatch(/✗ Cubic waits for ten seconds: \S+ ms, paper 10000/);
    expect(first.stdout).toContain('why: Its queue was deeper.\n');
    expect(first.stdout).toMatch(/For real-time traffic over 12 Mbps at 1 BDP: /);

    const again = await study('run', 'small', '--json');
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/^0 runs, about done\n/)]);
    const { studies } = JSON.parse(again.stdout) as { studies: unknown[] };
    expect(StudyRecord.parse(studies[0]).verdicts).toMatchObject({ holds: 1, fails: 1, untestable: 1 });

    const listed = await study('list');
    expect(listed.stdout).toMatch(
      /^small +A small study +3 of 3 runs +done +1 hold, 1 fail, 1 cannot be tested here$/m,
    );
    expect(listed.stdout).toMatch(/^zeus +Zeus: .* 0 of \d+ runs +\d.* not run$/m);

    const report = await study('report', 'small', '--out', join(folder(), 'reports'));
    expect(report.code).toBe(0);
    expect(readFileSync(join(folder(), 'reports', 'small.html'), 'utf8')).toContain('Cubic waits for ten seconds');
    expect(existsSync(join(folder(), 'reports', 'small.json'))).toBe(true);
  });

  it('refuses what it does not know', async () => {
    const refusals: [string[], RegExp][] = [
      [['run', 'nothing'], /there is no study "nothing"\nThere are .*small/],
      [['dance'], /list, run or report, not "dance"/],
      [['run'], /study run: which\? --all is all of them/],
      [['list', 'small'], /study list: it takes no study/],
    ];
    for (const [words, said] of refusals) {
      const { code, stderr } = await study(...words);
      expect([words, code, stderr]).toEqual([words, 2, expect.stringMatching(said)]);
    }
  });
});
