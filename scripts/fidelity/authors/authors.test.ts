import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../lib/paths.mjs';
import { instantsOf } from './compare.ts';
import { cellText, countText } from './print.ts';
import { AUTHORS_PROGRAMS, findPrograms } from './programs.ts';
import { authorsVerdict, figureVerdict, type Reached } from './verdict.ts';

let refs: string;
beforeAll(() => {
  refs = mkdtempSync(join(tmpdir(), 'paceline-refs-'));
});
afterAll(() => rmSync(refs, { recursive: true, force: true }));

const put = (file: string, mode = 0o755): void => {
  mkdirSync(dirname(join(refs, file)), { recursive: true });
  writeFileSync(join(refs, file), '#!/bin/sh\nexit 0\n');
  chmodSync(join(refs, file), mode);
};

const runs = (...values: readonly (readonly [number, number, number])[]): Reached[] =>
  values.map(([mbps, queueingMs, lossPercent]) => ({ mbps, queueingMs, lossPercent }));

describe('the authors’ programs', () => {
  it('are found where they stand built, each missing file by its path', () => {
    put('verus/verus_server');
    put('verus/verus_client');
    put('sprout/sproutbt2');
    put('genericCC/sender', 0o644);
    put('genericCC/receiver');
    const { found, missing } = findPrograms(refs);
    expect(found.map(({ external }) => external.id)).toEqual(['external-verus']);
    expect(missing).toContain(`sprout: there is no ${join(refs, 'sprout/sprout.model')}`);
    expect(missing).toContain(`copa: there is no ${join(refs, 'genericCC/sender')}`);
    expect(missing).toHaveLength(AUTHORS_PROGRAMS.length - 1);
  });

  it('are run by their absolute paths as words of their own, whatever the folder is called', () => {
    for (const { files } of AUTHORS_PROGRAMS) for (const file of Object.values(files)) put(file);
    const { found } = findPrograms(refs);
    expect(found).toHaveLength(AUTHORS_PROGRAMS.length);
    for (const { program, external } of found) {
      const words = [...external.sender, ...external.receiver];
      const [first = ''] = Object.values(program.files);
      expect(words.some((word) => word.endsWith(join(refs, first)))).toBe(true);
      // the shell's script names no path
      for (const command of [external.sender, external.receiver])
        if (command[0] === 'sh') expect(command[2]).not.toContain(refs);
    }
    expect(() => findPrograms('/tmp/{port}')).toThrow('without braces');
  });

  it('are met by ours at instants within the sample in which their data began', () => {
    const instants = instantsOf(0.2);
    expect(instants).toHaveLength(5);
    // delivered between 200 and 210 ms, 20 ms after it was sent
    for (const instant of instants) {
      expect(instant).toBeGreaterThan(0.18);
      expect(instant).toBeLessThan(0.19);
    }
    expect(new Set(instants).size).toBe(5);
    expect(instantsOf(0)[0]).toBe(0);
  });

  it('are asked for by a folder that must be there', () => {
    const command = (...words: string[]) =>
      spawnSync(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts/fidelity-authors.ts'), ...words], {
        cwd: ROOT,
        encoding: 'utf8',
      });
    expect(command()).toMatchObject({ status: 2, stderr: expect.stringContaining('--refs DIR') as string });
    expect(command('--refs', join(refs, 'nowhere')).stderr).toContain('there is no such folder');
    expect(command('--refs', refs, '--programs', 'nobody').stderr).toContain('there is no nobody');
    expect(command('--refs', refs, '--repetitions', '0').stderr).toContain('--repetitions 0');
    const empty = join(refs, 'empty');
    mkdirSync(empty);
    expect(command('--refs', empty)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('stands built') as string,
    });
  });
});

describe('ours beside theirs', () => {
  const theirs = runs([20, 10, 1], [20, 10, 1], [20, 10, 1]);

  it('agrees within a tenth, is near within a quarter, differs beyond', () => {
    expect(authorsVerdict(runs([21.9, 10.9, 1]), theirs)).toBe('agrees');
    expect(authorsVerdict(runs([24.9, 10, 1]), theirs)).toBe('near');
    expect(authorsVerdict(runs([15.1, 10, 1]), theirs)).toBe('near');
    expect(authorsVerdict(runs([25.1, 10, 1]), theirs)).toBe('differs');
    expect(authorsVerdict(runs([20, 13, 1]), theirs)).toBe('differs');
    expect(authorsVerdict(runs([20, 10, 3]), theirs)).toBe('differs');
  });

  it('takes small delays and losses for the same', () => {
    expect(figureVerdict(runs([20, 3.4, 0.5]), runs([20, 2, 0.02]), 'queueingMs')).toBe('agrees');
    expect(figureVerdict(runs([20, 3.4, 0.5]), runs([20, 2, 0.02]), 'lossPercent')).toBe('agrees');
    expect(figureVerdict(runs([20, 3.6, 0.5]), runs([20, 2, 0.02]), 'queueingMs')).toBe('differs');
  });

  it('is hidden where the program’s own runs lie as far apart and ours is among them', () => {
    const wild = runs([8, 10, 1], [20, 10, 1], [8, 10, 1]);
    expect(authorsVerdict(runs([19, 10, 1]), wild)).toBe('hidden');
    expect(authorsVerdict(runs([24, 10, 1]), wild)).toBe('differs');
    expect(authorsVerdict(runs([19, 10, 1]), runs([12, 10, 1]))).toBe('differs');
  });

  it('is of the clock where ours in real time agrees and ours in virtual time does not', () => {
    const [far, close] = [runs([20, 13, 1]), runs([20, 10.9, 1])];
    expect(authorsVerdict(far, theirs, close)).toBe('clock');
    expect(authorsVerdict(runs([24.9, 10, 1]), theirs, close)).toBe('clock');
    expect(authorsVerdict(far, theirs, far)).toBe('differs');
    expect(authorsVerdict(far, theirs, [])).toBe('differs');
    expect(authorsVerdict(far, theirs, runs([20, 12, 1]))).toBe('near');
    expect(authorsVerdict(runs([24.9, 10, 1]), theirs, far)).toBe('near');
    expect(authorsVerdict(close, theirs, far)).toBe('agrees');
    const cell = { program: 'copa', link: '24-mbps', theirs, ours: far, overruns: 0, failures: [], load: 0 };
    expect(cellText({ ...cell, live: close })).toMatch(/^clock +copa[^]*ours in real time rate 20\.0 Mbps/);
    expect(cellText({ ...cell, live: [] })).not.toContain('real time');
  });

  it('says how far its runs span, what failed, and that the machine was loaded', () => {
    const cell = {
      program: 'copa',
      link: '24-mbps',
      theirs: runs([8, 10, 1], [20, 10, 1], [8, 10, 1]),
      ours: runs([19, 10, 1]),
      live: [],
      overruns: 1,
      failures: ['the program ended with exit code 1'],
      load: 1000,
    };
    const text = cellText(cell);
    expect(text).toMatch(/^hidden +copa over 24-mbps/);
    expect(text).toContain('rate: its own runs span 8.0 to 20.0 Mbps, which hides the algorithm');
    expect(text).toContain('1 of its runs left out: the machine did not keep up');
    expect(text).toContain('the machine was loaded: 1000.0');
    expect(text).toContain('failed: the program ended with exit code 1');
    expect(countText([cell, { ...cell, theirs: [] }])).toBe('2 cells: 1 hidden, 1 not measured.');
  });
});
