// The runs that were selected, and what can be done with them.
import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../ui/button';
import { plural } from '../../ui/format';
import css from './runs.module.css';

/** More lines than this are a tangle. */
const MOST_OVERLAID = 8;

interface SelectedRunsProps {
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
}

export function SelectedRuns({ selected, onClear }: SelectedRunsProps) {
  if (selected.size === 0) return null;
  const overlaid = [...selected].slice(0, MOST_OVERLAID);
  return (
    <section className={css['selection']} aria-label="Selected runs">
      <span>{plural(selected.size, 'run')} selected</span>
      {overlaid.length < 2 ? null : (
        <Link to="/compare" search={{ runs: overlaid.join(',') }} className={buttonClass({ size: 'small' })}>
          Compare{selected.size > MOST_OVERLAID ? ` (the first ${MOST_OVERLAID})` : ''}
        </Link>
      )}
      <Button size="small" kind="quiet" icon="close" onPress={onClear}>
        Clear
      </Button>
    </section>
  );
}
