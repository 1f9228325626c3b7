// What waits at the bottleneck of each run beyond that of the run it is held against.
import { differencePlot } from './difference-plot';

export const plot = differencePlot({
  id: 'diff-queue',
  title: 'Queue, difference',
  what: 'queue',
  unit: 'B',
  order: 40,
  column: 'queue_bytes',
  of: 'link',
});
