// The summary's schemas as a list that C++ and Rust are written from.
import { z } from 'zod';
import * as summary from '#protocol/summary';

/** What a field holds; `named`: values by names that the schema does not list. Numbers: a `count` is never negative, a `whole` one may be, a `measure` that was not taken is null. */
export type Kind =
  | { readonly kind: 'count' | 'whole' | 'number' | 'measure' | 'flag' | 'text' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'struct'; readonly name: string }
  | { readonly kind: 'list' | 'nullable' | 'named'; readonly of: Kind };

export interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** The key is left out when there is nothing to say. */
  readonly optional: boolean;
  readonly doc: string;
}

/** What an absent key is to a program: nothing in it, or a value that is not there. */
export const isEmptyable = ({ kind }: Kind): boolean => kind === 'list' || kind === 'named';

export interface Struct {
  readonly name: string;
  readonly fields: readonly Field[];
}

const schemas = Object.entries<unknown>(summary).flatMap(([name, schema]): [string, z.ZodObject][] =>
  schema instanceof z.ZodObject ? [[name, schema]] : [],
);

/** A description makes a copy of a schema; its definition stays the same. */
const isOf = (schema: unknown, known: z.ZodType): boolean => schema instanceof z.ZodType && schema.def === known.def;

function nameOf(schema: z.ZodObject): string {
  const [name] = schemas.find(([, known]) => isOf(schema, known)) ?? [];
  if (name === undefined)
    throw new Error('every object of the summary needs a name: export its schema from summary.ts');
  return name;
}

function kindOf(schema: unknown): Kind {
  if (isOf(schema, summary.count)) return { kind: 'count' };
  if (schema instanceof z.ZodNumberFormat || isOf(schema, summary.bytes)) return { kind: 'whole' };
  if (schema instanceof z.ZodNumber) return { kind: 'number' };
  if (schema instanceof z.ZodBoolean) return { kind: 'flag' };
  if (schema instanceof z.ZodString) return { kind: 'text' };
  if (schema instanceof z.ZodEnum) return { kind: 'choice', of: schema.options.map((option) => `${option}`) };
  if (schema instanceof z.ZodArray) return { kind: 'list', of: kindOf(schema.element) };
  if (schema instanceof z.ZodRecord) return { kind: 'named', of: kindOf(schema.valueType) };
  if (schema instanceof z.ZodObject) return { kind: 'struct', name: nameOf(schema) };
  if (schema instanceof z.ZodDefault) return kindOf(schema.unwrap());
  if (schema instanceof z.ZodNullable) {
    const of = kindOf(schema.unwrap());
    return of.kind === 'number' ? { kind: 'measure' } : { kind: 'nullable', of };
  }
  throw new Error(`the summary's generator does not know ${(schema as z.ZodType).def.type}`);
}

function field([name, schema]: [string, z.ZodType]): Field {
  const optional = schema instanceof z.ZodOptional;
  return {
    name,
    kind: kindOf(optional ? schema.unwrap() : schema),
    optional,
    doc: schema.description ?? '',
  };
}

/** Each after all that it holds. */
export const SUMMARY: readonly Struct[] = inOrder(
  schemas.map(([name, schema]) => ({
    name,
    fields: Object.entries(schema.shape as Record<string, z.ZodType>).map(field),
  })),
);

function held(kind: Kind): string | null {
  if (kind.kind === 'struct') return kind.name;
  return 'of' in kind && kind.kind !== 'choice' ? held(kind.of) : null;
}

function inOrder(structs: readonly Struct[]): readonly Struct[] {
  const done = new Set<Struct>();
  const add = (struct: Struct): void => {
    const parts = struct.fields.map(({ kind }) => held(kind));
    for (const other of structs) if (parts.includes(other.name)) add(other);
    done.add(struct);
  };
  structs.forEach(add);
  return [...done];
}
