// Own algorithms in the engine: what they are told and what they may do, and that a hostile one ends its own run and nothing else.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { nativeDir } from '#bridge/programs';
import { manifest as fakeManifest } from '#bridge/testing/fake-programs';
import { decodeSamples } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import { createEngine, type Engine, type EngineOutcome } from '../engine.ts';
import { interpreterModule, programOf, runOwn, withProgram } from '../testing/own.ts';

const MODULE = join(nativeDir(), 'paceline.wasm');
const there = existsSync(MODULE);
let engine: Engine;
beforeAll(async () => {
  if (there) engine = await createEngine(new Uint8Array(readFileSync(MODULE)), interpreterModule);
});

const manifest = (over: Partial<RunManifest> = {}): RunManifest => ({
  ...fakeManifest({ engine_version: engine.version, duration_s: 5 }),
  ...over,
});
const run = (text: string, over: Partial<RunManifest> = {}, params = {}): Promise<EngineOutcome> =>
  runOwn(engine, manifest(over), text, params);

/** A fixed window, with this in its controller. */
const fixed = (body: string, head = ''): string =>
  `${head}\nexport default { name: 'Fixed', create: (setup) => ({ cwnd_bytes: 30000, onAck(ack) {}, ${body} }) };`;
/** It throws what it has found after a while: the only way for it to tell us. */
const told = async (what: string, over: Partial<RunManifest> = {}, rest = ''): Promise<string> => {
  const { reason } = await run(
    fixed(`onAck(ack) { if (ack.now_ms > 2000) throw new Error(JSON.stringify(${what})); } ${rest}`),
    over,
  );
  return reason ?? '';
};

