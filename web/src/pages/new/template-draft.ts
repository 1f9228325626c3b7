// What a template makes of the form: its spec, but for what it leaves to whoever uses it.
import type { EngineListing } from '#protocol/cca';
import type { Template } from '#protocol/template';
import { ApiError } from '../../api/client';
import { sameJson, sortCcas, type Draft } from './draft';

/** Algorithms of somebody's own are what “my algorithm” means; where there are none, those that are chosen. */
function ownCcas({ ccas }: Draft, listing: EngineListing): Draft['ccas'] {
  const external = listing.ccas.filter(({ kind, unavailable }) => kind === 'external' && unavailable === undefined);
  return external.length > 0 ? external.map(({ id }) => ({ id, params: {} })) : ccas;
}

export function draftOfTemplate(template: Template, draft: Draft, listing: EngineListing): Draft {
  const { spec, keeps, shipped, title } = template;
  const ccas = keeps.includes('ccas') ? ownCcas(draft, listing) : [];
  const added = spec.ccas.filter(
    (ref) => !ccas.some((own) => sameJson({ ...own, params: {} }, { ...ref, params: {} })),
  );
  return {
    ...spec,
    // The name of a shipped one says what it asks, and that of an experiment what it has.
    name: shipped ? '' : title,
    note: '',
    ccas: sortCcas([...ccas, ...added], listing),
    traces: keeps.includes('traces') && draft.traces.length > 0 ? draft.traces : spec.traces,
  };
}

export const noTemplate = (id: string): ApiError =>
  new ApiError({
    type: 'urn:paceline:problem:template-unknown',
    title: 'There is no such template',
    status: 404,
    code: 'TEMPLATE_UNKNOWN',
    detail: `This server has no template ${id}.`,
    hint: 'It may have been deleted. Begin a new experiment without it.',
  });
