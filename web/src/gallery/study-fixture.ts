// A made-up study: a claim of each kind and verdict.
import type { ClaimOutcome, ClaimPoint, Origin, Verdict } from '#protocol/study';
import type { StudyPlotData } from '../plots/data';

function point(key: string, paper: number, ours: number | null, off: number): ClaimPoint {
  return {
    key,
    paper: { text: String(paper), from: paper, to: paper },
    accepted: { from: paper - off, to: paper + off },
    ours:
      ours === null
        ? null
        : { text: String(ours), value: ours, low: ours - off / 2, high: ours + off / 2, n: 5, over: 'traces' },
    inside: ours === null ? null : Math.abs(ours - paper) <= off,
  };
}

const name = (key: string, paper: string, ours: string): ClaimPoint => ({
  key,
  paper: { text: paper, from: null, to: null },
  accepted: null,
  ours: { text: ours, value: 1, low: null, high: null, n: 5, over: null },
  inside: paper === ours,
});

function claim(id: string, verdict: Verdict, text: string, points: ClaimPoint[], unit = ''): ClaimOutcome {
  const outcome = {
    verdict,
    text: `${points.filter(({ inside }) => inside).length} of ${points.length}`,
    misfit: 1,
    points,
  };
  const origin: Origin = 'recorded';
  return {
    id,
    text,
    unit,
    experiment: 'solo',
    outcome,
    variants: [{ id: 'recorded', title: 'Recorded networks', origin, outcome, nearer: false }],
    reason:
      verdict === 'fails'
        ? { text: 'Their queue was deeper.', variant: 'deep', title: 'A deeper queue', shown: true, numbers: '2 of 2' }
        : null,
  };
}

export function studyFixture(): StudyPlotData {
  const claims = [
    claim('a', 'holds', 'Utilisation of each', [point('curve', 95, 93, 5), point('modelled', 80, 84, 5)], '%'),
    claim('b', 'fails', 'Delay of each', [point('curve', 12, 40, 4), point('modelled', 4.3, null, 2)], '× base'),
    claim('c', 'direction', 'Who is first', [name('city', 'curve', 'curve'), name('canyon', 'curve', 'modelled')]),
    claim('d', 'untestable', 'Beside a phone', []),
  ];
  const figure = { id: 'table-1', title: 'Table 1: a made-up table', note: 'Means over two networks.', claims };
  return {
    figure,
    nameOf: (id) => (id === 'modelled' ? 'Modelled' : id),
    study: {
      id: 'made-up',
      title: 'A made-up study',
      question: 'Does it hold?',
      paper: null,
      setup: '',
      runs_total: 10,
      runs_done: 10,
      running: false,
      estimate_s: { low: 0, high: 0 },
      estimate_bytes: 0,
      verdicts: { holds: 1, direction: 1, fails: 1, untestable: 1, open: 0 },
      engine_version: '1.2.3',
      experiments: [],
      answers: [],
      figures: [figure],
    },
  };
}
