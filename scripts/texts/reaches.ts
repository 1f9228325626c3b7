// Whether a way can be gone from a value of a type: what no value of it has is not looked for.
import ts from 'typescript';
import type { Step, Way } from './steps.ts';

/** Of these anything may be read. */
const OPEN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter | ts.TypeFlags.NonPrimitive;

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** null: the type does not tell. */
function typesAt(checker: ts.TypeChecker, type: ts.Type, step: Step): readonly ts.Type[] | null {
  const found: ts.Type[] = [];
  for (const part of partsOf(checker.getNonNullableType(type))) {
    const bare = checker.getApparentType(part);
    if (part.flags & OPEN || bare.getCallSignatures().length > 0 || bare.getStringIndexType() !== undefined)
      return null;
    const listed = bare.getNumberIndexType();
    if (step === 'any' || 'at' in step) {
      if (listed === undefined) return null;
      found.push(listed);
      continue;
    }
    const property = checker.getPropertyOfType(bare, step.name);
    if (property !== undefined) found.push(checker.getTypeOfSymbol(property));
  }
  return found;
}

export function reaches(checker: ts.TypeChecker, node: ts.Expression, way: Way): boolean {
  let types: readonly ts.Type[] = [checker.getTypeAtLocation(node)];
  for (const step of way) {
    const next: ts.Type[] = [];
    for (const type of types) {
      const found = typesAt(checker, type, step);
      if (found === null) return true;
      next.push(...found);
    }
    if (next.length === 0) return false;
    types = next;
  }
  return true;
}
