import { describe, expect, it } from 'vitest';
import type { StreamInfo } from '#protocol/control';
import type { RunSamples, StreamData } from '../plots/data';
import { Replay, upperBound } from './replay';

const info: StreamInfo = { stream: 0, kind: 'link', direction: 'forward', columns: [] };

/** Ten seconds, a row each 100 ms, a loss each second. */
function finishedRun(): RunSamples {
  const time = Float64Array.from({ length: 128 }, (_, i) => (i + 1) / 10);
  const stream: StreamData = { info, rows: 100, time, column: () => new Float32Array(128) };
  return {
    streams: new Map([[0, stream]]),
    events: Array.from({ length: 9 }, (_, i) => ({
      type: 'event',
      time_s: i + 1,
      flow: 0,
      event: 'loss_episode' as const,
    })),
    timeS: 10,
    complete: true,
    subscribe: () => () => undefined,
  };
}

/** Frames that the test lets pass. */
function frames() {
  let pending: ((nowMs: number) => void) | null = null;
  let now = 0;
  return {
    nextFrame: (callback: (nowMs: number) => void) => {
      pending = callback;
      return 1;
    },
    cancelFrame: () => {
      pending = null;
    },
    pass: (ms: number) => {
      now += ms;
      const due = pending;
      pending = null;
      due?.(now);
    },
    get waiting() {
      return pending !== null;
    },
  };
}

const rowsOf = (replay: Replay): number => replay.getState().samples[0]!.streams.get(0)!.rows;

