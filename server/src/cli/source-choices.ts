// What a file does not say of itself, as options of a command.
import type { SourceChoices } from '#protocol/trace';
import { UsageError } from '../config.ts';

export const CHOICES = { format: { type: 'string' }, set: { type: 'string', multiple: true } } as const;

export function choicesFrom({
  format,
  set = [],
}: {
  readonly format?: string;
  readonly set?: string[];
}): SourceChoices {
  const options = set.map((word): [string, string] => {
    const equals = word.indexOf('=');
    if (equals < 1) throw new UsageError(`trace: --set needs option=value, not ${word}`);
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  return { ...(format !== undefined && { format }), options: Object.fromEntries(options) };
}
