// What handovers cost, by the model that knows of them (Uplink, figure 5): throughput and RTT within a second of them over elsewhere.
import { aroundMarks, type AroundQuantity, type AroundSeries } from '#analysis/around-marks';
import { known, NOTHING, POSITIVE, type Family } from '#analysis/sampled-parts';
import { mean } from '#analysis/statistics';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';

/** Of all flows together: each is looked at in the same bins. null: one of the two times has none. */
function ratioOf(series: readonly AroundSeries[], quantity: AroundQuantity): number | null {
  const own = series.filter((one) => one.quantity === quantity);
  const [near, rest] = [
    mean(own.flatMap((one) => one.near?.mean ?? [])),
    mean(own.flatMap((one) => one.rest?.mean ?? [])),
  ];
  return near === null || rest === null || rest === 0 ? null : near / rest;
}

const ratio = (label: string) => ({
  label: `${label} within a second of handovers over elsewhere`,
  unit: '×',
  range: POSITIVE,
});

export const AROUND: Family = {
  values: { handover_throughput: ratio('throughput'), handover_rtt: ratio('RTT') },
  handovers: true,
  needs: ({ flows }) => [
    [FORWARD_LINK_STREAM, 'capacity_mbps'],
    [FORWARD_LINK_STREAM, 'sojourn_mean_ms'],
    ...flows.flatMap((_, flow) => [
      [receiverStream(flow), 'throughput_mbps'] as const,
      [senderStream(flow), 'latest_rtt_ms'] as const,
    ]),
  ],
  *steps(manifest, column, handovers) {
    const around = aroundMarks(manifest, handovers, column);
    yield;
    // Outages of a link of which nobody knows whether they are handovers are none.
    if (around?.of !== 'handovers') return NOTHING;
    const { series } = around;
    return {
      ...NOTHING,
      values: known({
        handover_throughput: ratioOf(series, 'throughput'),
        handover_rtt: ratioOf(series, 'rtt'),
      }),
    };
  },
};
