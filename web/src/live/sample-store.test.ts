import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ControlFrame, Hello } from '#protocol/control';
import type { SampleBlock } from '#protocol/frames';
import { SampleStore } from './sample-store';

const atOnce = (flush: () => void): void => flush();

const hello: Hello = {
  type: 'hello',
  protocol: 1,
  engine_version: 'test',
  clock: 'virtual',
  duration_s: 10,
  period_ms: 10,
  streams: [
    {
      stream: 0,
      kind: 'link',
      direction: 'forward',
      columns: [
        { name: 'time_s', type: 'f64', unit: 's', label: 'time' },
        { name: 'capacity_mbps', type: 'f32', unit: 'Mbps', label: 'capacity' },
      ],
    },
  ],
};

/** Rows whose every value is its own row number. */
function block(firstRow: number, rows: number, stream = 0): SampleBlock {
  const index = Array.from({ length: rows }, (_, i) => firstRow + i);
  return { stream, firstRow, rows, time: Float64Array.from(index), columns: [Float32Array.from(index)] };
}

function expectWhole(store: SampleStore, rows: number): void {
  const stream = store.streams.get(0)!;
  const expected = Array.from({ length: rows }, (_, i) => i);
  expect(stream.rows).toBe(rows);
  expect([...stream.time.subarray(0, rows)]).toEqual(expected);
  expect([...stream.column('capacity_mbps')!.subarray(0, rows)]).toEqual(expected);
}

describe('SampleStore', () => {
  it('joins blocks and grows past its first capacity', () => {
    const store = new SampleStore(atOnce);
    store.addControl(0, hello);
    for (let first = 0; first < 5000; first += 250) store.addSamples(block(first, 250));
    expectWhole(store, 5000);
    expect(store.timeS).toBe(4999);
  });

  it('keeps samples that come before the hello', () => {
    const store = new SampleStore(atOnce);
    store.addSamples(block(0, 8));
    expect(store.hasGap).toBe(true);
    store.addControl(0, hello);
    expectWhole(store, 8);
    expect(store.hasGap).toBe(false);
  });

  it('neither loses nor doubles a row, whatever the order, the overlaps and the repeats', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 30 })), { maxLength: 20 }),
        fc.integer({ min: 1, max: 17 }),
        fc.infiniteStream(fc.nat()),
        (extra, size, order) => {
          const blocks = extra.map(([first, rows]) => block(first, rows));
          for (let first = 0; first < 120; first += size) blocks.push(block(first, size));
          const keyed = blocks.map((b) => ({ b, key: order.next().value as number })).sort((x, y) => x.key - y.key);
          const store = new SampleStore(atOnce);
          store.addControl(0, hello);
          for (const { b } of keyed) store.addSamples(b);
          expectWhole(store, Math.ceil(120 / size) * size);
          expect(store.hasGap).toBe(false);
        },
      ),
    );
  });

  it('applies control frames once and in order', () => {
    const store = new SampleStore(atOnce);
    const loss = (time_s: number): ControlFrame => ({ type: 'event', time_s, flow: 0, event: 'loss_episode' });
    store.addControl(2, loss(2));
    store.addControl(0, hello);
    expect(store.events).toEqual([]);
    store.addControl(1, loss(1));
    store.addControl(1, loss(1));
    store.addControl(2, loss(2));
    expect(store.events.map((e) => e.time_s)).toEqual([1, 2]);
    expect(store.nextControl).toBe(3);
  });

  it('says from where to go on after a lost connection', () => {
    const store = new SampleStore(atOnce);
    store.addControl(0, hello);
    store.addSamples(block(0, 5));
    store.addSamples(block(9, 5));
    expect(store.nextRows()).toEqual({ '0': 5 });
    expect(store.hasGap).toBe(true);
  });

  it('tells listeners at most once per frame', () => {
    const pending: (() => void)[] = [];
    const store = new SampleStore((flush) => pending.push(flush));
    let calls = 0;
    store.subscribe(() => calls++);
    store.addControl(0, hello);
    store.addSamples(block(0, 5));
    store.addSamples(block(5, 5));
    expect(pending).toHaveLength(1);
    pending[0]!();
    expect([calls, store.getVersion()]).toEqual([1, 1]);
    store.addSamples(block(10, 5));
    expect(pending).toHaveLength(2);
  });
});
