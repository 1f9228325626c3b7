// How many claims hold, and how many do not.
import type { StudyListItem, Verdict } from '#protocol/study';
import { VERDICT_KINDS, VERDICT_MARKS, VERDICT_WORDS } from '../../plots/verdicts';
import { Badge } from '../../ui/page';
import css from './studies.module.css';

const ORDER: readonly Verdict[] = ['holds', 'direction', 'fails', 'untestable', 'open'];

export const VerdictCounts = ({ verdicts }: Pick<StudyListItem, 'verdicts'>) => (
  <ul className={css['counts']} aria-label="Claims by verdict">
    {ORDER.filter((verdict) => verdicts[verdict] > 0).map((verdict) => {
      const kind = VERDICT_KINDS[verdict];
      return (
        <li key={verdict}>
          <Badge {...(kind === undefined ? {} : { kind })}>
            <span aria-hidden="true">{VERDICT_MARKS[verdict]}</span> {verdicts[verdict]} {VERDICT_WORDS[verdict]}
          </Badge>
        </li>
      );
    })}
  </ul>
);
