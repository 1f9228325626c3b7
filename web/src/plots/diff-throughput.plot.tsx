// What each flow gets more than that of the run it is held against.
import { differencePlot } from './difference-plot';

export const plot = differencePlot({
  id: 'diff-throughput',
  title: 'Throughput, difference',
  what: 'throughput',
  unit: 'Mbps',
  order: 10,
  column: 'throughput_mbps',
  of: 'receiver',
});
