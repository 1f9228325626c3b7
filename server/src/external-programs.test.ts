import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LISTING } from '#analysis/testing';
import { EngineListing } from '#protocol/cca';
import { UsageError } from './config.ts';
import { offered, withExternal } from './external-programs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-external-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const TOOL = {
  name: 'tool',
  label: 'Tool',
  summary: 'Sends.',
  sender: [process.execPath, '--secret', '{receiver}'],
  receiver: ['sh', '-c', 'exit 0'],
};

const external = (where: Parameters<typeof offered>[0]) => offered(where).external;

function configured(programs: readonly object[], name = 'endpoints.json'): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ programs }));
  return file;
}
const load = (programs: readonly object[]) => {
  configured(programs);
  return external({ dataDir: folder });
};
const fault = (programs: readonly object[]): string => {
  try {
    load(programs);
  } catch (error) {
    if (error instanceof UsageError) return error.message.replace(`${folder}/`, '');
    throw error;
  }
  return '';
};

describe('the operator’s external programs', () => {
  it('are those of the data folder, unless a file is named; then that must be there', () => {
    expect(external({ dataDir: folder })).toEqual([]);
    expect(load([TOOL]).map(({ id }) => id)).toEqual(['external-tool']);
    const other = configured([{ ...TOOL, name: 'other' }], 'other.json');
    expect(external({ dataDir: folder, endpoints: other }).map(({ id }) => id)).toEqual(['external-other']);
    expect(() => external({ dataDir: folder, endpoints: join(folder, 'none.json') })).toThrow(/none\.json/);
  });

  it('are refused with file and place when something is wrong', () => {
    expect(fault([{ ...TOOL, sender: [] }])).toBe('endpoints.json: programs.0.sender: wants the words of a command');
    expect(fault([{ ...TOOL, receiver: ['./tool'] }])).toMatch(
      /programs\.0\.receiver: begins with a program by its name/,
    );
    expect(fault([{ ...TOOL, name: 'Tool!' }])).toMatch(/programs\.0\.name: wants lower-case letters/);
    expect(fault([TOOL, TOOL])).toBe('endpoints.json: programs.1.name: there is another program “tool”');
    expect(fault([{ ...TOOL, comand: 'x' }])).toBe('endpoints.json: programs.0.comand: There is no such field.');
    writeFileSync(join(folder, 'endpoints.json'), '{');
    expect(() => external({ dataDir: folder })).toThrow(UsageError);
  });

  it('may have compiled algorithms beside them, or instead of them', () => {
    const file = join(folder, 'endpoints.json');
    const write = (bpf: readonly object[]) => {
      writeFileSync(file, JSON.stringify({ bpf }));
    };
    write([
      { name: 'aimd', file: 'objects/aimd.o' },
      { name: 'mine', file: '/srv/mine.o' },
    ]);
    const environment = [{ name: 'other', path: '/srv/other.o' }];
    expect(offered({ dataDir: folder }, environment)).toEqual({
      external: [],
      bpf: [
        { name: 'other', path: '/srv/other.o' },
        { name: 'aimd', path: join(folder, 'objects/aimd.o') },
        { name: 'mine', path: '/srv/mine.o' },
      ],
    });
    expect(() => offered({ dataDir: folder }, [{ name: 'mine', path: '/x.o' }])).toThrow(
      `${file}: bpf.1.name: $PACELINE_BPF names another “mine”`,
    );
    write([{ name: 'A=b', file: 'x.o' }]);
    expect(() => external({ dataDir: folder })).toThrow(/bpf\.0\.name: wants lower-case letters/);
    write([
      { name: 'a', file: 'x.o' },
      { name: 'a', file: 'y.o' },
    ]);
    expect(() => external({ dataDir: folder })).toThrow(/bpf\.1\.name: there is another compiled algorithm “a”/);
  });

  it('stand in the listing without their commands', () => {
    const listing = EngineListing.parse(withExternal(LISTING, load([TOOL])));
    const tool = listing.ccas.at(-1);
    expect(tool).toMatchObject({ id: 'external-tool', kind: 'external', label: 'Tool', engines: ['realtime'] });
    expect(tool?.unavailable).toBeUndefined();
    expect(JSON.stringify(listing)).not.toContain('secret');
  });

  it('change their revision with their commands, and with nothing else', () => {
    const revision = (change: object) => load([{ ...TOOL, ...change }])[0]?.revision;
    expect(revision({})).toMatch(/^[0-9a-f]{12}$/);
    expect(revision({ label: 'Other' })).toBe(revision({}));
    expect(revision({ receiver: ['sh', '-c', 'exit 1'] })).not.toBe(revision({}));
    expect(revision({ calls: 'receiver' })).not.toBe(revision({}));
  });

  it('are given their variables, and those alone that a run does not give', () => {
    const [tool] = load([{ ...TOOL, env: { MODE: 'a b', AT: '{port}' } }]);
    expect(tool).toMatchObject({ sender: TOOL.sender, env: { MODE: 'a b', AT: '{port}' } });
    const [plain] = load([{ ...TOOL, env: {} }]);
    expect(plain).not.toHaveProperty('env');
    expect(plain?.revision).toBe(load([TOOL])[0]?.revision);
    expect(tool?.revision).not.toBe(plain?.revision);
    for (const env of [{ 'A=B': '' }, { '-i': '' }, { PACELINE_PORT: '1' }, { A: 'a\0b' }, { A: 'x'.repeat(40_000) }])
      expect(fault([{ ...TOOL, env }])).toMatch(/^endpoints\.json: programs\.0\.env/);
  });

  it('have their output kept unless it is refused, and files of theirs by a name that leads nowhere else', () => {
    const log = (value?: unknown) => load([{ ...TOOL, ...(value === undefined ? {} : { log: value }) }])[0]?.log;
    expect([log(), log(true), log(false), log('trace.log'), log('run-*.csv')]).toEqual([
      true,
      true,
      false,
      'trace.log',
      'run-*.csv',
    ]);
    expect(load([{ ...TOOL, log: 'trace.log' }])[0]?.revision).toBe(load([TOOL])[0]?.revision);
    for (const name of ['', '..', '../x', '/etc/passwd', 'a/b', '.hidden', 'a b', '*a*', 'x'.repeat(101), 3])
      expect(fault([{ ...TOOL, log: name }]), String(name)).toMatch(/^endpoints\.json: programs\.0\.log/);
  });

  it('say what is missing on this machine', () => {
    const unavailable = (change: object) => load([{ ...TOOL, ...change }])[0]?.unavailable;
    expect(unavailable({ receiver: ['no-such-program-here'] })).toBe(
      'there is no program no-such-program-here on this machine (it is not in PATH)',
    );
    const plain = join(folder, 'plain');
    writeFileSync(plain, '');
    expect(unavailable({ sender: [plain] })).toBe(`there is no program ${plain} on this machine`);
    chmodSync(plain, 0o755);
    expect(unavailable({ sender: [plain] })).toBeNull();
  });

  it('look like the CCA that they are said to be like, else like nobody', () => {
    const programs = load([
      { ...TOOL, looks_like: 'rival' },
      { ...TOOL, name: 'b' },
      { ...TOOL, name: 'c' },
    ]);
    const looks = withExternal(LISTING, programs)
      .ccas.slice(-3)
      .map(({ identity }) => identity);
    const rival = LISTING.ccas.find(({ id }) => id === 'rival');
    expect(looks[0]).toEqual({ ...rival?.identity, hollow: true });
    const all = [...LISTING.ccas.map(({ identity }) => identity), ...looks.slice(1)];
    for (const look of looks.slice(1))
      expect(all.filter(({ slot, marker }) => slot === look.slot && marker === look.marker)).toHaveLength(1);
  });
});
