// Texts of own algorithms for tests.

/** Grows by a packet per round trip and is halved by a loss; `onAck`: what else happens there. */
export const ownText = (name: string, onAck = ''): string => `export default {
  name: ${JSON.stringify(name)},
  summary: 'Of a test.',
  params: { beta: { type: 'number', label: 'Beta', default: 0.5, min: 0.1, max: 0.9 } },
  internals: { acks: { label: 'acknowledgements' } },
  create({ params, mss_bytes, initial_window_packets }: Setup): Controller & { acks: number } {
    return {
      acks: 0,
      cwnd_bytes: initial_window_packets * mss_bytes,
      onAck(ack) {
        this.acks += 1;
        ${onAck}
        if (ack.recovery === 'none' && ack.window_limited)
          this.cwnd_bytes += (mss_bytes * ack.acked_bytes) / this.cwnd_bytes;
      },
      onLoss(loss) {
        if (loss.new_episode) this.cwnd_bytes = Math.max(2 * mss_bytes, this.cwnd_bytes * params['beta']!);
      },
    };
  },
} satisfies Algorithm;
`;
