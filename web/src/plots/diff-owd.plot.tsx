// By how much the one-way delay of each flow is longer.
import { differencePlot } from './difference-plot';

export const plot = differencePlot({
  id: 'diff-owd',
  title: 'One-way delay, difference',
  what: 'one-way delay',
  unit: 'ms',
  order: 30,
  column: 'owd_mean_ms',
  of: 'receiver',
});