describe.skipIf(!there)('an own algorithm', () => {
  it('is told of acknowledgements in its units', async () => {
    const text = await told(
      '[ack.acked_bytes % 1500, ack.rtt_ms >= ack.min_rtt_ms, ack.min_rtt_ms >= 20 && ack.min_rtt_ms < 25, ack.recovery, ' +
        'ack.packets.length, ack.rate_mbps > 1 && ack.rate_mbps < 20, ack.delivered_bytes > 1e6, ack.window_limited, ack.inflight_bytes <= 30000]',
    );
    expect(text).toContain('[0,true,true,"none",0,true,true,true,true]');
    expect(text).toMatch(/^Fixed, line 2: Error: /);
  });

  it('has packets one by one where it asks for them', async () => {
    const text = fixed('').replace(
      "name: 'Fixed',",
      "name: 'Fixed', needs: { acked_packets: true, receiver_timestamps: true },",
    );
    const asks = text.replace(
      'onAck(ack) {}',
      'tag: 3, onAck(ack) { const [p] = ack.packets; if (ack.now_ms > 1000) throw new Error(JSON.stringify([ack.packets.length === ack.acked_packets, p.bytes, p.tag, p.rtt_ms >= 20, typeof p.one_way_ms, p.retransmission, Object.isFrozen(ack.packets)])); }',
    );
    expect((await run(asks)).reason).toContain('[true,1500,3,true,"number",false,true]');
  });

  it('hears of losses before the acknowledgement, of timeouts, of what leaves, and of its own timer', async () => {
    const heard = `
      heard: {}, n(what) { this.heard[what] = (this.heard[what] ?? 0) + 1; },
      cwnd_bytes: 3e6, next_tick_ms: 100,
      onLoss(loss) { this.n('loss'); if (loss.packets.length !== loss.lost_packets) throw new Error('packets'); },
      onTimeout(timeout) { this.n('timeout'); },
      onSent(sent) { this.n('sent'); if (sent.inflight_bytes !== sent.inflight_before_bytes + sent.bytes) throw new Error('inflight'); },
      onTick(now_ms) { this.n('tick'); this.next_tick_ms = now_ms + 100; },
      onAck(ack) { this.n('ack'); if (ack.now_ms > 4500) throw new Error(JSON.stringify(this.heard)); },`;
    const { reason } = await run(fixed(heard));
    const counts = JSON.parse(/\{.*\}/.exec(reason ?? '')?.[0] ?? '{}') as Record<string, number>;
    expect(counts['tick']).toBe(45);
    expect(counts['loss']).toBeGreaterThan(0);
    expect(counts['sent']).toBeGreaterThan(counts['ack'] ?? 0);
  });

  it('a tick that is not moved on comes once', async () => {
    const { outcome } = await run(fixed('next_tick_ms: 10, onTick() {}'));
    expect(outcome).toBe('done');
  });

  it('holds back and paces what it sends', async () => {
    const paced = `export default { name: 'Paced', needs: { pacing: 'own' }, params: { rate: { type: 'number', label: 'Rate', default: 3, min: 1, max: 9 } },
      create: ({ params }) => ({ cwnd_bytes: Infinity, pacing_mbps: params.rate, onAck() {} }) };`;
    const { summary } = await run(paced, {}, { rate: 4 });
    expect(summary?.links[0]?.utilisation).toBeCloseTo(0.4, 1);
    const held = await run(fixed('hold_until_ms: 2500'));
    expect(held.summary?.links[0]?.utilisation).toBeLessThan(
      0.55 * ((await run(fixed(''))).summary?.links[0]?.utilisation ?? 0),
    );
  });

  it('shows its inside and its phase, also what is set late', async () => {
    const text = `export default { name: 'Shown', internals: { seen: { label: 'Seen', unit: 'packets' }, mode: { label: 'Mode', states: ['low', 'high'] }, nothing: { label: 'Nothing' } },
      create: () => ({ cwnd_bytes: 30000, seen: 0, mode: 'low', nothing: undefined, onAck(ack) { this.seen += ack.acked_packets; if (ack.now_ms > 1000) { this.mode = 'high'; this.phase = 'late'; } } }) };`;
    const program = programOf(text);
    const rows: number[][] = [];
    const phases: string[] = [];
    await engine.run(
      withProgram(manifest(), program),
      { programs: new Map([[program.sha256, program.bytes]]) },
      {
        onFrame: (bytes, _header, control) => {
          if (control?.type === 'event' && control.event === 'phase') phases.push(String(control.detail));
          if (control !== null) return;
          const { stream, columns } = decodeSamples(bytes);
          if (stream === 16)
            rows.push(
              ...Array.from(columns.at(-3) ?? [], (seen, i) => [
                seen,
                columns.at(-2)?.[i] ?? 0,
                columns.at(-1)?.[i] ?? 0,
              ]),
            );
        },
      },
    );
    expect(phases).toContain('late');
    expect(rows.length).toBeGreaterThan(10);
    const last = rows.at(-1) ?? [];
    expect(last[0]).toBeGreaterThan(1000);
    expect([rows[0]?.[1], last[1]]).toEqual([0, 1]);
    expect(last[2]).toBeNaN();
  });

  it('has phases of its own in each run of an engine', async () => {
    const text = `export default { name: 'Phased', params: { late: { type: 'boolean', label: 'Late', default: false } },
      create: ({ params }) => ({ cwnd_bytes: 30000, phase: params.late ? 'late' : 'early', onAck(ack) {} }) };`;
    const phaseOf = async (late: boolean): Promise<unknown> => {
      const phases: unknown[] = [];
      await runOwn(
        engine,
        manifest(),
        text,
        { late },
        {
          onFrame: (_bytes, _header, control) => {
            if (control?.type === 'event' && control.event === 'phase') phases.push(control.detail);
          },
        },
      );
      return phases;
    };
    expect([await phaseOf(false), await phaseOf(true)]).toEqual([['early'], ['late']]);
  });

  it('is the same whenever it runs, chance included, and another with another seed', async () => {
    const text = fixed('onAck(ack) { this.cwnd_bytes = 15000 + 30000 * Math.random(); }');
    const [first, again, other] = [await run(text), await run(text), await run(text, { seed: 2 })];
    expect(again.summary).toEqual(first.summary);
    expect(other.summary).not.toEqual(first.summary);
  });

  it('cannot be seen by another flow of the same text', async () => {
    const [flow] = manifest().flows;
    const text = fixed(
      'onAck(ack) { const seen = globalThis.count ?? 0; globalThis.count = seen + 1; Array.prototype.mine = (Array.prototype.mine ?? 0) + 1; this.own = (this.own ?? 0) + 1; if (seen + 1 !== this.own || Array.prototype.mine !== this.own) throw new Error("seen"); }',
    );
    expect(flow).toBeDefined();
    const { outcome, reason } = await run(text, { flows: flow === undefined ? [] : [flow, { ...flow, start_s: 1 }] });
    expect([outcome, reason]).toEqual(['done', null]);
  });
});

