// The behaviour that sources predict for each algorithm, as data: over which link, for how long, which figures within which bounds.
// What single events do (a loss, a look, a probe) is checked in emulator-bridge/native/tests/cca instead.
import type { Band } from './finding.ts';
import type { FlowOfRun } from './link-run.ts';

export interface TestLink {
  readonly rateMbps: number;
  readonly rttMs: number;
}

/** The reference's test links: BDPs of 40, 1000 and 100 packets. */
export const T1: TestLink = { rateMbps: 12, rttMs: 40 };
const T2: TestLink = { rateMbps: 120, rttMs: 100 };
const T3: TestLink = { rateMbps: 12, rttMs: 100 };

export interface BehaviourCheck {
  /** The first one is looked at. */
  readonly flows: readonly FlowOfRun[];
  readonly link: TestLink;
  readonly queueBdp: number;
  readonly seconds: number;
  /** Figures leave out what was before. */
  readonly fromS: number;
  readonly loss?: number;
  /** Absent: droptail. */
  readonly discipline?: string;
  /** What the source is about, where figures alone do not say it. */
  readonly about?: string;
  readonly source: string;
  /** By the names of measures.ts. */
  readonly expect: Readonly<Record<string, Band>>;
}

/** A share of the capacity, within so much of it. */
const used = (percent: number, share = 0.1): Band => ({
  ...about(percent, share),
  high: Math.min(100, percent * (1 + share)),
});

/** Within so much of a value. */
const about = (value: number, share = 0.1): Band => ({
  low: Number((value * (1 - share)).toPrecision(4)),
  high: Number((value * (1 + share)).toPrecision(4)),
});

type Params = FlowOfRun['params'];
type Rest = Omit<BehaviourCheck, 'flows' | 'source' | 'expect'>;

const on =
  (link: TestLink, queueBdp: number, seconds: number, fromS: number, more: Partial<Rest> = {}) =>
  (
    flow: string | FlowOfRun | readonly FlowOfRun[],
    source: string,
    expect: BehaviourCheck['expect'],
  ): BehaviourCheck => ({
    flows:
      typeof flow === 'string'
        ? [{ cca: flow }]
        : Array.isArray(flow)
          ? (flow as readonly FlowOfRun[])
          : [flow as FlowOfRun],
    link,
    queueBdp,
    seconds,
    fromS,
    source: `reference ${source}`,
    expect,
    ...more,
  });

/** Reminis with the settings that its paper names; the default is nearer to its figures (docs/cca/reminis.md). */
const TO_THE_LETTER = { d_stat: 'mean', base: 'reno', si_factor: 1 };

const withParams = (cca: string, params: NonNullable<Params>): FlowOfRun => ({ cca, params });
const byThePaper = (params: Params = {}): FlowOfRun => withParams('copa', { ...params, profile: 'paper' });
const after = (cca: string, startS: number, params: Params = {}): FlowOfRun => ({ cca, startS, params });

