// Full scores: what they are, what they add here, and why they are on or off by themselves.
import type { EngineListing } from '#protocol/cca';
import { Switch } from '../../ui/toggle';
import { formatBytes, formatEstimate, plural } from '../../ui/format';
import type { FullScores } from './full-scores';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

interface ScoresFieldProps extends ColumnProps {
  readonly listing: EngineListing | undefined;
  readonly scores: FullScores;
}

export function ScoresField({ draft, change, listing, scores }: ScoresFieldProps) {
  const { on, adds } = scores;
  const baseline = listing?.ccas.find((cca) => cca.baseline)?.label ?? 'the baseline';
  return (
    <div className={css['block']}>
      <Switch value={on} onChange={(full_scores) => change({ full_scores })}>
        Full scores
      </Switch>
      {adds === null || adds.runs <= 0 ? null : (
        <div className={css['effect']} data-estimate="">
          {on ? 'Adds' : 'Would add'} {plural(adds.runs, 'run')}, {formatEstimate(adds.seconds.low, adds.seconds.high)},{' '}
          {formatBytes(adds.bytes)} of samples
          {draft.full_scores !== null ? '' : on ? ': on, as it costs little' : ': off, as that is much'}
        </div>
      )}
      <div className={css['help']}>
        Adds two runs to each cell: the algorithm against itself, and against {baseline}. They measure how fairly it
        shares, which the scenario scores need; without them the ranking is by throughput and delay alone.
      </div>
    </div>
  );
}
