// How this browser shows things, and whom the server tells when something has ended.
import { Link } from '@tanstack/react-router';
import { useCrumbs } from '../frame/crumbs';
import { PageHead } from '../../ui/page';
import { AccessSettings } from './AccessSettings';
import { EndSettings } from './EndSettings';
import { HelpSettings } from './HelpSettings';
import { LookSettings } from './LookSettings';
import { NumberSettings } from './NumberSettings';
import css from './settings.module.css';

export function SettingsPage() {
  useCrumbs('Settings');
  return (
    <div className={css['page']}>
      <PageHead title="Settings">
        Each holds at once, and but for the webhook in this browser alone. What this machine can do is at the{' '}
        <Link to="/doctor">Doctor</Link>.
      </PageHead>
      <LookSettings />
      <NumberSettings />
      <EndSettings />
      <AccessSettings />
      <HelpSettings />
    </div>
  );
}
