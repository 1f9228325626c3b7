// The values that a spec gives a CCA, a discipline or an element: which of them say anything.
import type { ParamDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';

/** Every parameter with a value: what was given, else the default. */
export const completeParams = (params: ParamValues, known: readonly ParamDescriptor[]): ParamValues =>
  Object.fromEntries(known.map((param) => [param.name, params[param.name] ?? param.default]));

/** Whether a parameter changes anything beside these values of the others. */
export function hasEffect(param: ParamDescriptor, params: ParamValues, known: readonly ParamDescriptor[]): boolean {
  const { needed_with: needed, matters_with: matters } = param;
  const isOneOf = (name: string, values: readonly string[]): boolean => {
    const other = known.find((candidate) => candidate.name === name);
    if (other === undefined) return false;
    // What has no effect itself is as if it were not given.
    const value = hasEffect(other, params, known) ? (params[name] ?? other.default) : other.default;
    return values.includes(String(value));
  };
  return (
    (needed === undefined || isOneOf(needed.param, [needed.value])) &&
    (matters === undefined || isOneOf(matters.param, matters.values))
  );
}

/**
 * Only what differs from the default and has an effect beside the others: two ways of writing the same CCA become one. Stored
 * experiments keep what they were written with.
 */
export const changedParams = (params: ParamValues, known: readonly ParamDescriptor[]): ParamValues =>
  Object.fromEntries(
    Object.entries(params).filter(([name, value]) => {
      const param = known.find((candidate) => candidate.name === name);
      return param === undefined || (param.default !== value && hasEffect(param, params, known));
    }),
  );

/** Only what differs from the default is written. */
export function withParam(
  values: ParamValues,
  { name, default: usual }: ParamDescriptor,
  value: number | boolean | string,
): ParamValues {
  const { [name]: _, ...others } = values;
  return value === usual ? others : { ...values, [name]: value };
}
