// What is private is not there for who may not see it: the same refusals, the same lists, as if it had never been made.
import type { Response } from 'express';
import { AppError } from '../errors.ts';
import { NOBODY, type Eyes, type PrivateStore } from '../store/private.ts';
import { callerOf } from './callers.ts';
import type { Holder } from './keys.ts';

/** Who looks. Operators see everything, and so does everybody where nobody is asked. */
export function eyesOf(res: Response): Eyes {
  const given = res.locals['eyes'] as Eyes | undefined;
  if (given !== undefined) return given;
  return eyesOfCaller(callerOf(res));
}

/** It is asked from within, for a share: whoever comes will read it. */
export const isFrozen = (res: Response): boolean => res.locals['eyes'] !== undefined;

/** Null: somebody without what the server asks for. */
export function eyesOfCaller(caller: Holder | null): Eyes {
  if (caller === null) return NOBODY;
  return caller.role === 'operator' || caller.via === null ? 'all' : { name: caller.name, via: caller.via };
}

type Seen = 'experiment' | 'run' | 'trace';

const UNKNOWN = {
  experiment: 'EXPERIMENT_UNKNOWN',
  run: 'RUN_UNKNOWN',
  trace: 'TRACE_UNKNOWN',
} as const satisfies Record<Seen, string>;

const KINDS: readonly Seen[] = ['experiment', 'run', 'trace'];

/** What an address is of, when that may be private: `/runs/:id/samples` is of a run. */
const kindOf = (path: string): Seen | undefined => KINDS.find((kind) => `${path}/`.startsWith(`/${kind}s/:id/`));

/** Refuses what is kept from these eyes, in the words for what there is not. */
export function mustBeSeen(hidden: PrivateStore, eyes: Eyes, kind: Seen, id: string): void {
  if (hidden.isUnseen(kind, id, eyes)) throw new AppError(UNKNOWN[kind], `there is no ${kind} ${id}`, { where: id });
}

/** The same for whatever an address is of. `places`: what stands in the path where the route has `:id`. */
export function addressMustBeSeen(
  hidden: PrivateStore,
  eyes: Eyes,
  path: string,
  places: Readonly<Record<string, string | string[] | undefined>>,
): void {
  const kind = kindOf(path);
  const { id } = places;
  if (kind !== undefined && typeof id === 'string') mustBeSeen(hidden, eyes, kind, id);
}
