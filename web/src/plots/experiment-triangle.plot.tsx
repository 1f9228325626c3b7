// Who is first under which weights: the triangle of all weightings of throughput, delay and fairness, with the scenarios in it.
import { Suspense, useMemo, useRef } from 'react';
import { z } from 'zod';
import { SCENARIOS, type Weights } from '#analysis/scores';
import {
  blendOf,
  splitOf,
  weightsFrom,
  weightTriangle,
  type Blend,
  type Split,
  type WeightTriangle,
} from '#analysis/weight-triangle';
import { Figure } from '../charts/Figure';
import { useVisibility } from '../charts/visibility';
import type { TermTable } from '#analysis/terms';
import { formatPercent } from '../ui/format';
import { lazyPart } from '../ui/lazy-part';
import { Skeleton } from '../ui/notice';
import type { ExperimentPlotData } from './data';
import { ccaSeries, markerLegend, scoreTerms, type CcaSeries } from './experiment-series';
import { groupOf } from './experiment-series';
import { ccaKey } from '#analysis/results';
import { definePlot, type PlotProps, type Shown } from './registry';
import { triangleHeight } from './triangle-geometry';
import type { TrianglePoint } from './TrianglePicture';

/** Far below the first screen: nobody waits for it. */
const TrianglePicture = lazyPart(async () => ({ default: (await import('./TrianglePicture')).TrianglePicture }));

const options = z.object({});
type Options = z.output<typeof options>;

const scenarioOf = ({ scenario }: ExperimentPlotData) => SCENARIOS.find(({ id }) => id === scenario) ?? SCENARIOS[0];

const weightsIn = (data: ExperimentPlotData, id: string, own: Weights): Weights => data.weights?.get(id) ?? own;

/** How fairness is divided in the scenario that is looked at. */
function ownSplit(data: ExperimentPlotData): Split {
  const scenario = scenarioOf(data);
  if (scenario === undefined) return { intra: 0.5, inter: 0.5 };
  return splitOf(weightsIn(data, scenario.id, scenario.weights), scenario.weights);
}

/** Those that are hidden do not compete here. */
function rivalsOf(data: ExperimentPlotData, hidden: ReadonlySet<string>): TermTable {
  const terms = scoreTerms(data);
  const groups = new Map(data.record.cells.map((cell) => [ccaKey(cell), groupOf(cell)]));
  return { ...terms, ccas: terms.ccas.filter(({ key }) => !hidden.has(groups.get(key) ?? '')) };
}

const pointsOf = (data: ExperimentPlotData): TrianglePoint[] => {
  const own = scenarioOf(data)?.id;
  return SCENARIOS.filter(({ id, main }) => main || id === own).map(({ id, label, weights }) => ({
    id,
    label,
    blend: blendOf(weightsIn(data, id, weights)),
  }));
};

function table(data: ExperimentPlotData, _: Options, { hidden }: Pick<Shown, 'hidden'>) {
  const triangle = weightTriangle(rivalsOf(data, hidden), ownSplit(data));
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { label, share, polygon } of triangle?.regions ?? [])
      for (const [throughput, delay, fairness] of polygon) yield [label, share, throughput, delay, fairness];
  }
  return {
    columns: ['first', 'share_of_triangle', 'corner_throughput', 'corner_delay', 'corner_fairness'],
    rows: rows(),
  };
}

/** `36 % within the algorithm, 64 % with the baseline`. */
const splitText = ({ intra, inter }: Split): string =>
  inter === 0
    ? 'fairness is that of two flows of one algorithm'
    : intra === 0
      ? 'fairness is that beside the baseline'
      : `fairness counts ${formatPercent(intra)} among its own flows and ${formatPercent(inter)} beside the baseline`;

const leadText = ({ regions }: WeightTriangle): string => {
  const [first] = regions;
  return first === undefined ? '' : `${first.label} is first in ${formatPercent(first.share)} of all weightings here; `;
};

function Triangle({ data, size, theme }: PlotProps<'experiment', Options>) {
  const { visibility, onWeights, weights } = data;
  const { hidden } = useVisibility(visibility);
  const split = ownSplit(data);
  const rivals = useMemo(() => rivalsOf(data, hidden), [data, hidden]);
  const triangle = useMemo(
    () => weightTriangle(rivals, { intra: split.intra, inter: split.inter }),
    [rivals, split.intra, split.inter],
  );
  const series = useMemo(() => ccaSeries(data, theme), [data, theme]);
  const scenario = scenarioOf(data);
  /** What a move began with: at the edge without fairness nothing else says how it is divided. */
  const begun = useRef<Split>(split);
  const points = pointsOf(data);
  const all = scoreTerms(data).ccas.flatMap(({ key }): CcaSeries[] => {
    const one = series.get(key);
    return one === undefined ? [] : [one];
  });
  const move = (to: Blend, dragging: boolean): void => {
    if (scenario === undefined) return;
    if (!dragging) begun.current = split;
    onWeights?.(new Map([...(weights ?? []), [scenario.id, weightsFrom(to, begun.current)]]), dragging);
  };
  return (
    <Figure
      name={`${data.record.id}-triangle`}
      title="Who is first under which weights"
      subtitle={
        triangle === null
          ? 'with two algorithms shown there is something to compare'
          : `${leadText(triangle)}${splitText(triangle.split)}, as in “${scenario?.label ?? ''}”, whose weights can be moved`
      }
      legend={markerLegend(all)}
      visibility={visibility}
      spoken
      table={() => table(data, {}, data.visibility.state)}
    >
      {triangle === null ? null : (
        <Suspense fallback={<Skeleton height={triangleHeight(size.width)} />}>
          <TrianglePicture
            regions={triangle.regions}
            series={series}
            points={points}
            own={scenario?.id ?? ''}
            width={size.width}
            theme={theme}
            emphasis={(key) => visibility.emphasis({ group: key })}
            onMove={onWeights === undefined ? undefined : move}
          />
        </Suspense>
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'triangle',
  title: 'Who is first under which weights',
  needs: 'experiment',
  order: 41,
  height: 440,
  options,
  table,
  applies: (data) => weightTriangle(scoreTerms(data), ownSplit(data)) !== null,
  Component: Triangle,
});
