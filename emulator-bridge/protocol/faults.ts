// What is wrong with a document, fault by fault, each with its place: for the answers of the API, the command line and the page's editor.
import type { z } from 'zod';

export interface PlacedFault {
  /** Empty: the whole document. */
  readonly path: readonly PropertyKey[];
  readonly detail: string;
}

type Issue = z.core.$ZodIssue;
type Union = Issue & { readonly code: 'invalid_union' };

/** Of the forms that a value may have, the one that it comes nearest to says what is wrong; where none is nearer, the forms are named. */
function faultsOfUnion({ errors, message }: Union, path: readonly PropertyKey[]): PlacedFault[] {
  const least = Math.min(...errors.map((issues) => issues.length));
  const [nearest = [], ...others] = errors.filter((issues) => issues.length === least);
  const ofNoForm = others.length > 0 && nearest.every((issue) => issue.path.length === 0);
  return ofNoForm || nearest.length === 0 ? [{ path, detail: message }] : faultsAt(nearest, path);
}

function faultsAt(issues: readonly Issue[], base: readonly PropertyKey[]): PlacedFault[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], detail: 'There is no such field.' }));
    if (issue.code === 'invalid_union') return faultsOfUnion(issue, path);
    return [{ path, detail: issue.message }];
  });
}

export const faultsOf = (error: z.core.$ZodError): PlacedFault[] => faultsAt(error.issues, []);
