// A run around its handovers, as the model behind its trace tells them; around the outages of its link where nobody tells of handovers.
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { AroundMarks } from '#analysis/around-marks';
import { Figure } from '../charts/Figure';
import { getTheme } from '../theme/theme';
import { formatDuration, plural } from '../ui/format';
import { aroundOf, tableOf } from './around';
import { AroundPicture } from './AroundPicture';
import type { RunPlotData } from './data';
import { flowsOf } from './flows';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';

const options = z.object({});

const namesOf = (data: RunPlotData): string[] =>
  flowsOf(data, data.samples.streams, getTheme()).map(({ label }) => label);

const subtitleOf = ({ of, marks, rule }: AroundMarks): string =>
  `the mean over ${of === 'handovers' ? plural(marks.length, 'handover') : plural(marks.length, 'outage or drop', 'outages and drops')} with its 95 % interval; below, means of ${formatDuration(rule.bin_s)} near them and elsewhere: quartiles, least and most`;

function AroundHandovers({ data, size, theme }: PlotProps<'run', z.output<typeof options>>) {
  const { samples, visibility } = data;
  const complete = useSyncExternalStore(samples.subscribe, () => samples.complete);
  const hidden = useSyncExternalStore(visibility.subscribe, () => visibility.state.hidden);
  const found = useMemo(() => (complete ? aroundOf(data) : null), [data, complete]);
  if (found === null) return null;
  const flows = flowsOf(data, samples.streams, theme);
  return (
    <Figure
      name={`${data.id}-around`}
      title={found.of === 'handovers' ? 'Around handovers' : 'Around outages and drops'}
      subtitle={subtitleOf(found)}
      legend={[
        ...flowLegend(flows),
        { key: 'link', label: 'link', colour: theme.ink3 },
        {
          key: 'near',
          label: `within ${formatDuration(found.rule.near_s)}`,
          colour: theme.ink2,
          glyph: 'swatch',
          fixed: true,
        },
        { key: 'rest', label: 'elsewhere', colour: theme.ink2, glyph: 'hatch', fixed: true },
      ]}
      visibility={visibility}
      table={() => tableOf(found, namesOf(data), { range: null, hidden })}
    >
      <AroundPicture found={found} flows={flows} hidden={hidden} width={size.width} theme={theme} />
    </Figure>
  );
}

export const plot = definePlot({
  id: 'around',
  title: 'Around handovers',
  needs: 'run',
  order: 49,
  height: 350,
  options,
  table: (data, _, shown) => tableOf(aroundOf(data), namesOf(data), shown),
  Component: AroundHandovers,
});
