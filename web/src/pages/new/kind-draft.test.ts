import { describe, expect, it } from 'vitest';
import { LISTING } from '#analysis/testing';
import { ExperimentKind } from '#protocol/experiment-kind';
import { EXPERIMENT_PLOTS } from '../../plots/experiment-plots';
import { parseOptions } from '../../plots/options';
import { checkDraft, firstDraft } from './draft';
import { answerSearch, draftOfKind } from './kind-draft';

const files = import.meta.glob('../../../../server/kinds/*.kind.json', { eager: true, import: 'default' });
const KINDS = Object.values(files).map((file) => ExperimentKind.parse(file));

describe('kinds of experiments in the form', () => {
  it.each(KINDS.map((kind) => [kind.id, kind] as const))('%s opens at a figure that there is', (_, kind) => {
    const plot = EXPERIMENT_PLOTS.find(({ id }) => id === kind.answer.figure);
    expect(plot).toBeDefined();
    if (plot === undefined) return;
    const { all } = parseOptions(plot.options, kind.answer.options);
    expect(all).toMatchObject(kind.answer.options);
    expect(Object.keys(answerSearch(kind)).every((key) => key.startsWith(`${plot.id}.`))).toBe(true);
  });

  it.each(KINDS.map((kind) => [kind.id, kind] as const))(
    '%s keeps what was chosen, sets the rest, and can run',
    (_, kind) => {
      const chosen = {
        ...firstDraft(LISTING),
        name: 'Mine',
        traces: [{ recipe: 'city-drive', seeds: { from: 1, count: 3 } }],
        loss: [0.1],
        seed: 7,
      };
      const draft = draftOfKind(kind, chosen, LISTING, false);
      expect([draft.name, draft.traces, draft.ccas, draft.seed]).toEqual([
        'Mine',
        chosen.traces,
        chosen.ccas,
        chosen.seed,
      ]);
      expect(draft.loss).toEqual([0]);
      expect(checkDraft(draft, 'x')).toMatchObject({ ok: true });
      // Twice is the same as once.
      expect(draftOfKind(kind, draft, LISTING, false)).toEqual(draft);
    },
  );

  it('fill a form that lacks traces and algorithms, which then is what lacks', () => {
    const [kind] = KINDS;
    if (kind === undefined) throw new Error('there are no kinds');
    const draft = draftOfKind(kind, { ...firstDraft(LISTING), ccas: [] }, LISTING, true);
    expect(checkDraft(draft, 'x')).toMatchObject({ ok: false, faults: [{ where: 'traces' }, { where: 'ccas' }] });
  });
});
