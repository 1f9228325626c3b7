// How much whoever asks may still bring: operators as much as the data folder has room for, others no more than each may hold.
import type { Response } from 'express';
import type { Allowance } from '../allowance.ts';
import type { Lab } from '../lab.ts';
import { callerOf } from './callers.ts';
import { makerOf } from './owners.ts';

export function allowanceOf({ quota, holdings }: Pick<Lab, 'quota' | 'holdings'>, res: Response): Allowance {
  const maker = makerOf(res);
  return maker === null || callerOf(res)?.role === 'operator' ? quota : holdings.allowanceOf(maker);
}
