// By how much the round-trip time of each flow is longer.
import { differencePlot } from './difference-plot';

export const plot = differencePlot({
  id: 'diff-rtt',
  title: 'Round-trip time, difference',
  what: 'round-trip time',
  unit: 'ms',
  order: 20,
  column: 'latest_rtt_ms',
  of: 'sender',
});
