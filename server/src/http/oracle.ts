import type { Lab } from '../lab.ts';
import { RunParams } from './ids.ts';
import { defineRoute, untilGone, type Route } from './route.ts';

export const oracleRoutes = (lab: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/runs/:id/oracle',
    tag: 'runs',
    summary: 'What the delayed-feedback oracle does over the same link, as telemetry frames',
    description:
      'Over the trace, base RTT, queue limit and path of the run, alone, in virtual time: the run of the same cell of an experiment where ' +
      'there is one, else made when it is asked for. Hello, summary and end, then the samples of the link, the sender and the receiver.',
    params: RunParams,
    answers: { 200: { description: 'See docs/telemetry.md', media: 'application/octet-stream' } },
    errors: ['RUN_UNKNOWN', 'ORACLE_UNAVAILABLE', 'ENGINE_MISSING'],
    handle: async ({ params }, _req, res) => {
      const frames = await lab.oracles.of(params.id, untilGone(res));
      res.type('application/octet-stream').set('Cache-Control', 'private, max-age=60').send(frames);
    },
  }),
];
