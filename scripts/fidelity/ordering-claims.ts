import { numberText } from './finding.ts';

/** One algorithm alone over a trace. */
export interface Outcome {
  /** Percent of the opportunities. */
  readonly utilisation: number;
  readonly rttMs: number;
  /** Of every delivered packet, as a round trip. */
  readonly packetMs: number;
  readonly queueingMs: number;
  readonly mbps: number;
}
export type Outcomes = ReadonlyMap<string, Outcome>;

export interface OrderingClaim {
  readonly id: string;
  readonly about: readonly string[];
  readonly what: string;
  readonly expected: string;
  readonly source: string;
  readonly check: (outcomes: Outcomes) => Checked;
}

interface Checked {
  readonly holds: boolean;
  readonly measured: string;
  /** Who is where he should not be, or on which side: a reason is for that alone. */
  readonly ahead?: readonly string[];
}

/** Figures this close to one another have no order. */
const POINTS = 1;
const SAME_DELAY = 1.05;

const of = (outcomes: Outcomes, cca: string): Outcome => {
  const outcome = outcomes.get(cca);
  if (outcome === undefined) throw new Error(`${cca} was not run`);
  return outcome;
};

/** Those others whose `figure` is beyond that of the two that should be at the end. */
function atTheEnd(
  outcomes: Outcomes,
  figure: keyof Outcome,
  unit: string,
  two: readonly string[],
  beyond: (value: number, ends: readonly number[]) => boolean,
): Checked {
  const text = (cca: string): string => `${cca} ${numberText(of(outcomes, cca)[figure])} ${unit}`;
  const ends = two.map((cca) => of(outcomes, cca)[figure]);
  const ahead = [...outcomes].filter(([cca, outcome]) => !two.includes(cca) && beyond(outcome[figure], ends));
  const others = ahead.map(([cca]) => text(cca));
  const measured = `${two.map(text).join(', ')}${others.length === 0 ? '' : `; beyond them ${others.join(', ')}`}`;
  return { holds: ahead.length === 0, measured, ahead: ahead.map(([cca]) => cca) };
}

const LOSS_BASED = ['newreno', 'cubic'];
const SHORTEST = ['copa', 'ledbat'];

export const ORDERINGS: readonly OrderingClaim[] = [
  {
    id: 'highest-utilisation',
    about: LOSS_BASED,
    what: 'NewReno and Cubic use most',
    expected: `nobody uses ${POINTS} point more`,
    source: 'Zeus, table 1',
    check: (outcomes) =>
      atTheEnd(outcomes, 'utilisation', '%', LOSS_BASED, (value, ends) => value > Math.min(...ends) + POINTS),
  },
  {
    id: 'highest-delay',
    about: LOSS_BASED,
    what: 'NewReno and Cubic have the longest delay',
    expected: 'nobody’s mean RTT is longer',
    source: 'Zeus, section 6',
    check: (outcomes) =>
      atTheEnd(outcomes, 'rttMs', 'ms', LOSS_BASED, (value, ends) => value > SAME_DELAY * Math.min(...ends)),
  },
  {
    id: 'lowest-delay',
    about: SHORTEST,
    what: 'Copa and LEDBAT have the shortest delay',
    expected: 'nobody’s mean RTT is shorter than the longer of theirs',
    source: 'Zeus, table 1',
    check: (outcomes) =>
      atTheEnd(outcomes, 'rttMs', 'ms', SHORTEST, (value, ends) => SAME_DELAY * value < Math.max(...ends)),
  },
  {
    id: 'bbr-utilisation',
    about: ['bbr'],
    what: 'BBR’s utilisation',
    expected: `90–98 % (± ${POINTS})`,
    source: 'Zeus, section 6',
    check: (outcomes) => {
      const { utilisation } = of(outcomes, 'bbr');
      return {
        holds: utilisation >= 90 - POINTS && utilisation <= 98 + POINTS,
        measured: `${numberText(utilisation)} %`,
      };
    },
  },
  {
    id: 'bbr-delay',
    about: ['bbr', 'cubic'],
    what: 'BBR’s mean RTT as a share of Cubic’s',
    expected: '50–75 %',
    source: 'Zeus, section 6',
    check: (outcomes) => {
      const share = (100 * of(outcomes, 'bbr').rttMs) / of(outcomes, 'cubic').rttMs;
      const both = `${numberText(of(outcomes, 'bbr').rttMs)} of ${numberText(of(outcomes, 'cubic').rttMs)} ms`;
      const side = share < 50 ? 'below' : 'above';
      return { holds: share >= 50 && share <= 75, measured: `${numberText(share)} %: ${both}`, ahead: [side] };
    },
  },
  {
    id: 'vivace-before-allegro',
    about: ['vivace', 'allegro'],
    what: 'Vivace has less delay than Allegro',
    expected: 'Vivace’s mean RTT < Allegro’s',
    source: 'Zeus, table 2',
    check: (outcomes) => {
      const [vivace, allegro] = [of(outcomes, 'vivace').rttMs, of(outcomes, 'allegro').rttMs];
      return { holds: vivace < allegro, measured: `${numberText(vivace)} < ${numberText(allegro)} ms` };
    },
  },
];
