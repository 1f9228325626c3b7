import { importTrace } from '#bridge/traces';
import type { CapacitySpec } from '#protocol/manifest';
import { recording } from '../../lib/recordings.mjs';

export interface AuthorsLink {
  readonly name: string;
  readonly capacity: CapacitySpec;
  readonly queueBytes: number;
}

export const RTT_MS = 40;
const CONSTANT = [
  { rateMbps: 24, queueBytes: 240_000 },
  { rateMbps: 100, queueBytes: 1_000_000 },
  { rateMbps: 12, queueBytes: 120_000 },
];
/** The first two that are here; the last two are shipped. */
const RECORDINGS = [
  'lte-taxi-nyc.down.gz',
  'lte-walk-nyc-3199718.down.gz',
  '3g-hspa-citydrive.down.gz',
  '5g-mmwave-drive-lumos103.rl.gz',
];
const OF_THEM = 2;
const LIMIT_BDP = 5;
const LEAST_QUEUE_BYTES = 3000;

async function overRecording(file: string, path: string, dir: string): Promise<AuthorsLink> {
  const { info } = await importTrace(path, dir);
  const bdpBytes = (info.mean_mbps * 1e3 * RTT_MS) / 8;
  return {
    name: file.split('.')[0] ?? file,
    capacity: { kind: 'trace', sha256: info.sha256, name: file, offset_ms: 0 },
    queueBytes: Math.max(LEAST_QUEUE_BYTES, Math.floor(LIMIT_BDP * bdpBytes)),
  };
}

/** Three constant links and two recordings, or of all there are those that are asked for by name. */
export async function authorsLinks(dir: string, only: readonly string[] | null): Promise<readonly AuthorsLink[]> {
  const constant = CONSTANT.map(({ rateMbps, queueBytes }): AuthorsLink => ({
    name: `${rateMbps}-mbps`,
    capacity: { kind: 'constant', rate_mbps: rateMbps },
    queueBytes,
  }));
  const here = RECORDINGS.flatMap((file) => {
    const path = recording(file);
    return path === undefined ? [] : [{ file, path }];
  });
  const chosen =
    only === null ? here.slice(0, OF_THEM) : here.filter(({ file }) => only.includes(file.split('.')[0] ?? ''));
  const recorded = await Promise.all(chosen.map(({ file, path }) => overRecording(file, path, dir)));
  const links = [...constant, ...recorded].filter(({ name }) => only?.includes(name) ?? true);
  const unknown = only?.filter((name) => !links.some((link) => link.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(
      `--links: there is no ${unknown.join(', ')} here; there are ${[...constant.map(({ name }) => name), ...here.map(({ file }) => file.split('.')[0])].join(', ')}`,
    );
  return links;
}
