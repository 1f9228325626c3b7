// A window of packets: where each is at a moment is worked out twice, once for the screen and once for a picture that moves by itself.
import { bisectRight } from 'd3';
import { describe, expect, it } from 'vitest';
import { packetFixture } from '../gallery/packet-fixture';
import { THEME } from '../charts/testing';
import { animatedSvg } from './animated-svg';
import { factsOf, momentsOf } from './facts';
import { moversOf, thinned, type Mover } from './movers';
import { Playhead } from './playhead';
import { deepest, geometryOf, sceneAt } from './scene';

const LIMIT = 12;
const facts = factsOf(packetFixture({ flows: 2, duration_s: 0.08, limit: LIMIT }));
const geometry = geometryOf({ width: 1000, height: 210, places: LIMIT, flows: 2, delay_s: 0.01 });
const TIMES = Array.from({ length: 79 }, (_, i) => 0.0003 + i * 0.001);

describe('a scene', () => {
  it('has every packet somewhere: waiting, on the link, or gone', () => {
    const { packets } = facts;
    for (const at of TIMES) {
      const { queued, flying, flows } = sceneAt(facts, at, geometry);
      const sent = bisectRight(packets.sent, at);
      const ended = [...packets.ended].filter((time, i) => i < sent && time <= at).length;
      expect(queued + flying).toBe(sent - ended);
      expect(flows.reduce((sum, flow) => sum + flow.packets.length / 4, 0)).toBe(queued + flying);
    }
  });

  it('fills the queue to its limit, and lets fall what it drops', () => {
    expect(deepest(facts)).toBe(LIMIT + 1);
    const scenes = TIMES.map((at) => sceneAt(facts, at, geometry));
    expect(Math.max(...scenes.map(({ queued }) => queued))).toBeGreaterThanOrEqual(LIMIT);
    const crosses = scenes.flatMap((scene) => scene.crosses);
    expect(crosses.length).toBeGreaterThan(0);
    for (const { fresh, x } of crosses) {
      expect(fresh).toBeGreaterThan(0);
      expect(fresh).toBeLessThanOrEqual(1);
      expect(x).toBe(geometry.queueFrom);
    }
  });

  it('knows nothing of what is not sent yet, and holds nothing that has arrived', () => {
    expect(sceneAt(facts, -1, geometry)).toMatchObject({ queued: 0, flying: 0, acks: 0 });
    const all = factsOf({ ...packetFixture({ flows: 1, duration_s: 0.01 }) });
    expect(sceneAt(all, 10, geometry)).toMatchObject({ queued: 0, flying: 0, acks: 0 });
  });
});

/** Left edges of a mover at a moment; nothing: it is not seen. */
function seenAt({ path, falls }: Mover, at: number): number | null {
  const next = path.findIndex(({ time }) => time > at);
  const [from, to] = [path[next - 1], path[next]];
  if (from === undefined || to === undefined || (falls !== null && at >= falls)) return null;
  return from.x + ((to.x - from.x) * (at - from.time)) / (to.time - from.time);
}

