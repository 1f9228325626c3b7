// Skeletons of plug-ins: what is declared is in them, what the text does stands beside its calls, and every compiler takes them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { EngineListing } from '#protocol/cca';
import { OwnDeclaration } from '#protocol/own-algorithm';
import { nativeDir } from '#bridge/programs';
import { programParts } from './own-program-parts.ts';
import { skeletonId, skeletonOf } from './own-skeleton.ts';

const INCLUDE = fileURLToPath(new URL('../../emulator-bridge/native/plugin', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'paceline-skeleton-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What compilers and readers of brackets could take for something else. */
const HARD = `// A line that goes on \\
export default {
  name: 'Größer??/ "x" \\\\',
  create: (setup: Setup) => {
    const me = {
      cwnd_bytes: 10000, class: 1, state: 'up', phase: 'startup',
      onAck: (ack) => { const s = "}"; /* } onSent( */ me.phase = 'drain'; },
      onLoss(loss: Loss): void { if (loss.new_episode) me.cwnd_bytes /= 2; },
      onTimeout: function (t) { me.cwnd_bytes = 1500; },
      onTick(now_ms) { this.onAck(null); },
    };
    return me;
  },
};
`;
const base = { min: null, max: null, unit: '', help: '', choices: [] };
const hard = OwnDeclaration.parse({
  name: 'Größer??/ "x" \\',
  summary: 'What it does??! "quoted"',
  source: 'https://example.org/?a=1',
  needs: { pacing: 'own', prr: false, acked_packets: true, receiver_timestamps: true, paced_start: true, ecn: 'l4s' },
  params: [
    { ...base, name: 'class', label: 'Class', type: 'integer', default: 3, min: 1, max: 10 },
    { ...base, name: 'new', label: 'New', type: 'boolean', default: true },
    { ...base, name: 'mode', label: 'Mode', type: 'choice', default: 'a\\b', choices: ['a\\b', 'b"c'], help: 'x??/' },
    { ...base, name: 'gain', label: 'Gain', type: 'number', default: 1e-7, min: 0, max: 1e21, unit: 'µs' },
  ],
  internals: [
    { name: 'class', label: 'c', unit: '', states: [] },
    { name: 'state', label: 'State', unit: '', states: ['up', 'down \\'] },
  ],
});
const plain = OwnDeclaration.parse({ name: '?', summary: '', source: '', needs: {}, params: [], internals: [] });
const PLAIN = `export default { name: '?', create: () => ({ cwnd_bytes: 1, onAck() {} }) };\r\n`;

describe('parts of a text', () => {
  it('are its calls, whatever form they have, and create without them', () => {
    const { calls, create, phases } = programParts(HARD);
    expect([...calls.keys()]).toEqual(['onAck', 'onLoss', 'onTimeout', 'onTick']);
    expect(calls.get('onAck')).toBe(`onAck: (ack) => { const s = "}"; /* } onSent( */ me.phase = 'drain'; }`);
    expect(calls.get('onTimeout')).toBe('onTimeout: function (t) { me.cwnd_bytes = 1500; }');
    expect(create).toMatch(/^create: \(setup: Setup\) => \{\n {2}const me = \{\n.*\n {4}onAck …,\n {4}onLoss …,/);
    expect(phases).toEqual(['startup', 'drain']);
  });

  it('are not taken from types, and are told as not found where they are written otherwise', () => {
    const { calls } = programParts(
      `interface C { onAck(ack: Ack): void; }\nconst onLoss = cut;\nexport default { create: () => ({ onAck(a) { a; }, onLoss }) };`,
    );
    expect([...calls]).toEqual([
      ['onAck', 'onAck(a) { a; }'],
      ['onLoss', null],
    ]);
  });
});

describe('a skeleton', () => {
  it('is named so that specs can name it', () => {
    expect(['Größer & Faster 2', '???', 'BBR'].map(skeletonId)).toEqual(['grosser-faster-2', 'own-algorithm', 'bbr']);
  });

  it('holds the whole text, and each call beside what it becomes', () => {
    const source = skeletonOf(hard, HARD);
    for (const line of HARD.trimEnd().split('\n').slice(1)) expect(source).toContain(`// ${line}`.trimEnd());
    expect(source).toMatch(/void on_tick\([^)]*\) \{\n {4}\/\/ onTick\(now_ms\) \{ this\.onAck\(null\); \}\n {2}\}/);
    expect(source).toContain('.on_sent = nullptr');
  });

  it.each([
    ['hard', hard, HARD],
    ['plain', plain, PLAIN],
  ] as const)('compiles without a warning, and is listed as it was declared: %s', (name, declaration, text) => {
    const [source, library] = [join(folder, `${name}.cc`), join(folder, `${name}.so`)];
    writeFileSync(source, skeletonOf(declaration, text));
    const words = '-std=c++20 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -fvisibility=hidden'.split(' ');
    execFileSync('c++', [...words, '-I', INCLUDE, source, '-o', library]);
    const told = execFileSync(join(nativeDir(), 'paceline-list'), ['--cca-plugin', library], { encoding: 'utf8' });
    const { ccas } = EngineListing.parse(JSON.parse(told));
    const listed = ccas.find(({ id }) => id === skeletonId(declaration.name));
    expect(listed).toMatchObject({
      label: declaration.name,
      summary: declaration.summary,
      source: declaration.source,
      internals: declaration.internals,
    });
    const named = ({
      name: param,
      label,
      type,
      default: value,
      choices,
      help,
      unit,
    }: (typeof declaration.params)[number]) => ({
      param,
      label,
      type,
      value,
      choices,
      help,
      unit,
    });
    expect(listed?.params.map(named)).toEqual(declaration.params.map(named));
    expect(readFileSync(source, 'utf8')).toContain(declaration.needs.prr ? '.needs = 0' : 'PACELINE_NEEDS_NO_PRR');
  });
});