describe('Replay', () => {
  it('has its playhead at the end of what has come while the samples load', () => {
    let arrived = (): void => undefined;
    const loading = {
      ...finishedRun(),
      timeS: 0,
      subscribe: (listener: () => void) => {
        arrived = listener;
        return () => undefined;
      },
    };
    const replay = new Replay([loading], frames());
    const heads: number[] = [];
    replay.subscribeHead(() => heads.push(replay.getHead()));
    loading.timeS = 4;
    arrived();
    expect(heads).toEqual([4]);
  });

  it('shows everything until it is played, then grows from the start', () => {
    const clock = frames();
    const replay = new Replay([finishedRun()], clock);
    expect([rowsOf(replay), replay.atS]).toEqual([100, 10]);
    replay.play();
    expect(rowsOf(replay)).toBe(0);
    clock.pass(0);
    clock.pass(1500);
    expect(rowsOf(replay)).toBe(15);
    expect(replay.getState().samples[0]!.events).toHaveLength(1);
  });

  it('plays at its speed and shows everything at the end', () => {
    const clock = frames();
    const replay = new Replay([finishedRun()], { ...clock, speed: 4 });
    replay.play();
    clock.pass(0);
    clock.pass(2000);
    expect(replay.atS).toBe(8);
    clock.pass(1000);
    expect(replay.getState()).toMatchObject({ playing: false, whole: true });
    expect(clock.waiting).toBe(false);
  });

  it('rests where an address can say, with the same rows before and after', () => {
    const clock = frames();
    const replay = new Replay([finishedRun()], clock);
    replay.play();
    clock.pass(0);
    clock.pass(1999.7); // To the millisecond this is 2 s, where a row ends that has not come yet.
    expect(rowsOf(replay)).toBe(19);
    replay.pause();
    const said = Number(replay.atS.toFixed(3));
    expect([replay.atS, rowsOf(replay)]).toEqual([said, 20]);
    const other = new Replay([finishedRun()], frames());
    other.seek(said);
    expect(rowsOf(other)).toBe(rowsOf(replay));
  });

  it('starts again when it loops', () => {
    const clock = frames();
    const replay = new Replay([finishedRun()], { ...clock, loop: true });
    replay.play();
    clock.pass(0);
    clock.pass(10_000);
    expect([replay.atS, replay.getState().playing]).toEqual([0, true]);
  });

  it('plays a part over and over, from wherever it stood', () => {
    const clock = frames();
    const replay = new Replay([finishedRun()], clock);
    replay.setLoop([2, 4]);
    replay.play();
    expect(replay.atS).toBe(2);
    clock.pass(0);
    clock.pass(1500);
    expect(replay.atS).toBe(3.5);
    clock.pass(600);
    expect([replay.atS, replay.getState().playing]).toEqual([2, true]);
    replay.pause();
    replay.seek(3);
    replay.play();
    expect(replay.atS).toBe(3);
    replay.setLoop(null);
    clock.pass(0);
    clock.pass(7000);
    expect(replay.getState()).toMatchObject({ playing: false, whole: true });
  });

  it('steps from sample to sample of whichever run has the next, there and back', () => {
    const shifted = finishedRun();
    shifted.streams.get(0)!.time.forEach((time, i, all) => (all[i] = time - 0.0704));
    const replay = new Replay([finishedRun(), shifted], frames());
    replay.seek(2);
    replay.stepSamples('on');
    // 2.0296 s, and the first place at which it is there.
    expect([replay.atS, rowsOf(replay), replay.getState().samples[1]!.streams.get(0)!.rows]).toEqual([2.03, 20, 21]);
    replay.stepSamples('on');
    expect([replay.atS, rowsOf(replay)]).toEqual([2.1, 21]);
    replay.stepSamples('back', 2);
    expect(replay.atS).toBe(2);
    replay.seek(0.02);
    replay.stepSamples('back');
    replay.stepSamples('back');
    expect(replay.atS).toBe(0);
    replay.showAll();
    replay.stepSamples('back');
    expect(replay.atS).toBe(9.93);
  });

  it('steps to what happened in any of the runs, and says which', () => {
    const other = finishedRun();
    const [first] = other.events;
    Object.assign(other, {
      events: [
        { ...first!, time_s: 2.5001, event: 'message' as const },
        { ...first!, time_s: 2.6004, event: 'phase' as const, detail: 'drain' },
      ],
    });
    const replay = new Replay([finishedRun(), other], frames());
    replay.seek(2);
    expect(replay.stepEvent('on')).toMatchObject({ run: 1, event: { detail: 'drain' } });
    expect([replay.atS, replay.getState().samples[1]!.events.length]).toEqual([2.601, 2]);
    expect(replay.stepEvent('on')).toMatchObject({ run: 0, event: { time_s: 3 } });
    expect(replay.stepEvent('back')).toMatchObject({ run: 1 });
    expect(replay.stepEvent('back')).toMatchObject({ run: 0, event: { time_s: 2 } });
    replay.showAll();
    expect(replay.stepEvent('on')).toBeNull();
    expect(replay.stepEvent('back')).toMatchObject({ event: { time_s: 9 } });
  });

  it('grows in place forwards and gives new objects when it goes back', () => {
    const replay = new Replay([finishedRun()], frames());
    replay.seek(5);
    const before = replay.getState().samples[0];
    replay.seek(6);
    expect(replay.getState().samples[0]).toBe(before);
    replay.seek(2);
    expect(replay.getState().samples[0]).not.toBe(before);
    expect(rowsOf(replay)).toBe(20);
    expect(replay.getState().samples[0]!.events).toHaveLength(2);
    replay.seek(10);
    expect(replay.getState().whole).toBe(true);
  });

  it('waits where it was put while the samples load', () => {
    const listeners = new Set<() => void>();
    const loading = {
      ...finishedRun(),
      streams: new Map<number, StreamData>(),
      timeS: 0,
      complete: false,
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const replay = new Replay([loading], frames());
    const stop = replay.watch();
    replay.seek(3);
    expect(replay.getState()).toMatchObject({ whole: false, playing: false });
    loading.streams.set(0, finishedRun().streams.get(0)!);
    Object.assign(loading, { timeS: 10, complete: true });
    for (const listener of listeners) listener();
    expect([replay.atS, rowsOf(replay)]).toEqual([3, 30]);
    stop();
    expect(listeners.size).toBe(0);
  });

  it('keeps two runs at one playhead', () => {
    const replay = new Replay([finishedRun(), finishedRun()], frames());
    replay.seek(3);
    expect(replay.getState().samples.map((run) => run.streams.get(0)!.rows)).toEqual([30, 30]);
  });
});

describe('upperBound', () => {
  it('counts the values up to a limit', () => {
    const values = [1, 2, 2, 3];
    expect([0, 1, 2, 2.5, 3, 9].map((limit) => upperBound(values, limit, 4))).toEqual([0, 1, 3, 3, 4, 4]);
    expect(upperBound(values, 9, 2)).toBe(2);
  });
});
