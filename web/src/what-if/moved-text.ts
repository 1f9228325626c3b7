// What differs between two specs of one cell, as the controls name it.
import { sameJson } from '../pages/new/draft';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import { allKnobs, isNumber } from './knobs';
import { TRANSPORTS } from './transports';
import { formatRate } from '#analysis/format';

/** What is chosen from a list, not moved along a rail. */
function choices(spec: ExperimentSpec, { ccas, queues }: EngineListing): readonly (readonly [string, string])[] {
  const [trace, cca, queue] = [spec.traces[0], spec.ccas[0], spec.queues[0]];
  const named = (known: readonly { readonly id: string; readonly label: string }[], id: string | undefined): string =>
    known.find((one) => one.id === id)?.label ?? '';
  return [
    ['CCA', named(ccas, cca?.id)],
    ['Capacity', trace === undefined ? '' : 'trace' in trace ? trace.trace : formatRate(trace.rate_mbps)],
    ['Discipline', named(queues, queue?.id)],
    ['Transport', named(TRANSPORTS, spec.transports?.[0] ?? spec.flows[0]?.transport)],
  ];
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
  const [was, is] = [choices(before, listing), choices(now, listing)];
  for (const [i, [label, text]] of is.entries()) {
    const earlier = was[i]?.[1] ?? '';
    if (earlier !== text) told.push(`${label} ${earlier} → ${text}`);
  }
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
