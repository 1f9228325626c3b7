// Who is told when an experiment has ended: the desktop of this browser, and an address of the server's.
import { useState } from 'react';
import { hasServer } from '../../api/ask';
import { askToNotify, canNotify } from '../../settings/notify';
import { changePreferences, usePreferences } from '../../settings/preferences';
import { Section } from '../../ui/page';
import { Switch } from '../../ui/toggle';
import { WebhookField } from './WebhookField';
import css from './settings.module.css';

export const EndSettings = () => (
  <Section title="When an experiment ends" note="The title of its tab tells how far it is, and that it is over.">
    <div className={css['fields']}>
      <DesktopField />
      {hasServer() ? <WebhookField /> : null}
    </div>
  </Section>
);

function DesktopField() {
  const { notify } = usePreferences();
  const [allowed, setAllowed] = useState(canNotify);
  const turn = async (on: boolean): Promise<void> => {
    const answer = on ? await askToNotify() : allowed;
    setAllowed(answer);
    changePreferences({ notify: on && answer === 'granted' });
  };
  return (
    <div>
      <Switch value={notify && allowed === 'granted'} onChange={(on) => void turn(on)}>
        Tell by the desktop
      </Switch>
      <div className={css['help']} role="status">
        {allowed === 'unsupported'
          ? 'This browser has no notifications for pages that come over plain HTTP from another machine.'
          : allowed === 'denied'
            ? 'This browser does not let Paceline notify: allow it in the settings of the site, left of the address.'
            : 'Of experiments that took 20 s and longer, as long as a tab of Paceline is open and none of it is in sight.'}
      </div>
    </div>
  );
}
