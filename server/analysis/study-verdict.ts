// What becomes of a paper's claim: its numbers as printed, ours, and a verdict by the tolerance that its data file had before anything ran.
import { kendallTau } from '#analysis/rank-correlation';
import type { CellResult } from '#analysis/results';
import { mean } from '#analysis/statistics';
import { firsts, measure, type Found } from '#analysis/study-measure';
import type { ClaimPoint, Expectation, Measure, Outcome, Tested, Verdict } from '#protocol/study';

type Values = Extract<Expectation, { readonly kind: 'values' }>;
type Order = Extract<Expectation, { readonly kind: 'order' }>;
type First = Extract<Expectation, { readonly kind: 'first' }>;

interface Span {
  readonly from: number | null;
  readonly to: number | null;
}

/** Three digits. */
export const digits = (value: number): string => String(Number(value.toPrecision(3)));

const spanOf = (printed: Values['paper'][string]): Span =>
  typeof printed === 'number' ? { from: printed, to: printed } : { from: printed.from ?? null, to: printed.to ?? null };

function spanText({ from, to }: Span): string {
  if (from === null) return to === null ? '' : `≤ ${digits(to)}`;
  if (to === null) return `≥ ${digits(from)}`;
  return from === to ? digits(from) : `${digits(from)} … ${digits(to)}`;
}

/** The span with the tolerance around it. */
export function accepted({ from, to }: Span, tolerance: Values['tolerance']): Span {
  const off = (value: number, side: -1 | 1): number => {
    if ('absolute' in tolerance) return value + side * tolerance.absolute;
    if ('relative' in tolerance) return value + side * tolerance.relative * Math.abs(value);
    // A factor leaves zero where it is, and of what is negative makes the other side.
    const outward = side === Math.sign(value) || value === 0;
    return outward ? value * tolerance.factor : value / tolerance.factor;
  };
  return { from: from === null ? null : off(from, -1), to: to === null ? null : off(to, 1) };
}

const isInside = (value: number, { from, to }: Span): boolean =>
  value >= (from ?? -Infinity) && value <= (to ?? Infinity);

/** How far outside the paper's span, in tolerances: 1 is at the edge of what is accepted. Factors are counted as such. */
function misfitOf(value: number, span: Span, around: Span, tolerance: Values['tolerance']): number {
  const beyond = (bound: number | null, edge: number | null, sign: -1 | 1): number => {
    if (bound === null || edge === null || (value - bound) * sign <= 0) return 0;
    if ('factor' in tolerance && value * bound > 0 && tolerance.factor > 1)
      return Math.abs(Math.log(value / bound)) / Math.log(tolerance.factor);
    const room = Math.abs(edge - bound);
    return room === 0 ? Infinity : Math.abs(value - bound) / room;
  };
  return Math.max(beyond(span.from, around.from, -1), beyond(span.to, around.to, 1));
}

type Ours = NonNullable<ClaimPoint['ours']>;

function oursOf(found: Found | undefined, scale: number): Ours | null {
  if (found === undefined) return null;
  const scaled = (value: number | null): number | null => (value === null ? null : value * scale);
  const value = found.mean * scale;
  return { text: digits(value), value, low: scaled(found.low), high: scaled(found.high), n: found.n, over: found.over };
}

/** What has no value is not taken for what it would have been: a crossing that is not there, a test that decides nothing. */
function incomplete(points: readonly ClaimPoint[]): Outcome {
  const without = points.filter(({ ours }) => ours === null).map(({ key }) => key);
  return { verdict: 'fails', text: `nothing to tell of ${without.join(', ')}`, misfit: null, points: [...points] };
}

const finite = (values: readonly number[]): number | null => {
  const average = mean(values);
  // As far off as can be told in a file.
  return average === null ? null : Math.min(average, 1000);
};

interface Known {
  readonly value: number;
  readonly point: ClaimPoint;
}

const knownOf = (points: readonly ClaimPoint[]): readonly Known[] =>
  points.flatMap((point) => (typeof point.ours?.value === 'number' ? [{ value: point.ours.value, point }] : []));

function isDirection(points: readonly Known[], direction: Values['direction']): boolean {
  if (direction === undefined) return false;
  if ('above' in direction) return points.every(({ value }) => value > direction.above);
  if ('below' in direction) return points.every(({ value }) => value < direction.below);
  const printed = points.map(
    ({ point: { paper } }) => ((paper.from ?? paper.to ?? 0) + (paper.to ?? paper.from ?? 0)) / 2,
  );
  const tau = kendallTau(
    points.map(({ value }) => value),
    printed,
  );
  return tau !== null && tau.tau >= direction.tau;
}

