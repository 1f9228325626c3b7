import { numberText, within, type Band, type Figure } from './finding.ts';

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
  /** Over which trace matters where the source names another end for it. */
  readonly check: (outcomes: Outcomes, trace: string) => Checked;
}

interface Checked {
  readonly measured: string;
  /** Of a claim about an end: each other algorithm's, by its id. */
  readonly figures: readonly Figure[];
}

/** Figures this close to one another have no order. */
const POINTS = 1;
const SAME_DELAY = 1.05;

const of = (outcomes: Outcomes, cca: string): Outcome => {
  const outcome = outcomes.get(cca);
  if (outcome === undefined) throw new Error(`${cca} was not run`);
  return outcome;
};

interface End {
  readonly figure: keyof Outcome;
  readonly unit: string;
  readonly two: readonly string[];
  /** Of whom the source says otherwise. */
  readonly but?: readonly string[];
  /** Where the others should be, from the figures of the two. */
  readonly band: (ends: readonly number[]) => Band;
}

/** The two that should be at the end, and which others are beyond them. */
function atTheEnd(outcomes: Outcomes, { figure, unit, two, but = [], band }: End): Checked {
  const text = (cca: string): string => `${cca} ${numberText(of(outcomes, cca)[figure])} ${unit}`;
  const expected = band(two.map((cca) => of(outcomes, cca)[figure]));
  const figures = [...outcomes]
    .filter(([cca]) => !two.includes(cca) && !but.includes(cca))
    .map(([cca, outcome]): Figure => ({ name: cca, band: expected, value: outcome[figure] }));
  const beyond = figures.filter(({ value }) => !within(expected, value)).map(({ name }) => text(name));
  const measured = `${two.map(text).join(', ')}${beyond.length === 0 ? '' : `; beyond them ${beyond.join(', ')}`}`;
  return { measured, figures };
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
      atTheEnd(outcomes, {
        figure: 'utilisation',
        unit: '%',
        two: LOSS_BASED,
        band: (ends) => ({ high: Math.min(...ends) + POINTS }),
      }),
  },
  {
    id: 'highest-delay',
    about: LOSS_BASED,
    what: 'NewReno and Cubic have the longest delay',
    expected: 'of the others but Proteus and Verus nobody’s mean RTT is longer',
    source: 'Zeus, section 6 (“except for Proteus-P and Proteus-S”) and table 2, where Verus has 67 times the base RTT',
    check: (outcomes) =>
      atTheEnd(outcomes, {
        figure: 'rttMs',
        unit: 'ms',
        two: LOSS_BASED,
        but: ['proteus-p', 'proteus-s', 'verus'],
        band: (ends) => ({ high: SAME_DELAY * Math.min(...ends) }),
      }),
  },
  {
    id: 'lowest-delay',
    about: SHORTEST,
    what: 'Copa and LEDBAT have the shortest delay',
    expected: 'nobody’s mean RTT is shorter than the longer of theirs, Vivace’s over Beachfront excepted',
    source: 'Zeus, table 1',
    check: (outcomes, trace) =>
      atTheEnd(outcomes, {
        figure: 'rttMs',
        unit: 'ms',
        two: SHORTEST,
        but: trace === 'beachfront-walk' ? ['vivace'] : [],
        band: (ends) => ({ low: Math.max(...ends) / SAME_DELAY }),
      }),
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
        measured: `${numberText(utilisation)} %`,
        figures: [{ name: 'utilisation %', band: { low: 90 - POINTS, high: 98 + POINTS }, value: utilisation }],
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
      return {
        measured: `${numberText(share)} %: ${both}`,
        figures: [{ name: 'share %', band: { low: 50, high: 75 }, value: share }],
      };
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
      return {
        measured: `${numberText(vivace)} < ${numberText(allegro)} ms`,
        figures: [{ name: 'vivace', band: { high: allegro }, value: vivace }],
      };
    },
  },
];
