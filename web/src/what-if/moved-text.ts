// What differs between two specs of one cell, as the controls name it.
import { sameJson } from '../pages/new/draft';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import { allKnobs, isNumber } from './knobs';
import { TRANSPORTS } from './transports';
import { formatRate } from '#analysis/format';

interface Choice {
  readonly label: string;
  readonly of: (spec: ExperimentSpec) => string;
}

/** What is chosen from a list, not moved along a rail. */
function choices({ ccas, queues }: EngineListing): readonly Choice[] {
  const named = (known: readonly { readonly id: string; readonly label: string }[], id: string | undefined): string =>
    known.find((one) => one.id === id)?.label ?? '';
  return [
    { label: 'CCA', of: (spec) => named(ccas, spec.ccas[0]?.id) },
    { label: 'Capacity', of: ({ traces: [trace] }) => capacityText(trace) },
    { label: 'Discipline', of: (spec) => named(queues, spec.queues[0]?.id) },
    { label: 'Transport', of: ({ transports, flows }) => named(TRANSPORTS, transports?.[0] ?? flows[0]?.transport) },
  ];
}

function capacityText(trace: ExperimentSpec['traces'][number] | undefined): string {
  if (trace === undefined) return '';
  return 'trace' in trace ? trace.trace : formatRate(trace.rate_mbps);
}

/** Parameters of the algorithm that are no numbers. */
function movedChoices(before: ExperimentSpec, now: ExperimentSpec, { ccas }: EngineListing): string[] {
  const [was, is] = [before.ccas[0], now.ccas[0]];
  if (was === undefined || was.id !== is?.id) return [];
  const known = ccas.find(({ id }) => id === is.id)?.params ?? [];
  return known.flatMap((param) => {
    const [a, b] = [was.params[param.name] ?? param.default, is.params[param.name] ?? param.default];
    return isNumber(param) || a === b ? [] : [`${param.label} ${String(a)} → ${String(b)}`];
  });
}

/** `Base RTT 40 ms → 80 ms, CCA Cubic → BBR`; of what has no short words only that it is another. */
export function movedText(before: ExperimentSpec, now: ExperimentSpec, listing: EngineListing): string {
  const told: string[] = [];
  for (const { label, of } of choices(listing))
    if (of(before) !== of(now)) told.push(`${label} ${of(before)} → ${of(now)}`);
  const knobs = new Map(allKnobs(before, listing, 0).map((knob) => [knob.id, knob]));
  for (const { id, label, text, value } of allKnobs(now, listing, 0)) {
    const earlier = knobs.get(id);
    if (id !== 'rate' && earlier !== undefined && earlier.value !== value)
      told.push(`${label} ${earlier.text(earlier.value)} → ${text(value)}`);
  }
  told.push(...movedChoices(before, now, listing));
  const others = [
    ['another queue limit', before.buffers, now.buffers],
    ['another set of flows', before.flows, now.flows],
    ['another path', before.elements, now.elements],
    ['other parameters', before.ccas[0]?.params, now.ccas[0]?.params],
  ] as const;
  if (told.length === 0) for (const [words, a, b] of others) if (!sameJson(a, b)) told.push(words);
  return told.join(', ');
}