function values(found: ReadonlyMap<string, Found>, expect: Values, scale: number, unit: string): Outcome {
  const spans = new Map<string, { readonly span: Span; readonly around: Span }>();
  const points = Object.entries(expect.paper).map(([key, printed]): ClaimPoint => {
    const span = spanOf(printed);
    const around = accepted(span, expect.tolerance);
    spans.set(key, { span, around });
    const ours = oursOf(found.get(key), scale);
    const inside = ours?.value === null || ours === null ? null : isInside(ours.value, around);
    return { key, paper: { text: spanText(span), ...span }, accepted: around, ours, inside };
  });
  const known = knownOf(points);
  if (known.length < points.length) return incomplete(points);
  const inside = known.filter(({ point }) => point.inside === true).length;
  const holds = inside >= expect.share * points.length - 1e-9;
  const verdict: Verdict = holds ? 'holds' : isDirection(known, expect.direction) ? 'direction' : 'fails';
  const misfit = finite(
    known.map(({ value, point }) => {
      const own = spans.get(point.key);
      return own === undefined ? 0 : misfitOf(value, own.span, own.around, expect.tolerance);
    }),
  );
  const [one] = points;
  const text =
    points.length === 1 && one !== undefined && one.ours !== null
      ? `${withInterval(one.ours)}${unit === '' ? '' : ` ${unit}`}, paper ${one.paper.text}`
      : `${inside} of ${points.length} within the tolerance`;
  return { verdict, text, misfit, points };
}

const withInterval = ({ text, low, high }: Ours): string =>
  low === null || high === null ? text : `${text} (${digits(low)} … ${digits(high)})`;

/** Places in an order, counted from one and from the least, are no numbers of what is measured: they are told in words and drawn nowhere. */
function isRanking(paper: Order['paper']): boolean {
  return Object.values(paper)
    .sort((a, b) => a - b)
    .every((place, i) => place === i + 1);
}

const placeText = (place: number, of: number): string =>
  place === 1 ? 'least' : place === of ? 'most' : `${place} of ${of}`;

function order(found: ReadonlyMap<string, Found>, expect: Order, scale: number): Outcome {
  const places = isRanking(expect.paper) ? Object.keys(expect.paper).length : null;
  const points = Object.entries(expect.paper).map(([key, printed]): ClaimPoint => {
    const paper =
      places === null
        ? { text: digits(printed), from: printed, to: printed }
        : { text: placeText(printed, places), from: null, to: null };
    return { key, paper, accepted: null, ours: oursOf(found.get(key), scale), inside: null };
  });
  const known = knownOf(points);
  if (known.length < points.length) return incomplete(points);
  const tau = kendallTau(
    known.map(({ value }) => value),
    Object.values(expect.paper),
  )?.tau;
  if (tau === undefined) return { verdict: 'fails', text: 'all are equal: there is no order', misfit: 2, points };
  const verdict: Verdict = tau >= expect.holds ? 'holds' : tau >= expect.direction ? 'direction' : 'fails';
  const room = Math.max(1 - expect.holds, 1e-9);
  return { verdict, text: `Kendall’s τ ${tau.toFixed(2)}, wanted ${expect.holds}`, misfit: (1 - tau) / room, points };
}

function first(results: readonly CellResult[], asked: Measure, expect: First, scale: number): Outcome {
  const found = firsts(results, asked, expect);
  const points = Object.entries(expect.paper).map(([key, names]): ClaimPoint => {
    const paper = { text: names.join(', '), from: null, to: null };
    const own = found.get(key);
    if (own === undefined) return { key, paper, accepted: null, ours: null, inside: null };
    const ours = { ...oursOf(own.value, scale), text: own.tied.join(', ') } as Ours;
    return { key, paper, accepted: null, ours, inside: own.tied.some((name) => names.includes(name)) };
  });
  if (points.some(({ ours }) => ours === null)) return incomplete(points);
  const right = points.filter(({ inside }) => inside === true).length;
  const share = right / points.length;
  const verdict: Verdict =
    share >= expect.share - 1e-9 ? 'holds' : share >= expect.direction - 1e-9 ? 'direction' : 'fails';
  return { verdict, text: `the same at ${right} of ${points.length}`, misfit: (1 - share) * 2, points };
}

/** `results`: of the experiment that the measure names, as far as they are done. Throws where a measure asks for what there is not. */
export function outcomeOf({ measure: asked, expect, scale, unit }: Tested, results: readonly CellResult[]): Outcome {
  // All runs of an experiment have ended, or there is nothing of it.
  if (results.length === 0) return { verdict: 'open', text: 'not run yet', misfit: null, points: [] };
  if (expect.kind === 'first') return first(results, asked, expect, scale);
  const found = measure(results, asked);
  return expect.kind === 'values' ? values(found, expect, scale, unit) : order(found, expect, scale);
}

const RANK: Readonly<Record<Verdict, number>> = { holds: 3, direction: 2, fails: 1, untestable: 0, open: 0 };
/** A switch that explains something takes away at least this part of the misfit. */
export const EXPLAINED = 0.25;

/** Whether what does not hold is nearer to the paper with the switch: a better verdict, or a quarter of the misfit gone. null: it was not run. */
export function isNearer(without: Outcome, withIt: Outcome): boolean | null {
  if (withIt.verdict === 'open' || without.verdict === 'open') return null;
  if (without.verdict === 'holds') return false;
  if (RANK[withIt.verdict] > RANK[without.verdict]) return true;
  if (without.misfit === null || withIt.misfit === null) return false;
  return RANK[withIt.verdict] === RANK[without.verdict] && withIt.misfit <= (1 - EXPLAINED) * without.misfit;
}