const HOSTILE: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ['a loop without end in a call', fixed('onAck(ack) { for (;;) {} }'), /line 2: it took more steps than a call may/],
  ['a loop without end as it is read', 'for (;;) {}', /line 1: it took more steps/],
  [
    'a loop that catches its own end',
    fixed('onAck(ack) { for (;;) { try { for (;;) {} } catch {} finally { continue; } } }'),
    /more steps/,
  ],
  [
    'a regular expression without end',
    fixed('onAck(ack) { /(a+)+$/.test("a".repeat(64) + "b"); }'),
    /more steps|out of|Error/,
  ],
  [
    'a bomb of arrays',
    fixed('onAck(ack) { const all = []; for (;;) all.push(new Float64Array(1e5)); }'),
    /more memory than it may/,
  ],
  ['a bomb of texts', fixed('onAck(ack) { let s = "x"; for (;;) s += s; }'), /more memory|string too long/],
  [
    'one array of everything',
    fixed('onAck(ack) { new ArrayBuffer(2 ** 31); }'),
    /more memory|invalid array buffer length|RangeError/i,
  ],
  ['a recursion without end', fixed('onAck(ack) { const f = () => f() + 1; f(); }'), /stack overflow/],
  ['a throw of anything', fixed('onAck(ack) { throw 7; }'), /it threw 7/],
  ['an error that lies', fixed('onAck(ack) { throw { get message() { for (;;) {} } }; }'), /Fixed/],
  ['no number', fixed('onAck(ack) { this.cwnd_bytes = NaN; }'), /cwnd_bytes is NaN, not a number/],
  ['a word for a number', fixed('onAck(ack) { this.cwnd_bytes = "many"; }'), /cwnd_bytes is string, not a number/],
  ['a window below nothing', fixed('onAck(ack) { this.cwnd_bytes = -5; }'), /a window of -5 bytes/],
  ['a rate without end', fixed('pacing_mbps: Infinity'), /a rate that is no number/],
  ['a getter that throws', fixed('get cwnd_bytes() { throw new Error("no"); }'), /Error: no/],
  [
    'a proxy that loops',
    `export default { name: 'P', create: () => new Proxy({ cwnd_bytes: 1e4, onAck() {} }, { get(t, k) { if (k === 'cwnd_bytes') for (;;) {} return t[k]; } }) };`,
    /more steps/,
  ],
  [
    'changed prototypes',
    fixed(
      'onAck(ack) { this.cwnd_bytes = 1500; }',
      'Object.prototype.phase = "x"; Array.prototype.indexOf = () => { throw new Error("changed"); }; JSON.parse = () => { throw new Error("changed"); }; Function.prototype.call = null;',
    ),
    /Error: changed/,
  ],
  [
    'too many words for phases',
    fixed('onAck(ack) { this.phase = String(ack.now_ms); }'),
    /more than 64 different words/,
  ],
  ['a module that is not here', 'import fs from "node:fs"; export default 1;', /could not load module/],
  ['a wait for nothing', 'await new Promise(() => {}); export default 1;', /nothing to wait for/],
];

