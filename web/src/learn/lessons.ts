// Ten short lessons: each one screen of text, a run to move, and a question whose answer is found by moving it.
import type { ExperimentSpecInput } from '#protocol/spec';
import type { Goal } from './goals';

export interface Lesson {
  /** In its address, for good. */
  readonly id: string;
  readonly title: string;
  readonly text: readonly string[];
  /** Of one cell. */
  readonly spec: ExperimentSpecInput;
  /** What can be moved: ids of knobs and of fields. */
  readonly offers: readonly string[];
  readonly question: string;
  /** All of them are asked for. */
  readonly goals: readonly Goal[];
  /** Algorithms that are no answer. */
  readonly without?: readonly string[];
  /** One answer among others, as a change of the spec. */
  readonly solution: Partial<ExperimentSpecInput>;
  readonly why: string;
}

const LTE = { trace: 'LTE downlink from a car' };

export const LESSONS: readonly Lesson[] = [
  {
    id: 'why-queues-fill',
    title: 'Why queues fill',
    text: [
      'A sender does not know how fast the path is. An algorithm such as Cubic finds out by sending more and more until a packet is lost, and it is lost only where a queue has no room left.',
      'So whatever room there is gets filled. Look at the queue: it grows to its limit, falls when a loss makes the window smaller, and grows again. Everything in it waits, and everybody behind it, too.',
      'One bandwidth-delay product (BDP) is what the path holds without any queue. A limit is told in BDP because that is what a window must shrink by without leaving the link idle.',
    ],
    spec: {
      name: 'Why queues fill',
      duration_s: 30,
      traces: [{ rate_mbps: 20 }],
      ccas: [{ id: 'cubic' }],
      base_rtt_ms: [40],
      buffers: [{ bdp: 10 }],
    },
    offers: ['limit/bdp'],
    question:
      'How small can the queue be? Find a limit with which packets wait no longer than 20\u00a0ms on average, and the link is still used.',
    goals: [
      { metric: 'queueing_mean_ms', at_most: 20 },
      { metric: 'utilisation', at_least: 0.98 },
    ],
    solution: { buffers: [{ bdp: 0.5 }] },
    why: 'Cubic keeps 70\u00a0% of its window after a loss. With half a BDP of queue what is left still fills the path, so the link does not notice; ten BDP only make everybody wait.',
  },
  {
    id: 'slow-start',
    title: 'Slow start and HyStart',
    text: [
      'In slow start the window doubles every round trip. That is how a connection finds 100\u00a0Mbps in a second, and how it overshoots: when the first loss is seen, a round trip later, twice as much is under way as the path and the queue can hold.',
      'All that is too much is dropped at once. Look at the loss episodes at the beginning, and at the window that falls from its peak.',
      'HyStart (Ha and Rhee, 2008) listens for the first signs of a queue, round-trip times that grow, and leaves slow start before anything is lost.',
    ],
    spec: {
      name: 'Slow start',
      duration_s: 5,
      traces: [{ rate_mbps: 100 }],
      ccas: [{ id: 'cubic', params: { hystart: 'off' } }],
      base_rtt_ms: [80],
      buffers: [{ bdp: 1 }],
    },
    offers: ['cca/cubic/hystart'],
    question: 'Lose less than half as many packets in these five seconds, with the same link and the same queue.',
    goals: [{ metric: 'loss', at_most: 0.0237 }],
    solution: { ccas: [{ id: 'cubic', params: { hystart: 'hystart' } }] },
    why: 'HyStart leaves slow start at the first delay that grows. HyStart++ (RFC 9406) is more careful not to leave too early, and on this path it pays for that with losses.',
  },
  {
    id: 'reno-and-cubic',
    title: 'The shapes of Reno and Cubic',
    text: [
      'After a loss Reno halves its window and adds one packet per round trip: a saw-tooth with straight flanks. At 100\u00a0Mbps and 100\u00a0ms a window has 833 packets, so the way back from half of it takes 417 round trips, more than 40 seconds.',
      'With a queue of a third of a BDP the halved window does not fill the path, and the link stands partly idle all that time: the gap between throughput and capacity.',
      'Cubic grows by time instead of by round trips, along a cubic curve: fast while it is far below the window at which the last loss came, slowly around it, and faster again beyond.',
    ],
    spec: {
      name: 'Shapes',
      duration_s: 60,
      traces: [{ rate_mbps: 100 }],
      ccas: [{ id: 'newreno' }],
      base_rtt_ms: [100],
      buffers: [{ bdp: 0.3 }],
    },
    offers: ['cca'],
    question: 'Use at least 96\u00a0% of this link without another queue.',
    goals: [{ metric: 'utilisation', at_least: 0.96 }],
    solution: { ccas: [{ id: 'cubic' }] },
    why: 'Cubic gives up less after a loss, 30\u00a0% instead of 50\u00a0%, and comes back to where it was in seconds. Others do as well: look at the shapes of their windows.',
  },
  {
    id: 'bbr-probing',
    title: 'How BBR probes',
    text: [
      'BBR does not wait for losses. It keeps a model of the path, the greatest delivery rate and the least round-trip time that it has seen, and sends at that rate.',
      'To learn of more it has to ask: every eight round trips it sends a quarter faster for one of them, and then a quarter slower, so that what it has queued can drain. Every ten seconds it nearly stops, to see the round-trip time without its own queue.',
      'What it asks with has to go somewhere. Where there is no room for it, it is lost, and BBR does not mind much.',
    ],
    spec: {
      name: 'Probing',
      duration_s: 30,
      traces: [{ rate_mbps: 20 }],
      ccas: [{ id: 'bbr' }],
      base_rtt_ms: [40],
      buffers: [{ bdp: 0.1 }],
    },
    offers: ['limit/bdp'],
    question:
      'Give BBR just enough room: less than 1\u00a0% of packets lost, and 5\u00a0ms of waiting on average at most.',
    goals: [
      { metric: 'loss', at_most: 0.01 },
      { metric: 'queueing_mean_ms', at_most: 5 },
    ],
    solution: { buffers: [{ bdp: 0.7 }] },
    why: 'A probe is a quarter of a BDP in one round trip. Half a BDP holds it; with much more BBR hardly uses the room, which is what sets it apart from Cubic.',
  },
  {
    id: 'bufferbloat-on-lte',
    title: 'Bufferbloat on LTE',
    text: [
      'A cellular link changes its rate all the time, and its operator gives it a deep queue so that no opportunity to send is missed. This is a trace like that of LTE in a car, with room for 50\u00a0BDP.',
      'Whenever the rate falls, what is queued already takes longer to drain. Seconds of delay are nothing unusual then: look at the queue and at the round-trip time.',
      'That is bufferbloat. A call over the same queue is unusable, however high the throughput.',
    ],
    spec: {
      name: 'Bufferbloat',
      duration_s: 30,
      traces: [LTE],
      ccas: [{ id: 'cubic' }],
      base_rtt_ms: [40],
      buffers: [{ bdp: 50 }],
    },
    offers: ['limit/bdp'],
    question: 'Bring the p95 of the queueing delay below 200\u00a0ms and keep 90\u00a0% of the capacity.',
    goals: [
      { metric: 'queueing_p95_ms', at_most: 200 },
      { metric: 'utilisation', at_least: 0.9 },
    ],
    solution: { buffers: [{ bdp: 2 }] },
    why: 'Two BDP are enough for the saw-tooth. No fixed limit is right for long, though: a BDP of the mean is too much in a bad moment and too little in a good one.',
  },
  {
    id: 'what-aqm-does',
    title: 'What AQM does',
    text: [
      'Active queue management does not wait until the queue is full. It drops, or marks, a packet now and then as soon as packets wait too long, and the sender takes that for a sign to slow down.',
      'CoDel looks at how long packets have waited and acts when that stays above 5\u00a0ms for 100\u00a0ms. PIE steers by the delay that it expects. Both control time, not bytes, so they fit whatever rate the link has at the moment.',
      'The link and its limit of 50\u00a0BDP are those of the lesson before.',
    ],
    spec: {
      name: 'AQM',
      duration_s: 30,
      traces: [LTE],
      ccas: [{ id: 'cubic' }],
      base_rtt_ms: [40],
      buffers: [{ bdp: 50 }],
    },
    offers: ['discipline'],
    question:
      'Bring the p95 of the queueing delay below 100\u00a0ms with the limit as it is, and keep half of the capacity.',
    goals: [
      { metric: 'queueing_p95_ms', at_most: 100 },
      { metric: 'utilisation', at_least: 0.55 },
    ],
    solution: { queues: [{ id: 'codel' }] },
    why: 'A discipline that acts on waiting time holds it, at any rate. The price shows as well: on a link that changes so quickly a drop made for the queue of one moment leaves the link idle in the next.',
  },
  {
    id: 'rtt-fairness',
    title: 'Fairness between round-trip times',
    text: [
      'Two flows of Reno share a link. With the same round-trip time they have the same of it: both add a packet per round trip and halve at the same losses.',
      'A flow with a longer way hears of everything later, and adds its packet less often. In the time in which the near flow grows by ten packets the far one may grow by two.',
      'In theory the shares go by the inverse of the round-trip times; with losses that hit both, by its square.',
    ],
    spec: {
      name: 'Two ways',
      duration_s: 60,
      traces: [{ rate_mbps: 50 }],
      ccas: [{ id: 'newreno' }],
      base_rtt_ms: [20],
      buffers: [{ bdp: 1 }],
      flows: [{}, {}],
    },
    offers: ['extra/1'],
    question: 'How much longer must the way of flow 2 be for flow 1 to have four fifths of the link?',
    goals: [{ metric: 'first_share', at_least: 0.8 }],
    solution: { flows: [{}, { extra_rtt_ms: 80 }] },
    why: 'Some tens of milliseconds are enough. This is why content is kept near to people, and why algorithms that grow by time, as Cubic does, were wanted.',
  },
  {
    id: 'delay-against-loss',
    title: 'Delay-based against loss-based',
    text: [
      'Vegas watches its own queueing delay and keeps between two and four packets in the queue. Alone it is a model guest: full throughput, hardly any delay.',
      'Beside Cubic it sees a queue that it did not make, and makes room. Cubic takes the room. Look at the shares: Vegas is starved, and the queue is as long as if it were not there.',
      'A delay-based algorithm that is to live among others has to notice whom it meets.',
    ],
    spec: {
      name: 'Guests',
      duration_s: 60,
      traces: [{ rate_mbps: 20 }],
      ccas: [{ id: 'vegas' }],
      base_rtt_ms: [40],
      buffers: [{ bdp: 5 }],
      flows: [{}, { cca: { id: 'cubic' } }],
    },
    offers: ['cca', 'limit/bdp'],
    question:
      'Find an algorithm that is none of Cubic and Reno, and a queue, with which flow 1 has between 40 and 60\u00a0% beside Cubic.',
    goals: [{ metric: 'first_share', at_least: 0.4, at_most: 0.6 }],
    without: ['cubic', 'newreno'],
    solution: { ccas: [{ id: 'copa' }], buffers: [{ bdp: 1 }] },
    why: 'Copa changes to a mode that competes when the queue never empties. How well that works depends on the queue: the longer it is, the more it belongs to those who fill it.',
  },
  {
    id: 'blockage-on-mmwave',
    title: 'Blockage on mmWave',
    text: [
      'At millimetre waves a body, a tree or a lorry between phone and station takes away most of the signal. The rate falls from hundreds of megabits to a few within milliseconds, and comes back as suddenly.',
      'A queue whose limit suits the good times, here five BDP of the mean, takes seconds to drain in the bad ones. No sender can take back what it has sent.',
      'The trace lasts three minutes, of which twenty seconds run. Move where they begin.',
    ],
    spec: {
      name: 'Blockage',
      duration_s: 20,
      traces: [{ trace: 'Street canyon' }],
      ccas: [{ id: 'cubic' }],
      base_rtt_ms: [20],
      buffers: [{ bdp: 5 }],
    },
    offers: ['place'],
    question: 'Find the blockage: a place in the trace where one packet of twenty waits longer than half a second.',
    goals: [{ metric: 'queueing_p95_ms', at_least: 500 }],
    solution: { trace_from_s: 60 },
    why: 'About a minute in, most of the signal is gone: in these twenty seconds the link has less than a tenth of the trace’s mean. The queue that holds some 80\u00a0ms of data in good times holds more than a second there.',
  },
  {
    id: 'quic-and-rule-7-8',
    title: 'QUIC and rule 7.8',
    text: [
      'A window that is not used should not grow: acknowledgements of a trickle say nothing about what the path could carry. RFC 9002 says so in section 7.8, and Linux does the same for TCP.',
      'Here an application writes 20\u00a0Mbps into a link of 100\u00a0Mbps. Some 100\u00a0kB are under way at any time, whatever the window is.',
      'Some implementations of QUIC have left the rule out. Nothing is seen of it, until the application has more to say, or the link less to offer: then all of the window leaves at once.',
    ],
    spec: {
      name: 'Unused window',
      duration_s: 30,
      traces: [{ rate_mbps: 100 }],
      ccas: [{ id: 'cubic' }],
      base_rtt_ms: [40],
      buffers: [{ bdp: 2 }],
      transports: ['quic'],
      flows: [{ source: { kind: 'rate', rate_mbps: 20 } }],
    },
    offers: ['transport'],
    question: 'With which transport does a window that nobody uses grow beyond a megabyte?',
    goals: [{ metric: 'last_cwnd', at_least: 1e6 }],
    solution: { transports: ['quic-grow-underutilised'] },
    why: 'Without the rule Cubic’s curve goes on as if every packet of the window had been tried. With it the window stays where slow start left it, at some 400\u00a0kB.',
  },
];

export const lessonOf = (id: string): Lesson | undefined => LESSONS.find((lesson) => lesson.id === id);
