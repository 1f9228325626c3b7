import { ExperimentKinds } from '#protocol/experiment-kind';
import { shippedKinds } from '../kinds/read-kinds.ts';
import { defineRoute, type Route } from './route.ts';

export const kindRoutes = (): Route[] => [
  defineRoute({
    method: 'get',
    path: '/kinds',
    tag: 'experiments',
    summary: 'Kinds of experiments: a question each, and what it sets of a spec',
    description: 'Traces and algorithms are whoever asks’s own; `paceline kind` and the page make a whole spec of one.',
    answers: { 200: { description: 'In the order in which they are shown', schema: ExperimentKinds } },
    errors: [],
    handle: (): ExperimentKinds => ({ kinds: shippedKinds() }),
  }),
];