/** Nothing of a browser, of Node, of a clock, and no way to the host. */
const ABSENT = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'importScripts',
  'postMessage',
  'self',
  'window',
  'document',
  'navigator',
  'indexedDB',
  'caches',
  'localStorage',
  'BroadcastChannel',
  'Worker',
  'WebAssembly',
  'SharedArrayBuffer',
  'Atomics',
  'setTimeout',
  'queueMicrotask',
  'performance',
  'Date',
  'process',
  'require',
  'module',
  'Buffer',
  'global',
  'Deno',
  'std',
  'os',
  'console',
];

describe.skipIf(!there)('a hostile text', () => {
  it.each(HOSTILE)('with %s ends its own run', async (_what, text, says) => {
    const usual = await run(fixed(''));
    const hostile = await run(text);
    expect(hostile.reason ?? '').toMatch(says);
    expect(hostile.outcome).toBe('failed');
    // The next one finds everything as it was.
    expect(await run(fixed(''))).toEqual(usual);
  });

  it('finds nothing to reach', async () => {
    const found = await told(`${JSON.stringify(ABSENT)}.filter((name) => name in globalThis)`);
    expect(found).toContain('Error: []');
    const made = await told(
      `[typeof Function('return this')().fetch, (() => { try { return typeof (0, eval)('this').process; } catch (e) { return 'no'; } })()]`,
    );
    expect(made).toContain('["undefined","undefined"]');
    const imported = await told('0', {}, '').then(() =>
      run(
        fixed(
          'onAck(ack) { import("node:fs").then((fs) => { globalThis.fs = fs; }); if (globalThis.fs) throw new Error("here"); }',
        ),
      ),
    );
    expect([imported.outcome, imported.reason]).toEqual(['done', null]);
  });

  it.each([
    ['no name', 'export default { create() {} };', /name must be a text/],
    ['an endless name', `export default { name: '${'x'.repeat(50)}', create() {} };`, /name/],
    [
      'a parameter without bounds',
      `export default { name: 'x', params: { a: { type: 'number', label: 'A', default: 1 } }, create() {} };`,
      /params.a.min must be a number/,
    ],
    [
      'a parameter of no name',
      `export default { name: 'x', params: { 'A b': { type: 'boolean', label: 'A', default: true } }, create() {} };`,
      /snake_case/,
    ],
    ['a need that is none', `export default { name: 'x', needs: { pacing: 'fast' }, create() {} };`, /needs.pacing/],
    ['a need of another name', `export default { name: 'x', needs: { colour: 'red' }, create() {} };`, /needs/],
    ['nothing', '', /must export an algorithm/],
    ['a length beyond all', `export default 1; //${'x'.repeat(300_000)}`, /longer than 256 KiB/],
    ['types that are none', 'export default { name: : };', /SyntaxError/],
  ])('with %s is refused as it is read', async (_what, text, says) => {
    const description = await engine.describe(text);
    expect(description).toMatchObject({ ok: false, problem: { message: expect.stringMatching(says) as string } });
  });

  it('is told where it is wrong', async () => {
    const text = `// types stay out of the way\ninterface Mine { readonly a: number }\nconst mine: Mine = { a: 1 };\nexport default { name: 'x', create: (): Controller => ({ cwnd_bytes: 1e4,\n  onAck(ack: Ack): void {\n    (mine as any).b.c = ack;\n  } }) } satisfies Algorithm;\n`;
    expect(await engine.describe(text)).toMatchObject({ ok: true });
    expect(await run(text)).toMatchObject({
      outcome: 'failed',
      at: { line: 6 },
      reason: expect.stringMatching(/^x, line 6: TypeError: /) as string,
    });
  });
});
