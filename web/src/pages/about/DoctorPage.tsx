// What this machine can do, and the one command that mends what it cannot.
import { useQuery } from '@tanstack/react-query';
import type { DoctorCheck } from '#protocol/api';
import { hasServer } from '../../api/ask';
import { doctorQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icons';
import { Loading, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { Workers } from './Workers';
import css from './about.module.css';

export function DoctorPage() {
  useCrumbs('Doctor');
  const doctor = useQuery(doctorQuery);
  return (
    <>
      <PageHead
        title="Doctor"
        actions={
          <Button icon="retry" onPress={() => void doctor.refetch()} isPending={doctor.isFetching}>
            Check again
          </Button>
        }
      >
        What this machine can do. What is missing is said here, and everything else works without it.
      </PageHead>
      {doctor.isPending ? (
        <Loading label="Checking" rows={6} />
      ) : doctor.isError ? (
        <ProblemNotice error={doctor.error} onRetry={() => void doctor.refetch()} />
      ) : (
        <ul className={css['checks']}>
          {doctor.data.checks.map((check) => (
            <Check key={check.id} check={check} />
          ))}
        </ul>
      )}
      {hasServer() ? <Workers /> : null}
    </>
  );
}

/** What to do: its command stands out, and is all that is copied. */
function Remedy({ remedy, command }: { readonly remedy: string; readonly command: string | null }) {
  if (command === null) return <div className={css['remedy']}>{remedy}</div>;
  const at = remedy.indexOf(command);
  return (
    <div className={css['remedy']}>
      <span>
        {remedy.slice(0, at)}
        <code>{command}</code>
        {remedy.slice(at + command.length)}
      </span>
      <CopyButton size="small" kind="quiet" text={() => command}>
        Copy
      </CopyButton>
    </div>
  );
}

export const Check = ({ check }: { readonly check: DoctorCheck }) => (
  <li className={cx(css['check'], check.ok ? css['ok'] : css['missing'])}>
    <span>
      <Icon name={check.ok ? 'check' : 'warning'} />
      <span className="visually-hidden">{check.ok ? 'fine:' : 'missing:'}</span>
    </span>
    <strong>{check.label}</strong>
    <div>
      {check.detail}
      {check.remedy === null ? null : <Remedy remedy={check.remedy} command={check.command} />}
    </div>
  </li>
);
