// What a worker tells is believed as far as a program of this machine would be, and no further.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorkerEnd } from '#protocol/fleet';
import { SUMMARY, wholeRun } from '#bridge/testing/fake-programs';
import type { RunOptions } from '#bridge/outcome';
import { testFolder } from '../testing/folder.ts';
import { Gap, Receipt, type Told } from './receipt.ts';

const folder = testFolder();
const bytes = Buffer.concat(wholeRun(300));
const DONE: WorkerEnd = {
  kind: 'outcome',
  worker: 'rack-7',
  wall_s: 2,
  outcome: { outcome: 'done', reason: null, cause: null, stderrTail: '', summary: SUMMARY, cost: null },
};
const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const told = (number: number, kind: Told['kind'], payload: Uint8Array): Told => ({ job: 'j', number, kind, payload });

function receipt(over: Partial<RunOptions> = {}): { readonly taken: Buffer[]; readonly receipt: Receipt } {
  const taken: Buffer[] = [];
  const options: RunOptions = {
    tracesDir: '',
    onFrame: (frame) => void taken.push(Buffer.from(frame)),
    ...over,
  };
  return { taken, receipt: new Receipt(options, () => undefined) };
}

describe('what a worker tells of a run', () => {
  it('is taken frame by frame, wherever it was cut', async () => {
    const made = receipt();
    for (const [i, piece] of [bytes.subarray(0, 7), bytes.subarray(7, 900), bytes.subarray(900)].entries())
      expect(await made.receipt.take(told(i, 'frames', piece))).toEqual({ over: false });
    expect(Buffer.concat(made.taken)).toEqual(bytes);
    const end = await made.receipt.take(told(3, 'end', text(DONE)));
    expect(end).toMatchObject({
      over: true,
      outcome: { outcome: 'done', summary: SUMMARY, elsewhere: { worker: 'rack-7', wall_s: 2 } },
    });
  });

  it('counts once when it comes twice', async () => {
    const made = receipt();
    for (const number of [0, 0, 0]) await made.receipt.take(told(number, 'frames', bytes));
    expect(Buffer.concat(made.taken)).toEqual(bytes);
  });

  it('is no run when a piece of it is missing', async () => {
    const made = receipt();
    await made.receipt.take(told(0, 'begun', Buffer.alloc(0)));
    await expect(made.receipt.take(told(2, 'frames', bytes))).rejects.toThrow(Gap);
  });

  it('is not done without the end of its telemetry', async () => {
    const made = receipt();
    await made.receipt.take(told(0, 'frames', bytes.subarray(0, 900)));
    await expect(made.receipt.take(told(1, 'end', text(DONE)))).rejects.toThrow('its telemetry has no end');
  });

  it('may not break the rules of telemetry, nor end in words of its own', async () => {
    const rubbish = receipt();
    await expect(rubbish.receipt.take(told(0, 'frames', Buffer.alloc(64, 7)))).rejects.toThrow('telemetry frame');
    for (const end of [{ kind: 'outcome' }, { ...DONE, more: 1 }, { kind: 'outcome', outcome: { cause: 'lost' } }])
      await expect(receipt().receipt.take(told(0, 'end', text(end)))).rejects.toThrow();
  });

  it('can be that it was not made, or that a file of it was not to be had', async () => {
    const back = await receipt().receipt.take(told(0, 'end', text({ kind: 'returned', reason: 'it ends' })));
    expect(back).toEqual({ over: true, outcome: null, reason: 'it ends' });
    const missing = await receipt().receipt.take(told(0, 'end', text({ kind: 'missing', reason: 'gone' })));
    expect(missing).toMatchObject({ over: true, outcome: { outcome: 'failed', cause: 'lost', reason: 'gone' } });
  });

  it('brings a qlog to where one is kept', async () => {
    const file = join(folder(), 'flow-1');
    const made = receipt({ qlogFile: (flow) => (flow === 1 ? file : null) });
    for (const [i, piece] of ['\u0001first ', '\u0001then', '\u0002not kept'].entries())
      await made.receipt.take(told(i, 'qlog', Buffer.from(piece)));
    expect(readFileSync(file, 'utf8')).toBe('first then');
  });
});
