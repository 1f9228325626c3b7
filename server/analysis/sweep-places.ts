// What a sweep can vary: every parameter that a spec has a place for and that is no axis already.
import { DIRECTIONS, isOwn } from '#analysis/own-elements';
import { ALL } from '#analysis/sweep-name';
import type { EngineListing, ParamDescriptor } from '#protocol/cca';
import { SourceSpec } from '#protocol/source';
import { FlowSpec, type ExperimentSpec, type PathElement } from '#protocol/spec';
import type { z } from 'zod';

export interface SweepPlace {
  readonly path: string;
  /** A parameter of an algorithm, a discipline or an element; absent: a field of the spec. */
  readonly param?: ParamDescriptor;
}

type Known = Pick<EngineListing, 'ccas' | 'queues' | 'elements'>;
type Spec = Pick<ExperimentSpec, 'ccas' | 'queues' | 'flows' | 'elements'>;
type Field = z.core.$ZodType;

/** A number, a switch or a choice. */
function isPlain(field: Field): boolean {
  const { type, innerType, options } = field._zod.def as z.core.$ZodTypeDef & {
    readonly innerType?: Field;
    readonly options?: readonly Field[];
  };
  if (innerType !== undefined) return isPlain(innerType);
  if (options !== undefined) return options.every((option) => option._zod.def.type === 'literal' || isPlain(option));
  return type === 'number' || type === 'boolean' || type === 'enum';
}

const plainKeys = (shape: Readonly<Record<string, Field>>): string[] =>
  Object.entries(shape).flatMap(([key, field]) => (isPlain(field) ? [key] : []));

const FLOW_FIELDS = plainKeys(FlowSpec.shape);

/** Of a rate that can be said in two ways, the one in which it is. */
const RATES = ['rate_mbps', 'rate_of_mean'];

function sourceFields(source: SourceSpec): string[] {
  const option = SourceSpec.options.find(({ shape }) => shape.kind.value === source.kind);
  const rates = RATES.filter((key) => Object.hasOwn(source, key));
  const keys = plainKeys(option?.shape ?? {}).filter(
    (key) => rates.length === 0 || !RATES.includes(key) || rates.includes(key),
  );
  return ['kind', ...keys].map((key) => `source.${key}`);
}

/** A file of weights is no point of an axis. */
const sweepable = (params: readonly ParamDescriptor[]): ParamDescriptor[] =>
  params.filter(({ type }) => type !== 'weights');

const paramsAt = (prefix: string, params: readonly ParamDescriptor[]): SweepPlace[] =>
  sweepable(params).map((param) => ({ path: `${prefix}.${param.name}`, param }));

/** Those of entries of an axis by the entry's id, and what several of them have, of all. */
function axisPlaces(
  axis: 'ccas' | 'queues',
  entries: readonly { readonly id: string }[],
  known: readonly { readonly id: string; readonly params: readonly ParamDescriptor[] }[],
): SweepPlace[] {
  const own = [...new Set(entries.map(({ id }) => id))].flatMap((id) => known.find((each) => each.id === id) ?? []);
  const shared = new Map(
    own.flatMap(({ id, params }) =>
      sweepable(params)
        .filter(({ name }) => own.some((other) => other.id !== id && other.params.some((param) => param.name === name)))
        .map((param) => [param.name, param] as const),
    ),
  );
  return [
    ...own.flatMap(({ id, params }) => paramsAt(`${axis}.${id}`, params)),
    ...paramsAt(`${axis}.${ALL}`, [...shared.values()]),
  ];
}

function flowPlaces({ flows }: Spec, { ccas }: Known): SweepPlace[] {
  const own = flows.flatMap(({ cca, source }, i) => [
    ...[...FLOW_FIELDS, ...sourceFields(source)].map((field) => ({ path: `flows.${i}.${field}` })),
    // Of a flow that meets the chosen ones: its algorithm, and what that can be given.
    ...(cca === '$cca' ? [] : [{ path: `flows.${i}.cca.id` }]),
    ...(cca === '$cca' ? [] : paramsAt(`flows.${i}.cca.params`, ccas.find(({ id }) => id === cca.id)?.params ?? [])),
  ]);
  return flows.length < 2 ? own : [...own, ...FLOW_FIELDS.map((field) => ({ path: `flows.${ALL}.${field}` }))];
}

function elementPlaces(element: PathElement, path: string, { elements, queues }: Known): SweepPlace[] {
  if (isOwn(element)) return [];
  const { capacity, buffer, queue } = element;
  const limits = Object.entries(buffer ?? {}).filter(([, value]) => typeof value === 'number');
  return [
    ...paramsAt(`${path}.params`, elements?.find(({ id }) => id === element.element)?.params ?? []),
    ...(capacity !== undefined && 'rate_mbps' in capacity ? [{ path: `${path}.capacity.rate_mbps` }] : []),
    ...limits.map(([unit]) => ({ path: `${path}.buffer.${unit}` })),
    ...(queue === undefined
      ? []
      : paramsAt(`${path}.queue.params`, queues.find(({ id }) => id === queue.id)?.params ?? [])),
  ];
}

export const sweepPlaces = (spec: Spec, known: Known): SweepPlace[] => [
  ...axisPlaces('ccas', spec.ccas, known.ccas),
  ...axisPlaces('queues', spec.queues, known.queues),
  ...flowPlaces(spec, known),
  ...DIRECTIONS.flatMap((direction) =>
    (spec.elements?.[direction] ?? []).flatMap((element, i) =>
      elementPlaces(element, `elements.${direction}.${i}`, known),
    ),
  ),
  { path: 'reverse.rate_mbps' },
];