describe('a picture that moves by itself', () => {
  const movers = moversOf(facts, geometry);

  it.each(TIMES.filter((_, i) => i % 6 === 5))(
    'has at %s s as many boxes as the scene, each where it is there',
    (at) => {
      const scene = sceneAt(facts, at, geometry);
      for (const flow of [0, 1]) {
        const { packets, acks } = scene.flows[flow] ?? { packets: [], acks: [] };
        const expected = [...packets, ...acks].filter((_, i) => i % 4 === 0).sort((a, b) => a - b);
        const found = movers
          .filter((mover) => mover.flow === flow)
          .flatMap((mover) => seenAt(mover, at) ?? [])
          .sort((a, b) => a - b);
        expect(found).toHaveLength(expected.length);
        // A place in the queue is taken step by step there, and on a slope here.
        for (const [i, x] of found.entries())
          expect(Math.abs(x - (expected[i] ?? NaN))).toBeLessThan(geometry.slot + 1);
      }
    },
  );

  it('keeps those apart in the queue that leave it at once', () => {
    const bursts = packetFixture({ flows: 1, duration_s: 0.03 });
    // As a trace does: whatever leaves within five milliseconds leaves at their end.
    const together = (time: number | null): number | null => (time === null ? null : Math.ceil(time / 5e6) * 5e6);
    const departed_ns = bursts.packets.departed_ns.map(together);
    const ended_ns = departed_ns.map((time, i) => (time === null ? (bursts.packets.ended_ns[i] ?? null) : time + 1e7));
    const burst = factsOf({ ...bursts, packets: { ...bursts.packets, departed_ns, ended_ns } });
    const at = 0.0098;
    const waiting = moversOf(burst, geometry)
      .flatMap((mover) => seenAt(mover, at) ?? [])
      .filter((x) => x > geometry.queueFrom && x < geometry.queueTo);
    expect(waiting.length).toBeGreaterThan(5);
    expect(new Set(waiting.map(Math.round)).size).toBe(waiting.length);
  });

  it('leaves out only places on a straight way', () => {
    const straight = [0, 1, 2, 3].map((time) => ({ time, x: 10 * time }));
    expect(thinned(straight)).toEqual([straight[0], straight[3]]);
    const bent = [...straight, { time: 4, x: 80 }];
    expect(thinned(bent)).toEqual([bent[0], bent[3], bent[4]]);
    expect(thinned([])).toEqual([]);
  });

  it('is an SVG whose key times begin with 0, end with 1 and never fall, and escapes what it is given', () => {
    const svg = animatedSvg({
      ...{ facts, geometry, theme: THEME, still: '', speed: 0.01 },
      colours: ['red', '"><script>'],
      title: '</title><script>alert(1)</script>',
    });
    const document = new DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(document.querySelector('parsererror')).toBeNull();
    expect(document.querySelectorAll('script')).toHaveLength(0);
    expect(document.querySelectorAll('rect')).toHaveLength(movers.length + 1);
    for (const animation of document.querySelectorAll('animate')) {
      expect(animation.getAttribute('dur')).toBe('8s');
      const times = (animation.getAttribute('keyTimes') ?? '').split(';').map(Number);
      expect(times).toHaveLength((animation.getAttribute('values') ?? '').split(';').length);
      expect(times[0]).toBe(0);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      if (animation.getAttribute('calcMode') === 'linear') expect(times.at(-1)).toBe(1);
    }
  });

  it('leaves out a hidden flow', () => {
    const both = { facts, geometry, theme: THEME, still: '', speed: 1, title: '' };
    const count = (svg: string): number => svg.split('<rect').length;
    expect(count(animatedSvg({ ...both, colours: ['red', null] }))).toBeLessThan(
      count(animatedSvg({ ...both, colours: ['red', 'blue'] })),
    );
  });
});

describe('the playhead', () => {
  const frames: ((nowMs: number) => void)[] = [];
  const made = (): Playhead =>
    new Playhead({
      ...{ from_s: 1, to_s: 2, speed: 0.1 },
      nextFrame: (callback) => frames.push(callback),
      cancelFrame: () => void frames.splice(0),
    });
  const frame = (nowMs: number): void => frames.shift()?.(nowMs);

  it('goes as slowly as it is told, and stops at the end', () => {
    const playhead = made();
    playhead.toggle();
    for (const now of [0, 1000, 2000]) frame(now);
    expect(playhead.getAt()).toBeCloseTo(1.2, 9);
    playhead.setSpeed(1);
    frame(10_000);
    expect([playhead.getAt(), playhead.getState().playing]).toEqual([2, false]);
    playhead.toggle();
    expect(playhead.getAt()).toBe(1);
    playhead.pause();
  });

  it('steps from moment to moment, and stays within its window', () => {
    const playhead = made();
    const moments = Float64Array.from([1.1, 1.5]);
    playhead.step(moments, 'back');
    expect(playhead.getAt()).toBe(1);
    playhead.step(moments, 'on');
    playhead.step(moments, 'on');
    playhead.step(moments, 'on');
    expect(playhead.getAt()).toBe(1.5);
    playhead.step(moments, 'back');
    expect(playhead.getAt()).toBe(1.1);
    playhead.seek(7);
    expect(playhead.getAt()).toBe(2);
  });

  it('finds in a window each moment once', () => {
    const moments = momentsOf(facts);
    expect(moments.length).toBe(new Set(moments).size);
    expect([...moments]).toEqual([...moments].sort((a, b) => a - b));
  });
});
