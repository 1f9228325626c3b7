import { WeightsInfo } from '#protocol/weights';
import { oneShot } from './one-shot.ts';

/** A file that is no weights file, or fits no algorithm: the place in it and the reason. */
export class WeightsRefused extends Error {
  override readonly name = 'WeightsRefused';
}

/** What is in a weights file. Throws WeightsRefused. */
export async function inspectWeights(file: string, signal?: AbortSignal): Promise<WeightsInfo> {
  const program = 'paceline-weights';
  const { code, stdout, stderr } = await oneShot(program, ['--file', file], signal && { signal });
  if (code === 0) return WeightsInfo.parse(JSON.parse(stdout));
  throw new WeightsRefused(stderr.trim().replace(`${program}: `, ''));
}
