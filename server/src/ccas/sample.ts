// A short run of one algorithm, to look at: an experiment like any other, put away so that the lists stay those of who works here.
import { ccaLabel } from '#analysis/cca-label';
import { engineOf } from '#analysis/kinds';
import type { CcaDescriptor } from '#protocol/cca';
import type { CcaSample, SampleAsked } from '#protocol/cca-about';
import { LABEL_LIMITS } from '#protocol/limits';
import { AskedSpec } from '#protocol/spec';
import { shortened } from '#protocol/text';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { aboutAll, sampleLinks } from './read-about.ts';

const DURATION_S = 20;

/** Also where no experiment is made of it: the page and the tests read what would be asked. */
export function sampleSpec(cca: CcaDescriptor, { link: asked, params }: SampleAsked): AskedSpec {
  const links = sampleLinks();
  const link = asked === undefined ? links[0] : links.find(({ id }) => id === asked);
  if (link === undefined)
    throw new AppError(
      'REQUEST_INVALID',
      `there is no link ${asked ?? ''}; there are ${links.map(({ id }) => id).join(', ')}`,
      {
        where: 'link',
      },
    );
  const queue = aboutAll({ ccas: [cca] })[0]?.queue;
  const chosen = { id: cca.id, params, ...(queue === undefined ? {} : { queue }) };
  const name = `Sample: ${ccaLabel({ cca: { id: cca.id, params } }, cca)}, ${link.label.toLowerCase()}`;
  return AskedSpec.parse({
    note: 'Shown on the page of the algorithm.',
    duration_s: DURATION_S,
    ...link.sets,
    name: shortened(name, LABEL_LIMITS.name.max),
    ccas: [chosen],
  });
}

/** Starts it, unless it has been made. */
export async function startSample(lab: Lab, id: string, asked: SampleAsked): Promise<CcaSample> {
  const { ccas } = await lab.engine.listing();
  const cca = ccas.find((one) => one.id === id);
  if (cca === undefined) throw new AppError('CCA_UNKNOWN', `the engine lists no algorithm ${id}`, { where: id });
  if (engineOf(cca, 'virtual') !== 'virtual')
    throw new AppError('SPEC_INVALID', `${cca.label} has no sample: it does not run in virtual time`, {
      hint: 'Run an experiment with it in real time.',
    });
  const { id: experiment, created } = await lab.experiments.submit(sampleSpec(cca, asked));
  if (created) lab.organiser.change('experiment', experiment, { archived: true });
  lab.experiments.lookAt(experiment);
  const { runs } = await lab.experiments.runs(experiment, { limit: 1 });
  const run = runs[0]?.id;
  if (run === undefined) throw new Error(`sample ${experiment} has no run`);
  return { experiment, run };
}
