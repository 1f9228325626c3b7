// What goes on inside each CCA: its phases as ribbons, its own variables as lines, one panel per variable or group of variables.
import { z } from 'zod';
import { RIBBON_LANE } from '../charts/layout';
import type { SeriesSpec } from '../charts/types';
import { columnSeries } from './columns';
import { internalPanels, internalsOf, variableKeys, variableStyle, type Member } from './internal-panels';
import { defineRunPlot, flowLegend, lineWidth, type RunPanel } from './run-plot';

const PANEL_HEIGHT = 104;
/** Phases tell most in least room; an algorithm without phases shows so many of its variables until all are asked for. */
const SHOWN_FIRST = 1;

/** Of what is never below zero and may span orders of magnitude: rates, windows, times. */
const LOGARITHMIC = new Set(['Mbps', 'packets', 'packets/s', 'B', 'ms', 's']);

const options = z.object({
  all: z.boolean().default(false).meta({ title: 'All variables' }),
  scale: z.enum(['linear', 'log']).default('linear').meta({ title: 'Scale of rates, windows and times' }),
});

const hasStates = ({ column }: Member): boolean => (column.states ?? []).length > 0;

const seriesOf = ({ flow: { key, label, sender }, column }: Member) =>
  sender === undefined
    ? []
    : [
        {
          id: `${key}/${column.name}`,
          label: `${label} ${column.label}`,
          unit: column.unit,
          group: key,
          data: columnSeries(sender, column.name),
        },
      ];

export const plot = defineRunPlot({
  id: 'internals',
  title: 'Inside the algorithms',
  order: 50,
  height: PANEL_HEIGHT,
  options,
  build: ({ data, flows, theme, options: { all, scale } }) => {
    const members = internalsOf(flows);
    const ribbons = members.filter(hasStates).flatMap((member): SeriesSpec[] =>
      seriesOf(member).map((series) => ({
        ...series,
        kind: 'ribbon',
        states: member.column.states ?? [],
        style: { colour: member.flow.look.colour },
      })),
    );
    const numbers = internalPanels(members.filter((member) => !hasStates(member)));
    const shown = all ? numbers : numbers.slice(0, ribbons.length > 0 ? 0 : SHOWN_FIRST);
    const panels: RunPanel[] = [];
    if (ribbons.length > 0)
      panels.push({
        heading: [...new Set(ribbons.map((ribbon) => ribbon.label))].join(' · '),
        height: ribbons.length * RIBBON_LANE + 12 + (shown.length === 0 && data.sharedAxis !== true ? 22 : 0),
        spec: { id: 'internals/states', title: 'Phases of the algorithms', series: ribbons, y: { unit: '' } },
      });
    shown.forEach((panel, i) => {
      const series = [...panel.variables.values()].flatMap((variable, nth) =>
        variable.flatMap((member): SeriesSpec[] =>
          seriesOf(member).map((one) => ({
            ...one,
            kind: 'line',
            style: {
              colour: member.flow.look.colour,
              dash: member.flow.look.dash,
              width: lineWidth(flows),
              ...variableStyle(panel, nth),
            },
          })),
        ),
      );
      panels.push({
        heading: panel.heading,
        keys: variableKeys(panel, theme.ink2),
        height: PANEL_HEIGHT + (i === shown.length - 1 && data.sharedAxis !== true ? 18 : 0),
        spec: {
          id: `internals/${panel.id}`,
          title: panel.heading,
          series,
          y: { unit: panel.unit, scale: LOGARITHMIC.has(panel.unit) ? scale : 'linear', cut: 'lines' },
        },
      });
    });
    return {
      subtitle: 'each algorithm’s own phases and variables; ▴ beyond the scale',
      legend: flowLegend(flows),
      panels,
    };
  },
});
