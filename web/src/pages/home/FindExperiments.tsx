// Narrows the list of experiments. Who has few of them has nothing to narrow: its fields come with the table.
import { formatCount } from '../../ui/format';
import { TextField } from '../../ui/text-field';
import { Switch } from '../../ui/toggle';

interface FindExperimentsProps {
  readonly q: string;
  readonly onFind: (q: string) => void;
  /** Whether there is enough to look for something. */
  readonly isFindable: boolean;
  readonly withArchived: boolean;
  readonly archived: number;
  readonly onArchived: (on: boolean) => void;
}

export const FindExperiments = (props: FindExperimentsProps) => (
  <>
    {props.archived === 0 && !props.withArchived ? null : (
      <Switch value={props.withArchived} onChange={props.onArchived}>
        {`Show archived (${formatCount(props.archived)})`}
      </Switch>
    )}
    {props.isFindable ? (
      <TextField
        label="Filter experiments"
        hideLabel
        type="search"
        placeholder="Words, or tag:thesis"
        value={props.q}
        onChange={props.onFind}
      />
    ) : null}
  </>
);
