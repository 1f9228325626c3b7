import type { DoctorCheck } from '#protocol/api';
import { gigabytes, type Quota } from './quota.ts';

/** How large the data folder is, and may become. */
export async function dataFolder(quota: Quota): Promise<DoctorCheck> {
  const used = await quota.used();
  const ok = quota.most === null || used < quota.most;
  return {
    id: 'data',
    label: 'Data folder',
    ok,
    detail: `${gigabytes(used)}${quota.most === null ? ', without a limit (--max-data)' : ` of at most ${gigabytes(quota.most)}`}`,
    remedy: ok ? null : 'Start the server with a greater --max-data, or begin another data folder.',
    command: null,
  };
}
