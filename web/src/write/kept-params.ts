// Values of parameters that a text still has after it was changed: what was moved stays where it was, as far as it may.
import type { ParamDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';

function fits({ type, min, max, choices }: ParamDescriptor, value: ParamValues[string]): boolean {
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'choice') return typeof value === 'string' && choices.includes(value);
  if (typeof value !== 'number') return false;
  return value >= (min ?? -Infinity) && value <= (max ?? Infinity) && (type !== 'integer' || Number.isInteger(value));
}

export const keptParams = (values: ParamValues, known: readonly ParamDescriptor[]): ParamValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) =>
      known.some((param) => param.name === name && value !== param.default && fits(param, value)),
    ),
  );
