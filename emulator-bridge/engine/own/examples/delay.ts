// Delay-based: keeps a small queue of its own, as Vegas (1994) and Copa
// (2018) do.
//
// Loss says that a queue is full; delay says that there is one. `srtt -
// min_rtt` is what this flow's packets wait. Where the window is w and
// the wait is d, some w · d / rtt bytes stand in the queue; the target is
// a few packets, whatever the rate of the link.
export default {
  name: 'Delay target',
  summary: 'Grows while less than a few packets of its own wait in the queue, shrinks while more do.',
  source: 'Brakmo and Peterson, TCP Vegas, 1994; Arun and Balakrishnan, Copa, NSDI 2018',
  params: {
    queued: { type: 'number', label: 'Packets in the queue', unit: 'packets', default: 6, min: 1, max: 50 },
    speed: { type: 'number', label: 'Speed of change', unit: 'packets/RTT', default: 2, min: 0.1, max: 10 },
  },
  internals: {
    waiting_ms: { label: 'Own wait', unit: 'ms' },
    standing_packets: { label: 'Standing in the queue', unit: 'packets' },
  },

  create({ params, mss_bytes, initial_window_packets }) {
    const { queued = 6, speed = 2 } = params;
    const least = 2 * mss_bytes;
    let starting = true;
    // The least RTT of the round that goes on: one late packet is no
    // queue (Copa's RTTstanding).
    let standing_ms = Infinity;
    let round_ends = 0;

    const flow: Controller & { waiting_ms: number; standing_packets: number } = {
      cwnd_bytes: initial_window_packets * mss_bytes,
      waiting_ms: 0,
      standing_packets: 0,

      onAck(ack) {
        if (ack.rtt_ms !== null) standing_ms = Math.min(standing_ms, ack.rtt_ms);
        if (standing_ms === Infinity) return;
        flow.waiting_ms = Math.max(0, standing_ms - ack.min_rtt_ms);
        flow.standing_packets = (flow.cwnd_bytes * flow.waiting_ms) / standing_ms / mss_bytes;
        const above = flow.standing_packets > queued;

        if (starting && above) starting = false;
        if (starting) {
          if (ack.window_limited) flow.cwnd_bytes += ack.acked_bytes;
        } else {
          const step = (speed * mss_bytes * ack.acked_bytes) / flow.cwnd_bytes;
          if (above) flow.cwnd_bytes = Math.max(least, flow.cwnd_bytes - step);
          else if (ack.window_limited) flow.cwnd_bytes += step;
        }
        if (ack.newest_number < round_ends) return;
        // A round trip is over when what was sent after its beginning has
        // come back.
        round_ends = ack.next_number;
        standing_ms = Infinity;
      },

      onLoss(loss) {
        if (!loss.new_episode) return;
        starting = false;
        // The queue ran over before the delay said so: a shallow one, or
        // a link that has just become slower.
        flow.cwnd_bytes = Math.max(least, flow.cwnd_bytes * 0.7);
        flow.ssthresh_bytes = flow.cwnd_bytes;
      },

      onTimeout() {
        flow.cwnd_bytes = least;
        flow.ssthresh_bytes = least;
        starting = true;
      },
    };
    return flow;
  },
} satisfies Algorithm;
