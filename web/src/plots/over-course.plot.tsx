// The course of a run: how soon flows converge, recover from what the link does and settle when others come and go; and how fair they are over
// short times and long.
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { RunDynamics } from '#analysis/run-dynamics';
import { Figure } from '../charts/Figure';
import { formatDuration, formatPercent } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import { barsOf, courseOf, tableOf, type Bar } from './course';
import { CoursePicture } from './CoursePicture';
import type { RunPlotData } from './data';
import { flowsOf } from './flows';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';
import plots from './plots.module.css';

const options = z.object({});

function barsIn(data: RunPlotData, theme: Theme): Bar[] {
  const course = courseOf(data);
  if (course === null) return [];
  const starts = data.manifest.flows.map(({ start_s }) => start_s);
  return barsOf(course, flowsOf(data, data.samples.streams, theme), starts);
}

function Course({ data, size, theme }: PlotProps<'run', z.output<typeof options>>) {
  const { samples, visibility } = data;
  const complete = useSyncExternalStore(samples.subscribe, () => samples.complete);
  const hidden = useSyncExternalStore(visibility.subscribe, () => visibility.state.hidden);
  const course = useMemo(() => (complete ? courseOf(data) : null), [data, complete]);
  const bars = useMemo(() => (course === null ? [] : barsIn(data, theme)), [data, course, theme]);
  if (course !== null && bars.length === 0 && course.jain.length === 0) return null;
  const flows = flowsOf(data, samples.streams, theme);
  const boxes = course?.jain.some(({ throughput, rtt }) => throughput !== null || rtt !== null) === true;
  return (
    <Figure
      name={`${data.id}-course`}
      title="Convergence and recovery"
      subtitle={course === null ? '' : ruleText(course)}
      legend={[...flowLegend(flows), ...(boxes ? BOX_KEYS.map((item) => ({ ...item, colour: theme.ink2 })) : [])]}
      visibility={visibility}
      table={() => tableOf(bars, course, { range: data.view.range, hidden })}
    >
      {course === null ? (
        <p className={plots['waiting']} style={{ height: size.height }}>
          Loading the run …
        </p>
      ) : (
        <CoursePicture
          bars={bars.filter(({ group }) => !hidden.has(group))}
          jain={boxes ? course.jain : []}
          hidden={hidden}
          flows={flows}
          duration_s={data.manifest.duration_s}
          width={size.width}
          theme={theme}
        />
      )}
    </Figure>
  );
}

const BOX_KEYS = [
  { key: 'jain:throughput', label: 'throughput', glyph: 'swatch' },
  { key: 'jain:rtt', label: 'RTT', glyph: 'hatch' },
] as const;

const ruleText = ({ rule }: RunDynamics): string =>
  `until means of ${formatDuration(rule.window_s)} stay for ${formatDuration(rule.hold_s)} within ${formatPercent(rule.band)} of the final share of the link, at a Jain’s index of ${rule.fair}, or at ${formatPercent(rule.recovered)} of the link; from samples`;

export const plot = definePlot({
  id: 'course',
  title: 'Convergence and recovery',
  needs: 'run',
  order: 48,
  height: 200,
  options,
  table: (data, _, shown) => tableOf(barsIn(data, getTheme()), courseOf(data), shown),
  Component: Course,
});
