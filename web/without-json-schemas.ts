// A schema of zod can also write itself as a JSON Schema, which only documents are made of: no page asks for it, and nobody is to fetch it.
import type { Plugin } from 'vite';

const WRITERS = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;

interface Named {
  readonly name: string;
}
interface Statement {
  readonly type: string;
  readonly declaration?: {
    readonly id?: Named;
    readonly declarations?: readonly { readonly id: Named }[];
  } | null;
}

/** What a module of single declarations exports. */
function exportsOf(program: { readonly body: readonly unknown[] }): string[] {
  return (program.body as readonly Statement[]).flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration') return [];
    const declared = declaration?.declarations?.map(({ id }) => id) ?? [declaration?.id];
    return declared.flatMap((id) => (id === undefined ? [] : [id.name]));
  });
}

export const withoutJsonSchemas = (): Plugin => ({
  name: 'paceline-without-json-schemas',
  apply: 'build',
  transform(code, id) {
    if (!WRITERS.test(id)) return null;
    const names = exportsOf(this.parse(code));
    if (names.length === 0) throw new Error(`${id} exports nothing that this knows`);
    const gone = "const gone = () => { throw new Error('a page writes no JSON Schema'); };";
    return { code: `${gone}\n${names.map((name) => `export const ${name} = gone;`).join('\n')}\n`, map: null };
  },
});
