// The scores of a report: for each scenario a bar per algorithm with its interval and rank.
import { scaleLinear } from 'd3-scale';
import { formatMeasured } from '#analysis/format';
import type { RankedCca } from '#analysis/ranking';
import { mark, svg, type ReportSeries } from '#analysis/report-marks';
import { n, safe } from '#analysis/report-page';
import { weightText, type ScenarioRanking } from '#analysis/score-order';
import { TERM_INFO } from '#analysis/scores';
import { cutTo } from '#analysis/text-width';

const WIDTH = 330;
const ROW = 26;
const BAR = 14;
const TOP = 40;
const BOTTOM = 22;
const NAMES = 112;
/** Room for the printed value and the rank. */
const RIGHT = 76;

export const SCORE_RULES = `
.bar{fill:var(--c)}.under{fill:none;stroke:var(--surface);stroke-width:4}.over{fill:none;stroke:var(--ink);stroke-width:1.25}.none{fill:none;stroke:var(--hairline);stroke-dasharray:4 3}`;

export function scoresSvg(
  { scenario, weights, ranking, left_out }: ScenarioRanking,
  rows: readonly ReportSeries[],
): string {
  const height = TOP + rows.length * ROW + BOTTOM;
  const x = scaleLinear([0, 1], [NAMES, WIDTH - RIGHT]);
  const ticks = [0, 0.5, 1].map((tick) => `<text class="q m" x="${n(x(tick))}" y="${height - 7}">${tick}</text>`);
  const lines = [0, 0.5, 1].map((tick) => `M${n(x(tick))},${TOP - 4}V${height - BOTTOM + 2}`).join('');
  const bars = rows.map((one, row) => {
    const y = TOP + row * ROW + (ROW - BAR) / 2;
    const entry = ranking.ccas.find(({ key }) => key === one.key);
    return `${mark(one, [9, y + BAR / 2], 5)}<text x="22" y="${n(y + BAR - 3)}">${safe(cutTo(one.label, NAMES - 30, 12))}</text>${entry === undefined ? '' : bar(entry, one, x, y)}`;
  });
  const first = ranking.ccas.filter(({ rank }) => rank === 1).map(({ label }) => label);
  return svg(
    WIDTH,
    height,
    `${scenario.label}: ${first.join(' and ')} first`,
    `<text class="b" x="0" y="13">${safe(scenario.label)}</text><text class="q" x="0" y="29">${safe(weightText(weights, left_out))}</text><path class="grid" d="${lines}"/>${ticks.join('')}${bars.join('')}`,
  );
}

function bar(
  { score, interval, rank, tied_with }: RankedCca,
  one: ReportSeries,
  x: (value: number) => number,
  y: number,
): string {
  const middle = n(y + BAR / 2);
  if (score.value === null)
    return `<rect class="none" x="${n(x(0))}" y="${n(y)}" width="${n(x(1) - x(0))}" height="${BAR}"/><text class="q" x="${n(x(0) + 8)}" y="${n(y + BAR - 3)}">not measured: ${safe(score.missing.map((term) => TERM_INFO[term].label.toLowerCase()).join(', '))}</text>`;
  const whisker =
    interval === null
      ? ''
      : `<path class="under" d="M${n(x(interval.low))},${middle}H${n(x(interval.high))}"/><path class="over" d="M${n(x(interval.low))},${middle}H${n(x(interval.high))}M${n(x(interval.low))},${n(y + 3)}v8M${n(x(interval.high))},${n(y + 3)}v8"/>`;
  return `<rect class="${one.name} bar" x="${n(x(0))}" y="${n(y)}" width="${n(Math.max(1, x(score.value) - x(0)))}" height="${BAR}" rx="1.5"/>${whisker}<text x="${n(x(1) + 10)}" y="${n(y + BAR - 3)}">${formatMeasured(score.value)}</text><text class="e" x="${WIDTH - 2}" y="${n(y + BAR - 3)}">${rank === null ? '' : `${rank}${tied_with.length > 0 ? ' =' : ''}`}</text>`;
}
