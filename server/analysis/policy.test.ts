// The networks of weights files: what the page says of them is what the engine did.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import { manifest as fakeManifest } from '#bridge/testing/fake-programs';
import { senderStream } from '#protocol/columns';
import { decodeSamples } from '#protocol/frames';
import { actionOf, policyMap, policyOf, steady, type Policy } from './policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trained = (loop: string): Policy =>
  policyOf(
    JSON.parse(
      readFileSync(
        fileURLToPath(new URL(`../../emulator-bridge/native/weights/${loop}.weights.json`, import.meta.url)),
        'utf8',
      ),
    ),
  );

interface Look {
  readonly seen: readonly number[];
  readonly action: number;
}

/** What the loop's agent saw and did in a run, look by look: two that are all the same are one. */
async function looksOf(loop: string, { inputs }: Policy): Promise<Look[]> {
  const { engine_version } = await listCcas();
  const usual = fakeManifest({ engine_version, duration_s: 20 });
  const names: string[] = [];
  const looks: Look[] = [];
  const { outcome, reason } = await run(
    {
      ...usual,
      sample_period_ms: 5,
      forward: { ...usual.forward, loss: 0.0002 },
      flows: usual.flows.map((flow) => ({ ...flow, cca: { id: loop, params: {} } })),
    },
    {
      tracesDir: folder,
      onFrame: (bytes, header, control) => {
        if (control?.type === 'hello')
          names.push(
            ...(control.streams.find(({ stream }) => stream === senderStream(0))?.columns ?? [])
              .slice(1)
              .map(({ name }) => name),
          );
        if (control !== null || header.stream !== senderStream(0)) return;
        const { columns, time } = decodeSamples(bytes.slice());
        const of = (name: string): Float32Array => columns[names.indexOf(name)] ?? new Float32Array();
        const [action, ...seen] = ['action', ...inputs].map(of);
        for (let row = 0; row < time.length; row++) {
          const look = { seen: seen.map((column) => column[row] ?? Number.NaN), action: action?.[row] ?? Number.NaN };
          const last = looks.at(-1);
          if (look.seen.some(Number.isNaN) || (last !== undefined && same(look, last))) continue;
          looks.push(look);
        }
      },
    },
  );
  expect([outcome, reason]).toEqual(['done', null]);
  return looks;
}

const same = (a: Look, b: Look): boolean =>
  a.action === b.action && a.seen.every((value, i) => Object.is(value, b.seen[i]));

describe('a policy', () => {
  it.each(['orca', 'deepcc'])('does to the bit what the engine did in a run of %s', async (loop) => {
    const policy = trained(loop);
    const looks = await looksOf(loop, policy);
    expect(looks.length).toBeGreaterThan(300);
    const zeros = Array.from({ length: policy.history }, () => policy.inputs.map(() => 0));
    const history = [...zeros, ...looks.map(({ seen }) => seen)];
    const said = looks.map((_, i) => actionOf(policy, history.slice(i + 1, i + 1 + policy.history).flat()));
    expect(said).toEqual(looks.map(({ action }) => action));
    expect(new Set(said).size).toBeGreaterThan(100);
  });

  it.each(['orca', 'deepcc'])('of %s that sees the same again and again is one of a single look', (loop) => {
    const policy = trained(loop);
    const once = steady(policy);
    expect(once.history).toBe(1);
    for (const value of [0, 0.3, 0.9, 1.7]) {
      const look = policy.inputs.map((_, i) => value * (1 + i / 10));
      const all = Array.from({ length: policy.history }, () => look).flat();
      expect(actionOf(once, look)).toBeCloseTo(actionOf(policy, all), 4);
    }
  });

  it('is worked out by hand', () => {
    const file = (more: object): object => ({
      algorithm: 'orca',
      inputs: ['a', 'b'],
      history: 2,
      normalise: { subtract: [1, 0], divide: [2, 1] },
      layers: [
        {
          activation: 'relu',
          weights: [
            [1, 0, 0, 0],
            [0, 0, 0, -1],
          ],
          bias: [0, 0.5],
        },
        { activation: 'linear', weights: [[0.25, 0.5]], bias: [0.125] },
      ],
      ...more,
    });
    const policy = policyOf(file({}));
    // (5 - 1) / 2 = 2 through the first unit; 0.5 - 0.25 through the second
    expect(actionOf(policy, [5, 9, 7, 0.25])).toBe(0.125 + 0.25 * 2 + 0.5 * 0.25);
    expect(actionOf(policy, [-5, 9, 7, 9])).toBe(0.125);
    expect(actionOf(policy, [500, 0, 0, 0])).toBe(1);
    expect(actionOf(policy, [Number.NaN, 0, 0, 0])).toBe(0);
    expect(() => policyOf(file({ normalise: { subtract: [1], divide: [1] } }))).toThrow('normalise');
    expect(() => policyOf(file({ layers: [{ activation: 'tanh', weights: [[1]], bias: [0] }] }))).toThrow('layers[0]');
    expect(() => policyOf({ algorithm: 'orca' })).toThrow();
  });

  it('is mapped over two of its inputs, with the others as they are', () => {
    const policy = trained('orca');
    const others = policy.inputs.map((_, i) => 0.2 + i / 10);
    const [x, y] = [
      { input: 0, values: [0.2, 0.5, 1] },
      { input: 6, values: [0, 1] },
    ];
    const actions = policyMap(policy, others, x, y);
    const look = [...others];
    [look[0], look[6]] = [0.5, 1];
    expect(actions[4]).toBeCloseTo(actionOf(steady(policy), look), 5);
    expect(new Set(actions).size).toBe(6);
  });
});
