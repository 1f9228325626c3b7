// Where one is, what is running, and how the page looks.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { callerQuery } from '../../api/access';
import { experimentsQuery } from '../../api/queries';
import { Button, buttonClass, IconButton } from '../../ui/button';
import { Icon } from '../../ui/icons';
import { keyLabel } from '../../ui/commands';
import { plural } from '../../ui/format';
import { ProgressRing } from '../../ui/progress';
import { type SchemeChoice, schemeChoice } from '../../theme/theme';
import { crumbs } from './crumbs';
import { nextScheme, subscribeChoice } from './scheme';
import css from './frame.module.css';

function Crumbs() {
  const trail = useSyncExternalStore(crumbs.subscribe, crumbs.get);
  return (
    <nav className={css['crumbs']} aria-label="Breadcrumb">
      <ol>
        {trail.map((crumb, i) => (
          <li key={crumb.label}>
            {i === 0 ? null : <span aria-hidden="true">/</span>}
            {crumb.to === undefined ? (
              <span aria-current="page">{crumb.label}</span>
            ) : (
              <Link to={crumb.to}>{crumb.label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Jobs() {
  const { data } = useQuery(experimentsQuery);
  const running = data?.filter((e) => e.state === 'running' || e.state === 'queued') ?? [];
  const first = running[0];
  if (first === undefined) return null;
  const done = running.reduce((sum, e) => sum + e.runs_done, 0);
  const total = running.reduce((sum, e) => sum + e.runs_total, 0);
  return (
    <Link
      to="/e/$id"
      params={{ id: first.id }}
      className={css['jobs']}
      aria-label={`${plural(running.length, 'experiment')} running: ${done} of ${total} runs done`}
    >
      <ProgressRing label="Runs done" value={total === 0 ? 0 : done / total} />
      <span className={css['word']}>
        {running.length > 1 ? `${plural(running.length, 'experiment')} · ` : ''}
        {done} / {total}
      </span>
    </Link>
  );
}

/** Who one is, where more than one may be. What a viewer presses is refused: it is said before. */
function Self() {
  const { data: caller } = useQuery(callerQuery);
  if (caller === undefined || !caller.asks) return null;
  const looks = caller.role === 'viewer';
  if (caller.name === null && !looks) return null;
  return (
    <Link
      to="/settings"
      className={css['self']}
      data-looks={looks}
      title={
        looks
          ? 'You are a viewer here: nothing can be run or changed'
          : `You are signed in as ${caller.name ?? 'the operator'}`
      }
    >
      {caller.name === null ? null : <span className={css['who']}>{caller.name}</span>}
      {looks ? <span>Looking only</span> : null}
    </Link>
  );
}

const SCHEMES = {
  system: { icon: 'auto', label: 'Theme: as the system. Switch to light' },
  light: { icon: 'sun', label: 'Theme: light. Switch to dark' },
  dark: { icon: 'moon', label: 'Theme: dark. Switch to the system’s' },
} as const satisfies Record<SchemeChoice, unknown>;

export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const choice = useSyncExternalStore(subscribeChoice, schemeChoice);
  return (
    <header className={css['top']}>
      <Crumbs />
      <Self />
      <Jobs />
      <SearchButton onPress={onSearch} />
      <IconButton icon={SCHEMES[choice].icon} label={SCHEMES[choice].label} onPress={nextScheme} />
      <Link
        to="/settings"
        className={buttonClass({ kind: 'quiet' }, css['settings'])}
        aria-label="Settings"
        title="Settings"
      >
        <Icon name="sliders" />
      </Link>
    </header>
  );
}

const SearchButton = ({ onPress }: { readonly onPress: () => void }) => (
  <span className={css['search']}>
    <Button icon="search" size="small" onPress={onPress} aria-label="Search and commands">
      <span className={css['word']}>Search or command</span>
      <kbd className={css['kbd']}>{keyLabel('mod+k')}</kbd>
    </Button>
  </span>
);
