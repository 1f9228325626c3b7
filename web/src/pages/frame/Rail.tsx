// Where one can go, and the one thing one mostly wants to do. A column at the left; on a phone a bar at the bottom.
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { hasServer } from '../../api/ask';
import { enginesQuery } from '../../api/queries';
import { buttonClass } from '../../ui/button';
import { Icon, type IconName } from '../../ui/icons';
import mark from '../../ui/mark.svg';
import css from './frame.module.css';

interface Place {
  readonly to: '/' | '/runs' | '/traces' | '/studies' | '/ccas' | '/doctor';
  readonly label: string;
  readonly icon: IconName;
  /** First parts of addresses that belong to it. */
  readonly holds: readonly string[];
}

export const PLACES: readonly Place[] = [
  { to: '/', label: 'Experiments', icon: 'flask', holds: ['', 'e', 'r'] },
  { to: '/runs', label: 'Runs', icon: 'rows', holds: ['runs', 'compare', 'overlay'] },
  { to: '/traces', label: 'Traces', icon: 'trace', holds: ['traces'] },
  { to: '/studies', label: 'Studies', icon: 'study', holds: ['studies'] },
  { to: '/ccas', label: 'CCAs', icon: 'cca', holds: ['ccas', 'write'] },
  { to: '/doctor', label: 'Doctor', icon: 'doctor', holds: ['doctor'] },
];

export function Rail() {
  const { pathname } = useLocation();
  const engines = useQuery(enginesQuery);
  const here = pathname.split('/')[1] ?? '';
  return (
    <nav className={css['rail']} aria-label="Main">
      <Link to="/" className={css['brand']} aria-label="Paceline, home">
        <img src={mark} width="22" height="22" alt="" />
        <span className={css['word']}>Paceline</span>
      </Link>
      <Link to="/new" className={buttonClass({ kind: 'primary' }, css['new'])} aria-label="New experiment">
        <Icon name="plus" />
        <span className={css['word']}>
          New<span className={css['long']}> experiment</span>
        </span>
      </Link>
      <ul className={css['links']}>
        {PLACES.map((place) => (
          <li key={place.to}>
            <Link
              to={place.to}
              className={css['link']}
              aria-current={place.holds.includes(here) ? 'page' : undefined}
              activeProps={{ 'aria-current': undefined }}
            >
              <Icon name={place.icon} />
              <span className={css['word']}>{place.label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className={css['foot']}>
        {engines.data === undefined ? null : (
          <>
            engine <span data-version="">{engines.data.engine_version.slice(0, 12)}</span>
          </>
        )}
        {hasServer() ? null : <div>runs in this browser</div>}
      </div>
    </nav>
  );
}
