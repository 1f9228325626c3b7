// AIMD: additive increase, multiplicative decrease, the rule that keeps
// the Internet from collapsing since 1988.
//
// A program is one module. Its default export says what the algorithm is
// called, which of its numbers can be moved, what is plotted of it, and
// how the controller of a flow is made. Times are ms, sizes bytes, rates
// Mbps. Change anything: it runs as you type.
export default {
  name: 'AIMD',
  summary: 'Grows by a packet per round trip until one is lost, then gives up a share of its window.',
  source: 'RFC 5681',

  // Each becomes a slider, and an axis of experiments.
  params: {
    increase: { type: 'number', label: 'Increase', unit: 'packets/RTT', default: 1, min: 0.1, max: 10 },
    decrease: { type: 'number', label: 'Left after a loss', default: 0.5, min: 0.1, max: 0.95 },
  },

  // Properties of the controller that are drawn over time.
  internals: {
    phase: { label: 'Phase', states: ['slow start', 'avoidance'] },
  },

  create({ params, mss_bytes, initial_window_packets }) {
    const { increase = 1, decrease = 0.5 } = params;
    const least = 2 * mss_bytes;

    // What the transport reads after every call: here the window, and
    // where it lands after a loss.
    const flow: Controller & { phase: string } = {
      cwnd_bytes: initial_window_packets * mss_bytes,
      ssthresh_bytes: Infinity,
      phase: 'slow start',

      onAck(ack) {
        // A window that does not limit the sender must not grow, nor one
        // that is being repaired.
        if (!ack.window_limited || ack.recovery === 'entered' || ack.recovery === 'in') return;
        if (flow.cwnd_bytes < (flow.ssthresh_bytes ?? Infinity)) {
          flow.cwnd_bytes += ack.acked_bytes; // doubles in each round trip
        } else {
          flow.phase = 'avoidance';
          flow.cwnd_bytes += (increase * mss_bytes * ack.acked_bytes) / flow.cwnd_bytes;
        }
      },

      onLoss(loss) {
        // Many packets may be lost at once: one answer for each episode.
        if (!loss.new_episode) return;
        flow.ssthresh_bytes = Math.max(least, flow.cwnd_bytes * decrease);
        flow.cwnd_bytes = flow.ssthresh_bytes;
        flow.phase = 'avoidance';
      },

      onTimeout(timeout) {
        // Nothing has come back for long: what is known of the path is no
        // longer true.
        if (!timeout.repeated) flow.ssthresh_bytes = Math.max(least, timeout.inflight_before_bytes / 2);
        flow.cwnd_bytes = mss_bytes;
        flow.phase = 'slow start';
      },
    };
    return flow;
  },
} satisfies Algorithm;
