// Rate-based: measures what the path can carry and sends just that, as
// BBR (2016) does.
//
// Two numbers describe a path: the greatest rate at which it has
// delivered, and its least RTT. Their product is what fits into the path
// without a queue. Neither can be measured while the other is: so it
// sends a little faster in one round, and drains in the next.
const GAINS = [1.25, 0.75, 1, 1, 1, 1, 1, 1];
const START_GAIN = 2.89;

export default {
  name: 'Rate and RTT',
  summary:
    'Paces at the greatest rate delivered of late, and keeps no more in flight than that rate times the least RTT allows.',
  source: 'Cardwell et al., BBR: Congestion-Based Congestion Control, ACM Queue 2016',
  needs: { pacing: 'own', prr: false },
  params: {
    probe: { type: 'number', label: 'Faster when probing', default: 1.25, min: 1.01, max: 2 },
    window: { type: 'number', label: 'In flight at most', unit: 'BDP', default: 2, min: 1, max: 4 },
    rounds: { type: 'integer', label: 'Rate remembered for', unit: 'rounds', default: 10, min: 2, max: 50 },
  },
  internals: {
    bandwidth_mbps: { label: 'Greatest rate', unit: 'Mbps' },
    phase: { label: 'Phase', states: ['start', 'drain', 'probe', 'cruise'] },
  },

  create({ params, mss_bytes, initial_window_packets, now_ms, handshake_rtt_ms }) {
    const { probe = 1.25, window = 2, rounds = 10 } = params;
    // The greatest rate of each round of late.
    const rates: number[] = [0];
    let [round_ends, step, stalled, best] = [0, 0, 0, 0];
    let step_began_ms = now_ms;
    const first = initial_window_packets * mss_bytes;

    const flow: Controller & { bandwidth_mbps: number; phase: string } = {
      cwnd_bytes: first,
      pacing_mbps: (START_GAIN * first * 8) / 1e3 / (handshake_rtt_ms ?? 100),
      bandwidth_mbps: 0,
      phase: 'start',

      onAck(ack) {
        const last = rates.length - 1;
        // Samples of an application that had nothing to send say nothing
        // of the path, unless they are the greatest.
        if (ack.rate_mbps !== null && (!ack.rate_app_limited || ack.rate_mbps > flow.bandwidth_mbps))
          rates[last] = Math.max(rates[last] ?? 0, ack.rate_mbps);
        flow.bandwidth_mbps = Math.max(...rates);
        const fits = (flow.bandwidth_mbps * 1e3 * ack.min_rtt_ms) / 8; // Mbps · ms, in bytes
        if (fits === 0) return;

        if (ack.newest_number >= round_ends) {
          round_ends = ack.next_number;
          rates.push(0);
          if (rates.length > rounds) rates.shift();
          // Three rounds without a quarter more: the path is full.
          stalled = flow.bandwidth_mbps > best * 1.25 ? 0 : stalled + 1;
          if (stalled === 0) best = flow.bandwidth_mbps;
          if (flow.phase === 'start' && stalled >= 3) flow.phase = 'drain';
        }
        if (flow.phase === 'drain' && ack.inflight_bytes <= fits) [flow.phase, step] = ['cruise', 2];
        if (flow.phase !== 'start' && flow.phase !== 'drain' && ack.now_ms - step_began_ms > ack.min_rtt_ms) {
          [step, step_began_ms] = [(step + 1) % GAINS.length, ack.now_ms];
          flow.phase = step < 2 ? 'probe' : 'cruise';
        }
        const gain =
          { start: START_GAIN, drain: 1 / START_GAIN }[flow.phase] ?? (step === 0 ? probe : (GAINS[step] ?? 1));
        flow.pacing_mbps = gain * flow.bandwidth_mbps;
        flow.cwnd_bytes = Math.max(4 * mss_bytes, (flow.phase === 'start' ? START_GAIN : window) * fits);
      },
    };
    return flow;
  },
} satisfies Algorithm;
