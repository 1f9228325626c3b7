// A policy: a small neural network that sees what came of the last
// interval and turns the rate up or down, as Aurora (2019) does.
//
// Its weights are set BY HAND, not trained: so one can read what each
// unit looks for. Whoever has trained one pastes the numbers in here; the
// features and the way from action to rate stay as they are.
const HIDDEN = [
  // bias, RTT gradient, RTT over least, share lost
  { bias: -0.1, weights: [0, 2, 0], says: 'a queue stands' },
  { bias: 0, weights: [2.5, 0, 0], says: 'the queue grows' },
  { bias: -0.02, weights: [0, 0, 12], says: 'packets are lost' },
];
const OUTPUT = { bias: 0.55, weights: [-0.9, -0.6, -0.9] };

/** From -1 (slow down) to 1 (speed up). */
function policy(features: readonly number[]): number {
  const hidden = HIDDEN.map(({ bias, weights }) => Math.tanh(Math.max(0, bias + dot(weights, features))));
  return Math.tanh(OUTPUT.bias + dot(OUTPUT.weights, hidden));
}
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

export default {
  name: 'Hand-set policy',
  summary:
    'Looks at delay and loss of each monitor interval and lets a network of four units, set by hand, turn the rate.',
  source: 'After Jay et al., A Deep Reinforcement Learning Perspective on Internet Congestion Control, ICML 2019',
  needs: { pacing: 'own', prr: false },
  params: {
    boldness: { type: 'number', label: 'Greatest change', unit: 'of the rate', default: 0.15, min: 0.01, max: 0.5 },
    interval: { type: 'number', label: 'Monitor interval', unit: 'RTT', default: 1, min: 0.5, max: 4 },
  },
  internals: {
    action: { label: 'Action' },
    gradient: { label: 'RTT gradient' },
    ratio: { label: 'RTT over least, less one' },
  },

  create({ params, mss_bytes, initial_window_packets, now_ms, handshake_rtt_ms }) {
    const { boldness = 0.15, interval = 1 } = params;
    const first_rtt_ms = handshake_rtt_ms ?? 100;
    let [acked, lost, rtt_sum, rtt_count, mean_before, least_ms] = [0, 0, 0, 0, first_rtt_ms, first_rtt_ms];
    let began_ms = now_ms;

    const flow: Controller & { action: number; gradient: number; ratio: number } = {
      cwnd_bytes: initial_window_packets * mss_bytes,
      pacing_mbps: (initial_window_packets * mss_bytes * 8) / 1e3 / first_rtt_ms,
      next_tick_ms: now_ms + first_rtt_ms,
      action: 0,
      gradient: 0,
      ratio: 0,

      onAck(ack) {
        acked += ack.acked_bytes;
        least_ms = ack.min_rtt_ms;
        if (ack.rtt_ms !== null) [rtt_sum, rtt_count] = [rtt_sum + ack.rtt_ms, rtt_count + 1];
      },
      onLoss(loss) {
        lost += loss.lost_bytes;
      },
      // A monitor interval is over: what came of it is what the policy
      // sees.
      onTick(now) {
        const mean = rtt_count > 0 ? rtt_sum / rtt_count : mean_before;
        flow.gradient = (mean - mean_before) / Math.max(1, now - began_ms);
        flow.ratio = mean / least_ms - 1;
        flow.action = policy([flow.gradient, flow.ratio, lost / Math.max(1, acked + lost)]);
        const change = 1 + boldness * Math.abs(flow.action) * (flow.action < 0 ? 2 : 1);
        // Down twice as fast as up: a queue stands there for everybody.
        const rate = (flow.pacing_mbps ?? 1) * (flow.action > 0 ? change : 1 / change);
        flow.pacing_mbps = Math.min(10_000, Math.max(0.1, rate));
        // The window holds what the rate overdoes to two BDP.
        flow.cwnd_bytes = Math.max(4 * mss_bytes, (2 * flow.pacing_mbps * 1e3 * least_ms) / 8);
        [acked, lost, rtt_sum, rtt_count, mean_before, began_ms] = [0, 0, 0, 0, mean, now];
        flow.next_tick_ms = now + Math.max(10, interval * mean);
      },
    };
    return flow;
  },
} satisfies Algorithm;
