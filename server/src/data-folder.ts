import type { DoctorCheck } from '#protocol/api';
import type { Lab } from './lab.ts';
import { sizeText, type Quota } from './quota.ts';

/** How large the data folder is, and may become. */
export async function dataFolder(quota: Quota): Promise<DoctorCheck> {
  const used = await quota.used();
  const ok = quota.most === null || used < quota.most;
  return {
    id: 'data',
    label: 'Data folder',
    ok,
    detail: `${sizeText(used)}${quota.most === null ? ', without a limit (--max-data)' : ` of at most ${sizeText(quota.most)}`}`,
    remedy: ok ? null : 'Start the server with a greater --max-data, or begin another data folder.',
    command: null,
  };
}

/** What results take, and what becomes of old ones. */
export function retentionCheck({ store, retention }: Pick<Lab, 'store' | 'retention'>): DoctorCheck {
  const used = store.usedBytes();
  const gone = store.samplesGone.count();
  const ok = retention.most === null || used <= retention.most;
  const bound =
    retention.most === null ? 'kept without a limit (--retain)' : `of ${sizeText(retention.most)} that are retained`;
  const told = gone === 0 ? '' : `; the samples of ${gone === 1 ? 'one run' : `${gone} runs`} were let go`;
  return {
    id: 'retention',
    label: 'Results',
    ok,
    detail: `${sizeText(used)} ${bound}${told}`,
    remedy: ok
      ? null
      : 'What is starred or shared keeps its samples: take stars back, or start the server with a greater --retain.',
    command: null,
  };
}

/** Whether workers on other machines can come; null: none were asked for. */
export function workersCheck({ fleet }: Pick<Lab, 'fleet'>): DoctorCheck | null {
  if (fleet === null) return null;
  const { trouble, cards, place } = fleet;
  const count = cards.length === 1 ? 'one worker' : `${cards.length} workers`;
  return {
    id: 'workers',
    label: 'Workers',
    ok: trouble === null,
    detail: trouble ?? `${count} by ${place}`,
    remedy: trouble === null ? null : 'Until then this machine makes all runs; it asks again by itself.',
    command: null,
  };
}
