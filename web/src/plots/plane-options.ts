// What both figures of bytes in flight and throughput against RTT let a reader choose.
import { z } from 'zod';
import { PLANES, SPACING_NAMES, type Plane } from '#analysis/sampled-plane';

export const PLANE_TITLES: Readonly<Record<Plane, string>> = {
  inflight: 'bytes in flight of a flow, kB',
  throughput: 'throughput of all flows, Mbps',
};

export const planeOptions = z.object({
  y: z
    .enum(PLANES)
    .default('inflight')
    .meta({ title: 'Against RTT', labels: { inflight: 'bytes in flight', throughput: 'throughput of all flows' } }),
  spacing: z.enum(SPACING_NAMES).default('100 ms').meta({ title: 'A point every' }),
});
export type PlaneOptions = z.output<typeof planeOptions>;