export const BEHAVIOUR: readonly BehaviourCheck[] = [
  // loss-based windows
  on(
    T3,
    1,
    120,
    30,
  )('newreno', '2.1 (2, 3)', {
    'utilisation %': { low: 99 },
    'least cwnd packets': { low: 97, high: 103 },
    'most cwnd packets': { low: 197, high: 203 },
    'seconds between losses': about(15.3, 0.05),
  }),
  on(T3, 0.05, 120, 30, { about: 'a queue of 5 packets' })('newreno', '2.1 (3)', {
    'utilisation %': { low: 74, high: 80 },
  }),
  on(
    T2,
    1,
    120,
    40,
  )('cubic', '2.2 (3)', {
    'utilisation %': { low: 99.5 },
    'least cwnd packets': { low: 1380 },
    'most cwnd packets': { high: 2040 },
    'least queueing ms': { low: 36 },
  }),
  on(
    T2,
    1,
    120,
    40,
  )(withParams('cubic', { fast_convergence: false }), '2.2 (3)', { 'seconds between losses': about(11.4) }),
  on(T3, 0.5, 60, 20)('westwood', '2.3', { 'utilisation %': { low: 99 } }),
  on(T3, 1, 120, 10, { loss: 0.01, about: 'at least twice NewReno’s 11 %' })('westwood', '2.3 (2)', {
    'utilisation %': { low: 22 },
  }),
  on(T3, 1, 120, 30)('illinois', '2.4', { 'utilisation %': { low: 99 }, 'least cwnd packets': { low: 97, high: 105 } }),
  // half of a peak that its growth, up to 22 packets per round trip here, takes beyond the full queue
  on(T3, 1, 120, 30)('htcp', '2.5', { 'utilisation %': { low: 99 }, 'least cwnd packets': { low: 97, high: 112 } }),

  // model-based
  on(
    T1,
    4,
    60,
    10,
  )('bbr', '3.1 (3, 4)', {
    'utilisation %': used(97.8, 0.02),
    'median RTT ms': about(48),
    'p95 RTT ms': about(57.2),
  }),
  on(T1, 4, 2, 0)('bbr', '3.1 (1)', { 'most inflight packets': about(125) }),
  on(T1, 4, 60, 10, { loss: 0.02 })('bbr', '3.1 (5)', { 'utilisation %': used(97.9, 0.05) }),
  on(T1, 0.2, 60, 10)('bbr', '3.1 (6)', { 'dropped %': { low: 2.5, high: 4.5 } }),
  on(T1, 4, 60, 10)('bbr3', '3.2 (1)', { 'utilisation %': used(97, 0.02) }),
  on(T1, 4, 2, 0)('bbr3', '3.2 (1)', { 'most inflight packets': about(89) }),
  on(T1, 0.2, 60, 10)('bbr3', '3.2 (4)', { 'dropped %': { low: 0.2, high: 0.6 } }),
  on(T2, 4, 60, 10, { loss: 0.005 })('bbr3', '3.2 (7)', { 'utilisation %': used(89) }),
  on(T2, 4, 60, 10, { loss: 0.015 })('bbr3', '3.2 (7)', { 'utilisation %': used(82) }),
  on(T2, 4, 60, 10, { loss: 0.05 })('bbr3', '3.2 (8)', { 'utilisation %': { low: 1.4, high: 2.6 } }),
  on(T1, 4, 60, 10, { loss: 0.001 })('bbr3', '3.2 (7)', { 'utilisation %': used(96) }),
  on(T1, 4, 60, 10, { loss: 0.015 })('bbr3', '3.2 (7)', { 'utilisation %': used(60) }),
  on(T1, 4, 60, 10)('bbr2', '3.3', { 'utilisation %': used(97, 0.02) }),
  on(T1, 4, 2, 0)('bbr2', '3.3', { 'most inflight packets': about(120, 0.15) }),
  on(T1, 0.2, 60, 10)('bbr2', '3.3, 3.2 (4)', { 'dropped %': { low: 0.2, high: 0.6 } }),
  on(T2, 4, 60, 10, { loss: 0.005 })('bbr2', '3.3, 3.2 (7)', { 'utilisation %': used(89) }),
  on(T1, 4, 60, 10, { loss: 0.015 })('bbr2', '3.3, 3.2 (7)', { 'utilisation %': used(60) }),
  on(T1, 4, 60, 10)(withParams('bbr3', { profile: 'linux' }), '3.2 (1)', { 'utilisation %': used(97, 0.02) }),
  on(T1, 4, 2, 0, { about: 'a window of twice the BDP until the pipe is full' })(
    withParams('bbr3', { profile: 'linux' }),
    '3.2 (1)',
    { 'most inflight packets': about(89) },
  ),
  on(T1, 0.2, 60, 10)(withParams('bbr3', { profile: 'linux' }), '3.2 (4)', { 'dropped %': { low: 0.2, high: 0.6 } }),
  on(T2, 4, 60, 10, { loss: 0.005 })(withParams('bbr3', { profile: 'linux' }), '3.2 (7)', {
    'utilisation %': used(89),
  }),
  on(T2, 4, 60, 10, { loss: 0.05 })(withParams('bbr3', { profile: 'linux' }), '3.2 (8)', {
    'utilisation %': { low: 1.4, high: 2.6 },
  }),
  on(T1, 4, 60, 10, { loss: 0.015 })(withParams('bbr3', { profile: 'linux' }), '3.2 (8)', {
    'utilisation %': { low: 52.7, high: 72.6 },
  }),

  // delay-based
  on(
    T1,
    4,
    60,
    30,
  )('vegas', '4.1 (1)', {
    'mean cwnd packets': { low: 42, high: 44 },
    'mean queue packets': { low: 2, high: 4 },
    'dropped %': { high: 0 },
  }),
  on(T1, 4, 90, 40)([after('vegas', 0), after('vegas', 10)], '4.1 (3)', { 'Jain’s index': { low: 0.8 } }),
  on(T1, 4, 90, 40)([after('vegas', 0), after('vegas', 20)], '4.1 (3)', { 'Jain’s index': { low: 0.8 } }),
  on(T3, 4, 90, 30)('ledbat', '4.2 (1)', { 'mean queueing ms': about(25), 'mean cwnd packets': about(125) }),
  on(T3, 4, 150, 90)(withParams('ledbat', { profile: 'rfc6817' }), '4.2 (1)', { 'mean queueing ms': about(100) }),
  on(T3, 4, 90, 40)([after('ledbat', 0), after('cubic', 30)], '4.2 (3)', { 'least cwnd packets': { high: 2 } }),
  on(
    T3,
    4,
    120,
    60,
  )(withParams('ledbat', { profile: 'libutp' }), '4.2 (1)', {
    'mean queueing ms': about(100),
    'utilisation %': { low: 99 },
  }),
  on(T3, 4, 90, 45, { about: 'makes way' })(
    [after('ledbat', 0, { profile: 'libutp' }), after('cubic', 30)],
    '4.2 (3)',
    { 'first flow’s share %': { high: 10 } },
  ),
  on(T3, 4, 120, 40, { about: 'loses at most a tenth to slowdowns' })(
    withParams('ledbat', { profile: 'ledbat++' }),
    '4.2, draft-irtf-iccrg-ledbat-plus-plus',
    { 'utilisation %': { low: 90 }, 'mean queueing ms': { high: 60 } },
  ),
  on(T3, 4, 150, 90, { about: 'latecomers see the empty path' })(
    [after('ledbat', 0, { profile: 'ledbat++' }), after('ledbat', 30, { profile: 'ledbat++' })],
    '4.2 (4), draft-irtf-iccrg-ledbat-plus-plus',
    { 'Jain’s index': { low: 0.9 } },
  ),
  on(
    T1,
    4,
    60,
    20,
  )(byThePaper(), '4.3 (1)', {
    'utilisation %': { low: 97 },
    'mean queueing ms': { low: 2, high: 3 },
    'most queueing ms': { high: 6 },
  }),
  on(T1, 4, 60, 20)(byThePaper({ delta: 0.25 }), '4.3 (2)', { 'mean queueing ms': { low: 4, high: 6 } }),
  on(T1, 2, 120, 40)([byThePaper(), after('cubic', 0)], '4.3 (4)', { 'first flow’s share %': { low: 30, high: 70 } }),
  on(
    T1,
    2,
    120,
    40,
  )([byThePaper({ mode: 'default_only' }), after('cubic', 0)], '4.3 (4)', {
    'first flow’s share %': { high: 20 },
  }),

  // online learning
  on(T1, 1, 60, 20)('allegro', '5.2', { 'utilisation %': { low: 99 }, 'dropped %': { high: 7 } }),
  on(
    T1,
    1,
    60,
    20,
  )('vivace', '5.3 (1)', {
    'utilisation %': { low: 85 },
    'mean queueing ms': { high: 1 },
    'p95 RTT ms': { high: 46 },
  }),
  on(T1, 4, 60, 20)('proteus-p', '5.4', { 'utilisation %': { low: 90 }, 'mean queueing ms': { high: 3 } }),
  on(T1, 4, 100, 40)([after('proteus-p', 0), after('proteus-p', 10)], '5.4 (4)', { 'Jain’s index': { low: 0.85 } }),
  on(T1, 4, 100, 60, { about: 'does not yield to Cubic' })([after('proteus-p', 20), after('cubic', 0)], '5.4 (3)', {
    'first flow’s share %': { low: 15 },
  }),
  on(T1, 4, 60, 20, { about: 'alone at least 80 % of Proteus-P' })('proteus-s', '5.4 (2)', {
    'utilisation %': { low: 76 },
  }),
  on(T1, 4, 100, 60, { about: 'yields to Cubic' })([after('proteus-s', 20), after('cubic', 0)], '5.4 (3)', {
    'first flow’s share %': { high: 15 },
  }),
  on(T1, 4, 60, 20, { about: 'a switch at 6 Mbps, not a cap' })('proteus-h', '5.4 (5)', {
    'throughput Mbps': { low: 6.1 },
  }),
  on(T1, 4, 100, 60)([after('proteus-h', 20), after('cubic', 0)], '5.4 (5)', { 'throughput Mbps': { high: 6.6 } }),

  // for cellular links
  on(T1, 10, 60, 10)('verus', '6.1 (1)', { 'utilisation %': { low: 60 }, 'p95 RTT ms': { low: 80, high: 276 } }),
  on(
    T1,
    10,
    60,
    10,
  )(withParams('c2tcp', { pacing: 'off' }), '6.2 (1)', { 'utilisation %': { low: 99 }, 'p95 RTT ms': about(96) }),
  on(
    T1,
    10,
    60,
    10,
  )(withParams('c2tcp', { pacing: 'off', alpha_control: false }), '6.2 (1)', {
    'utilisation %': { low: 99 },
    'p95 RTT ms': about(82),
  }),
  on(
    { rateMbps: 6, rttMs: 40 },
    20,
    60,
    10,
  )(withParams('sprout', { pacing: 'off' }), '6.3 (1)', {
    'utilisation %': { low: 95 },
    'mean queueing ms': { low: 22, high: 38 },
    'p95 queueing ms of all packets': { high: 50 },
  }),
  on(
    { rateMbps: 10.8, rttMs: 40 },
    20,
    60,
    10,
  )(withParams('sprout', { pacing: 'off' }), '6.3 (1)', {
    'utilisation %': { low: 95 },
    'mean queueing ms': { low: 24, high: 38 },
    'p95 queueing ms of all packets': { high: 50 },
  }),
  on(
    { rateMbps: 4, rttMs: 40 },
    20,
    60,
    10,
  )(withParams('sprout-ewma', { pacing: 'off' }), '6.4 (1)', {
    'utilisation %': { low: 98 },
    'mean queueing ms': about(51),
    'p95 queueing ms of all packets': about(62),
  }),
  on(
    T3,
    4,
    60,
    10,
  )(withParams('reminis', TO_THE_LETTER), '6.5 (3, 4)', {
    'utilisation %': { low: 55, high: 72 },
    'mean RTT ms': { low: 127, high: 155 },
    'mean queueing ms': { high: 68 },
  }),
  on(
    T3,
    4,
    60,
    10,
  )(withParams('reminis', { ...TO_THE_LETTER, dtt_factor: 2 }), '6.5 (3)', { 'utilisation %': used(97, 0.03) }),

  // marks and media
  on(T1, 4, 60, 10, { discipline: 'dualpi2' })('prague', '9.1', {
    'utilisation %': { low: 95 },
    'mean queueing ms': { high: 2 },
  }),
  on({ rateMbps: 48, rttMs: 10 }, 20, 60, 10, { discipline: 'dualpi2', about: 'a coupled queue is shared' })(
    [after('prague', 0), after('cubic', 0)],
    '9.1, RFC 9332',
    { 'first flow’s share %': { low: 35, high: 65 } },
  ),
  on({ rateMbps: 48, rttMs: 10 }, 20, 60, 10, { discipline: 'dualpi2' })(
    [after('prague', 0), after('prague', 0)],
    '9.1',
    {
      'Jain’s index': { low: 0.95 },
      'dropped %': { high: 0 },
    },
  ),
  // half of the peak, as Reno; the growth by the rate’s milliseconds comes after seven quiet round trips
  on(T3, 1, 120, 30, { about: 'without marks a slow Reno' })('prague', '9.1 (2)', {
    'utilisation %': { low: 95 },
    'least cwnd packets': { low: 90, high: 115 },
  }),
  on(T1, 4, 60, 10)('scream', '9.2', { 'mean queueing ms': { high: 100 }, 'dropped %': { high: 0 } }),

  on(T1, 4, 60, 10)('gcc', '9.3 (1)', { 'utilisation %': { low: 85 }, 'mean queueing ms': { high: 30 } }),
  on(
    T3,
    4,
    90,
    30,
  )('gcc', '9.3 (1)', {
    'utilisation %': { low: 85 },
    'mean queueing ms': { high: 30 },
    'dropped %': { high: 0 },
  }),
  on(T1, 4, 60, 10, { loss: 0.005, about: 'losses below 2 % do not matter' })('gcc', '9.3', {
    'utilisation %': { low: 85 },
  }),
  on(T1, 4, 90, 60, { loss: 0.2, about: 'half the share of losses off, again and again' })('gcc', '9.3 (3)', {
    'utilisation %': { high: 10 },
  }),

  // learned: the loops, with the agent that does nothing, with the documented rule and with the one that was trained here
  on(
    T2,
    1,
    120,
    40,
  )(withParams('orca', { policy: 'neutral' }), '7.1 (1), as Cubic in 2.2 (3)', {
    'utilisation %': { low: 99.5 },
    'least cwnd packets': { low: 1380 },
    'most cwnd packets': { high: 2040 },
  }),
  on(T1, 4, 60, 10, { about: 'the rule’s free delay is a quarter of the least RTT' })(
    withParams('orca', { policy: 'rule' }),
    '7.1',
    {
      'utilisation %': { low: 99 },
      'mean RTT ms': { low: 45, high: 56 },
    },
  ),
  on(
    T2,
    1,
    120,
    40,
  )(withParams('deepcc', { policy: 'neutral' }), '7.2 (1), as Cubic in 2.2 (3)', {
    'utilisation %': { low: 99.5 },
    'least cwnd packets': { low: 1380 },
    'most cwnd packets': { high: 2040 },
  }),
  ...['cubic', 'bbr', 'westwood', 'illinois'].map((base) =>
    on(T1, 10, 60, 10, { about: 'the rule, target 50 ms' })(withParams('deepcc', { policy: 'rule', base }), '7.2 (2)', {
      'mean queueing ms': { high: 60 },
      'least cwnd packets': { low: 4 },
    }),
  ),

  // references
  on(T1, 4, 60, 10, { about: 'drains what it queued' })(withParams('oracle', { knows: 'queue' }), '8.2 (1)', {
    'utilisation %': { low: 99.5 },
    'mean queueing ms': { high: 1 },
  }),
  on(T1, 4, 60, 10)('oracle', '8.2 (1)', { 'utilisation %': { low: 99.5 }, 'mean queueing ms': { high: 1 } }),
  on(T1, 4, 60, 10)('optimal', '8.1', { 'utilisation %': { low: 99.9 }, 'mean RTT ms': { low: 40, high: 41.1 } }),
];
