// A claim of networks by name, asked of others: each network has its counterpart, or is left out.
import type { Tested, Where } from '#protocol/study';

type Counterparts = Readonly<Record<string, string>> | undefined;

/** null: none of them has one here. */
function placesOf(where: Where, counterpart: (name: string) => string | undefined): Where | null {
  if (where.trace === undefined) return where;
  const named = [...new Set([where.trace].flat().flatMap((name) => counterpart(String(name)) ?? []))];
  return named.length === 0 ? null : { ...where, trace: named };
}

/** Of networks with the same counterpart the first one speaks. */
function printedOf<T>(paper: Readonly<Record<string, T>>, counterpart: (name: string) => string | undefined) {
  const printed: Record<string, T> = {};
  for (const [name, value] of Object.entries(paper)) {
    const own = counterpart(name);
    if (own !== undefined && !Object.hasOwn(printed, own)) printed[own] = value;
  }
  return printed;
}

/** As it is asked where `there` are the networks; null: it cannot be, for want of counterparts. */
export function overOthers(tested: Tested, there: ReadonlySet<string>, counterparts: Counterparts): Tested | null {
  const { measure, expect } = tested;
  const counterpart = (name: string): string | undefined => {
    const own = counterparts?.[name];
    return own !== undefined && there.has(own) ? own : undefined;
  };
  const where = placesOf(measure.where, counterpart);
  if (where === null) return null;
  const { against } = measure;
  const beside = against === undefined ? null : placesOf(against.where, counterpart);
  if (against !== undefined && beside === null) return null;
  const asked = {
    ...measure,
    where,
    ...(against === undefined || beside === null ? {} : { against: { ...against, where: beside } }),
  };
  if (measure.by !== 'trace') return { ...tested, measure: asked };
  // An order wants two.
  const least = expect.kind === 'order' ? 2 : 1;
  const keys = new Set(Object.keys(printedOf<unknown>(expect.paper, counterpart)));
  if (keys.size < least) return null;
  const over = { ...asked, where: { ...where, trace: [...keys] } };
  switch (expect.kind) {
    case 'values':
      return { ...tested, measure: over, expect: { ...expect, paper: printedOf(expect.paper, counterpart) } };
    case 'order':
      return { ...tested, measure: over, expect: { ...expect, paper: printedOf(expect.paper, counterpart) } };
    case 'first':
      return { ...tested, measure: over, expect: { ...expect, paper: printedOf(expect.paper, counterpart) } };
  }
}
