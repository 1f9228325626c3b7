import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { LIMITS } from '#protocol/limits';
import { PacketWindow, QueueByFlow } from '#protocol/packets';
import { captureRun, linkLog, ns3Trace, packetsOf, queueByFlow } from '../jobs/packets.ts';
import type { Lab } from '../lab.ts';
import { RunParams } from './ids.ts';
import { defineRoute, untilGone, type Route } from './route.ts';

const Seconds = z.coerce.number().min(0).max(LIMITS.duration_s.max);
const PacketsQuery = z.object({
  from_s: Seconds.describe('what is under way from here …'),
  to_s: Seconds.describe('… to here'),
});
const CaptureQuery = z.object({
  from_s: Seconds.optional().describe('what is seen from here on; absent: from the beginning'),
  to_s: Seconds.optional().describe('and before this; absent: to the end'),
});
const PCAPNG = 'application/x-pcapng';

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
    path: '/runs/:id/capture',
    tag: 'runs',
    summary: 'A run as a packet capture, for Wireshark',
    description:
      'pcapng with two interfaces, at the senders and at the receivers: IPv4, TCP and UDP headers with what the engine knows of each packet. ' +
      'The run is made again, as for `packets`, once for each 100,000 packets.',
    params: RunParams,
    query: CaptureQuery,
    answers: { 200: { description: 'The file, as it is made', media: PCAPNG } },
    errors: ['RUN_UNKNOWN', 'RUN_NOT_WATCHABLE', 'REQUEST_INVALID', 'ENGINE_MISSING'],
    handle: async ({ params: { id }, query }, _req, res) => {
      const file = await captureRun(lab, id, query, untilGone(res));
      res.attachment(`paceline-${id}.pcapng`).type(PCAPNG);
      await pipeline(Readable.from(file), res);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/link-log',
    tag: 'runs',
    summary: 'What happened at the queue of a run’s link, as Mahimahi’s mm-link logs it',
    description:
      'Opportunities, arrivals, departures and drops in whole milliseconds. The run is made again, as for `capture`.',
    params: RunParams,
    query: CaptureQuery,
    answers: { 200: { description: 'The log, as it is made', media: 'text/plain' } },
    errors: ['RUN_UNKNOWN', 'RUN_NOT_WATCHABLE', 'REQUEST_INVALID', 'TRACE_UNKNOWN', 'ENGINE_MISSING'],
    handle: async ({ params: { id }, query }, _req, res) => {
      const file = await linkLog(lab, id, query, untilGone(res));
      res.attachment(`paceline-${id}-link.log`).type('text/plain');
      await pipeline(Readable.from(file), res);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/ns3-trace',
    tag: 'runs',
    summary: 'A run as an ASCII trace of ns-3',
    description:
      'Node 0 sends, node 1 has the link and its queue, node 2 receives: a line for each packet that enters a queue, leaves it, is dropped or ' +
      'arrives. The run is made again, as for `capture`.',
    params: RunParams,
    query: CaptureQuery,
    answers: { 200: { description: 'The trace, as it is made', media: 'text/plain' } },
    errors: ['RUN_UNKNOWN', 'RUN_NOT_WATCHABLE', 'REQUEST_INVALID', 'ENGINE_MISSING'],
    handle: async ({ params: { id }, query }, _req, res) => {
      const file = await ns3Trace(lab, id, query, untilGone(res));
      res.attachment(`paceline-${id}.tr`).type('text/plain');
      await pipeline(Readable.from(file), res);
    },
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
