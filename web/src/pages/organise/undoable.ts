// What is done to things and can be undone: each says at once what it did, with the way back.
import type { QueryClient } from '@tanstack/react-query';
import { changeLabels, deleteThing, restoreThing, type Thing } from '../../api/labels';
import { asApiError } from '../../api/client';
import { plural } from '../../ui/format';
import { showProblem, showToast } from '../../ui/toasts';

export interface NamedThing extends Thing {
  readonly name: string;
}

const COUNTED: Readonly<Record<Thing['kind'], (count: number) => string>> = {
  experiment: (n) => plural(n, 'experiment'),
  run: (n) => plural(n, 'run'),
  trace: (n) => plural(n, 'trace'),
};

const named = (things: readonly NamedThing[]): string => {
  const [only] = things;
  if (only === undefined) return '';
  return things.length === 1 ? `“${only.name}”` : COUNTED[only.kind](things.length);
};

/** One after the other, as far as it goes: tells what was done, and what was refused. */
async function each(
  things: readonly NamedThing[],
  act: (thing: NamedThing) => Promise<unknown>,
): Promise<readonly NamedThing[]> {
  const done: NamedThing[] = [];
  const refused: unknown[] = [];
  for (const thing of things)
    await act(thing).then(
      () => done.push(thing),
      (error: unknown) => refused.push(error),
    );
  const [first, ...others] = refused;
  if (others.length > 0)
    showToast({ kind: 'problem', text: `${refused.length} were not: ${asApiError(first).problem.detail} …` });
  else if (first !== undefined) showProblem(first);
  return done;
}

export async function archive(queries: QueryClient, things: readonly NamedThing[], archived: boolean): Promise<void> {
  const set = (to: boolean) => (thing: NamedThing) => changeLabels(queries, thing, { archived: to });
  const done = await each(things, set(archived));
  if (done.length === 0) return;
  showToast({
    text: archived ? `${named(done)} archived: out of the list, not gone.` : `${named(done)} in the list again.`,
    undo: () => each(done, set(!archived)),
  });
}

/** Tells whether anything was. */
export async function remove(queries: QueryClient, things: readonly NamedThing[]): Promise<boolean> {
  const done = await each(things, (thing) => deleteThing(queries, thing));
  if (done.length === 0) return false;
  showToast({ text: `${named(done)} deleted.`, undo: () => each(done, (thing) => restoreThing(queries, thing)) });
  return true;
}
