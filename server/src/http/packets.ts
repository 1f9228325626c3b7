import { z } from 'zod';
import { LIMITS } from '#protocol/limits';
import { PacketWindow, QueueByFlow } from '#protocol/packets';
import { packetsOf, queueByFlow } from '../jobs/packets.ts';
import type { Lab } from '../lab.ts';
import { RunParams } from './ids.ts';
import { defineRoute, untilGone, type Route } from './route.ts';

const PacketsQuery = z.object({
  from_s: z.coerce.number().min(0).max(LIMITS.duration_s.max).describe('what is under way from here …'),
  to_s: z.coerce.number().min(0).max(LIMITS.duration_s.max).describe('… to here'),
});

export const packetRoutes = (lab: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/runs/:id/packets',
    tag: 'runs',
    summary: 'What became of every packet and acknowledgement that was under way in a span of a run',
    description:
      'A run in virtual time is made again, and shown if it comes to the very figures that are stored; others are refused. ' +
      'At most 100,000 packets and as many acknowledgements: `complete_until_ns` says until when they were enough.',
    params: RunParams,
    query: PacketsQuery,
    answers: { 200: { description: 'In the order in which they were sent', schema: PacketWindow } },
    errors: ['RUN_UNKNOWN', 'RUN_NOT_WATCHABLE', 'REQUEST_INVALID', 'ENGINE_MISSING'],
    handle: ({ params, query }, _req, res) => packetsOf(lab, params.id, query, untilGone(res)),
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/queue-by-flow',
    tag: 'runs',
    summary: 'Whose packets fill the queue: bytes of each flow, as means over time',
    description: 'Of a run in virtual time, which is made again, as for `packets`.',
    params: RunParams,
    answers: { 200: { description: 'Of every flow, from the beginning to the end', schema: QueueByFlow } },
    errors: ['RUN_UNKNOWN', 'RUN_NOT_WATCHABLE', 'ENGINE_MISSING'],
    handle: ({ params }, _req, res) => queueByFlow(lab, params.id, untilGone(res)),
  }),
];
