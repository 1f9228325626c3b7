// What goes on inside each CCA: its phases as ribbons, its own variables as lines, one panel per variable.
import { z } from 'zod';
import type { StreamColumn } from '#protocol/control';
import { SENDER_COLUMNS } from '#protocol/columns';
import { RIBBON_LANE } from '../charts/layout';
import type { SeriesSpec } from '../charts/types';
import { columnSeries } from './columns';
import { defineRunPlot, flowLegend, lineWidth, type RunPanel } from './run-plot';

const COMMON = new Set<string>(['time_s', ...SENDER_COLUMNS.map((column) => column.name)]);
const PANEL_HEIGHT = 104;
/** Phases tell most in least room; an algorithm without phases shows so many of its variables until all are asked for. */
const SHOWN_FIRST = 1;

export const plot = defineRunPlot({
  id: 'internals',
  title: 'Inside the algorithms',
  order: 50,
  height: PANEL_HEIGHT,
  options: z.object({ all: z.boolean().default(false).meta({ title: 'All variables' }) }),
  build: ({ flows, options: { all } }) => {
    const ribbons: SeriesSpec[] = [];
    /** Variables of the same name and unit share a panel, whichever flow they are of. */
    const numbers = new Map<string, { readonly column: StreamColumn; readonly series: SeriesSpec[] }>();
    for (const { key, label, look, sender } of flows)
      for (const column of sender?.info.columns ?? []) {
        if (sender === undefined || COMMON.has(column.name)) continue;
        const common = {
          id: `${key}/${column.name}`,
          label: `${label} ${column.label}`,
          unit: column.unit,
          group: key,
          data: columnSeries(sender, column.name),
        };
        if (column.states !== undefined && column.states.length > 0) {
          ribbons.push({ ...common, kind: 'ribbon', states: column.states, style: { colour: look.colour } });
          continue;
        }
        const id = `${column.name}/${column.unit}`;
        const panel = numbers.get(id) ?? { column, series: [] };
        panel.series.push({
          ...common,
          kind: 'line',
          style: { colour: look.colour, dash: look.dash, width: lineWidth(flows) },
        });
        numbers.set(id, panel);
      }
    if (!all) for (const id of [...numbers.keys()].slice(ribbons.length > 0 ? 0 : SHOWN_FIRST)) numbers.delete(id);
    const panels: RunPanel[] = [];
    if (ribbons.length > 0)
      panels.push({
        heading: [...new Set(ribbons.map((ribbon) => ribbon.label))].join(' · '),
        height: ribbons.length * RIBBON_LANE + 12 + (numbers.size === 0 ? 22 : 0),
        spec: { id: 'internals/states', title: 'Phases of the algorithms', series: ribbons, y: { unit: '' } },
      });
    let left = numbers.size;
    for (const [id, { column, series }] of numbers)
      panels.push({
        heading: column.unit === '' ? column.label : `${column.label}, ${column.unit}`,
        height: PANEL_HEIGHT + (--left === 0 ? 18 : 0),
        spec: { id: `internals/${id}`, title: column.label, series, y: { unit: column.unit } },
      });
    return {
      subtitle: 'each algorithm’s own phases and variables',
      legend: flowLegend(flows),
      panels,
    };
  },
});
