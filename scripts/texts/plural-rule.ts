// `Plural-Forms` of a file of gettext: how many forms a language has, and which of them a count takes. It becomes code, so it is read
// strictly: the operators that gettext has, and nothing else.

export type PluralRule = { readonly forms: number; readonly expression: string } | { readonly fault: string };

const HEADER = /^\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+?)\s*;?\s*$/;
const TOKENS = /^(?:\s|n|\d{1,9}|[=!<>]=|[<>%?:()!]|&&|\|\|)+$/;
const MOST_FORMS = 8;
/** Counts whose forms are tried: all classes of all languages are among them. */
const TRIED = 200;

export function formOf(header: string): PluralRule {
  const [, count, expression = ''] = HEADER.exec(header) ?? [];
  if (count === undefined) return { fault: 'it is not of the form nplurals=2; plural=(n != 1);' };
  const forms = Number(count);
  if (forms < 1 || forms > MOST_FORMS) return { fault: `${forms} forms: there may be 1 to ${MOST_FORMS}` };
  if (!TOKENS.test(expression) || expression.length > 400) return { fault: `“${expression}” is no expression of n` };
  let form: (n: number) => unknown;
  try {
    // Nothing but operators and numbers can be in it.
    // oxlint-disable-next-line typescript/no-implied-eval
    form = new Function('n', `return Number(${expression});`) as typeof form;
    for (let n = 0; n <= TRIED; n++) {
      const chosen = form(n);
      if (typeof chosen !== 'number' || !Number.isInteger(chosen) || chosen < 0 || chosen >= forms)
        return { fault: `for ${n} it says form ${String(chosen)} of ${forms}` };
    }
  } catch {
    return { fault: `“${expression}” is no expression of n` };
  }
  return { forms, expression };
}
