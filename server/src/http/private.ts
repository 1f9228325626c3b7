// What is private becomes what all may see. The other way there is none: what others have seen they have seen.
import { PRIVATE_KINDS, type PrivateKind } from '#protocol/access';
import { ExperimentRecord, TraceRecord } from '#protocol/api';
import type { Lab } from '../lab.ts';
import { ExperimentParams, TraceParams } from './ids.ts';
import { withMaker, withPrivacy } from './owners.ts';
import { defineRoute, type Route } from './route.ts';

const OF = {
  experiment: {
    params: ExperimentParams,
    schema: ExperimentRecord,
    unknown: 'EXPERIMENT_UNKNOWN',
    one: 'an experiment',
  },
  trace: { params: TraceParams, schema: TraceRecord, unknown: 'TRACE_UNKNOWN', one: 'a trace' },
} as const;

function publishing(lab: Lab, kind: PrivateKind): Route {
  const { params, schema, unknown, one } = OF[kind];
  const { store, experiments, traces, organiser } = lab;
  return defineRoute({
    method: 'post',
    path: `/${kind}s/:id/publish`,
    owned: { kind },
    tag: `${kind}s`,
    summary: `Let everybody see ${one} that is private`,
    description: 'For good: what others have seen cannot be taken back. Its address stays.',
    params,
    answers: { 200: { description: 'As everybody sees it', schema } },
    errors: [unknown, ...(kind === 'experiment' ? (['STILL_PRIVATE'] as const) : [])],
    handle: async ({ params: { id } }, _req, res) => {
      organiser.publish(kind, id);
      return kind === 'trace'
        ? withPrivacy(store, res, kind, traces.get(id))
        : withMaker(store, res, kind, await experiments.get(id));
    },
  });
}

export const privateRoutes = (lab: Lab): Route[] => PRIVATE_KINDS.map((kind) => publishing(lab, kind));
