// What happens along a path that lists its elements: a panel for each of them.
import { z } from 'zod';
import { RIBBON_LANE } from '../charts/layout';
import type { SeriesSpec } from '../charts/types';
import { columnSeries } from './columns';
import { elementNames, elementPanels, elementStreams, idleText, shownFirst } from './element-panels';
import { defineRunPlot, type RunPanel } from './run-plot';

const PANEL_HEIGHT = 84;
/** Columns of one panel differ by their dashes. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [10, 3, 2, 3], [1, 3], [12, 2, 4, 2]];
const dashOf = (nth: number): readonly number[] => DASHES[nth % DASHES.length] ?? [];

const options = z.object({
  all: z.boolean().default(false).meta({ title: 'All values' }),
});

export const plot = defineRunPlot({
  id: 'path',
  title: 'Along the path',
  order: 45,
  height: PANEL_HEIGHT,
  options,
  build: ({ data, theme, whole, options: { all } }) => {
    const elements = data.overlays === undefined ? elementStreams(data.samples.streams) : [];
    const names = elementNames(elements.map(({ info }) => info));
    const panels = elements.flatMap((stream, i) => {
      const name = names[i] ?? stream.info.label;
      const own = elementPanels(stream.info);
      return (all ? own : shownFirst(own)).map((panel, nthPanel): RunPanel => {
        const series = panel.columns.map((column, nth): SeriesSpec => {
          const common = {
            id: `${stream.info.stream}/${column.name}`,
            label: `${name}: ${column.label}`,
            unit: column.unit,
            group: `element:${stream.info.stream}`,
            data: columnSeries(stream, column.name),
          };
          return panel.states
            ? { ...common, kind: 'ribbon', states: column.states ?? [], style: { colour: theme.ink3 } }
            : { ...common, kind: 'line', style: { colour: theme.ink2, dash: dashOf(nth), width: 1.4 } };
        });
        const label = panel.columns.map((column) => column.label);
        return {
          heading: nthPanel === 0 ? name : '',
          keys: panel.states
            ? []
            : label.map((text, nth) => ({ key: text, label: text, colour: theme.ink2, dash: dashOf(nth) })),
          height: panel.states ? RIBBON_LANE + 12 : PANEL_HEIGHT,
          // While more may come, a line at zero stays a line.
          said: whole && !all ? idleText(panel, stream) : undefined,
          spec: {
            id: `path/${stream.info.stream}/${panel.id}`,
            title: `${name}: ${label.join(', ')}`,
            series,
            y: { unit: panel.unit },
          },
        };
      });
    });
    return {
      subtitle: 'each element that packets go through, in order; counts are of a sample each',
      legend: [],
      panels,
    };
  },
});
