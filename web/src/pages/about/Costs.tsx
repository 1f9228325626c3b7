// What experiments cost in processor time: those that are being made, and the newest that are over.
import { Link } from '@tanstack/react-router';
import type { ExperimentCost } from '#protocol/workers';
import { formatCount, formatDuration, plural } from '../../ui/format';
import { ProgressBar } from '../../ui/progress';
import css from './workers.module.css';

export const Costs = ({ experiments }: { readonly experiments: readonly ExperimentCost[] }) =>
  experiments.length === 0 ? null : (
    <>
      <h3 className={css['costsHead']}>What experiments cost</h3>
      <ul className={css['costs']} aria-label="What experiments cost">
        {experiments.map((experiment) => (
          <li key={experiment.id}>
            <Link to="/e/$id" params={{ id: experiment.id }}>
              {experiment.name}
            </Link>
            <div className={css['load']}>
              {experiment.goes_on ? (
                <ProgressBar
                  label={`Runs of ${experiment.name} that are made`}
                  value={experiment.runs_total === 0 ? 0 : experiment.runs_done / experiment.runs_total}
                />
              ) : null}
              <small>{madeText(experiment)}</small>
            </div>
            <small>{spentText(experiment)}</small>
          </li>
        ))}
      </ul>
    </>
  );

/** "12 of 40 runs, about 3 min left"; "40 of 40 runs" */
export function madeText({ runs_done, runs_total, left_s }: ExperimentCost): string {
  const made = `${formatCount(runs_done)} of ${plural(runs_total, 'run')}`;
  return left_s === null ? made : `${made}, about ${formatDuration(Math.max(1, left_s))} left`;
}

/** "2 min 5 s of processor time, 12 runs by workers" */
export function spentText({ cpu_s, by_workers }: ExperimentCost): string {
  if (cpu_s === null) return 'no run tells what it took';
  const spent = `${formatDuration(cpu_s)} of processor time`;
  return by_workers === 0 ? spent : `${spent}, ${plural(by_workers, 'run')} by workers`;
}
