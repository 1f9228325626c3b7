// What a template costs here, as the planner says.
import { useQuery } from '@tanstack/react-query';
import type { Plan } from '#protocol/api';
import type { Template } from '#protocol/template';
import { planQuery } from '../../api/queries';
import { formatEstimate, plural } from '../../ui/format';

/** The runs that are not measured yet are what it costs. */
export const costText = ({ runs, cached, estimate_s }: Pick<Plan, 'runs' | 'cached' | 'estimate_s'>): string =>
  cached === runs
    ? `${plural(runs, 'run')}, measured already`
    : `${plural(runs, 'run')} · ${formatEstimate(estimate_s.low, estimate_s.high)}`;

export function useCost({ spec, keeps }: Template): string {
  const plan = useQuery({ ...planQuery(spec), staleTime: 60_000 });
  if (plan.isError) return 'needs something that is not here';
  if (plan.data === undefined) return '…';
  const each = keeps.includes('traces') ? ' a trace' : keeps.includes('ccas') ? ' an algorithm' : '';
  return `${costText(plan.data)}${each}`;
}
