// Who may use a server that asks for a token: who one is there, and for its operator who else.
import { useQuery } from '@tanstack/react-query';
import type { Caller, Role } from '#protocol/access';
import { callerQuery } from '../../api/access';
import { Button } from '../../ui/button';
import { Section } from '../../ui/page';
import { GivenTokens } from './GivenTokens';
import { GiveToken } from './GiveToken';
import { LastDeeds } from './LastDeeds';
import { AllHoldings, OwnHolding } from './Holdings';
import { Persons } from './Persons';
import css from './settings.module.css';

const MAY: Readonly<Record<Role, string>> = {
  viewer:
    'You may look at everything, plan experiments and take files along; nothing that you do here changes anything.',
  author: 'You may run, and edit and delete what you have made; tokens and the webhook are the operator’s.',
  operator: 'You may do everything, and give others tokens.',
};

export function AccessSettings() {
  const { data: caller } = useQuery(callerQuery);
  if (caller?.asks !== true) return null;
  return (
    <Section
      title="Who may use this server"
      note="It asks who comes. A token has a name and a role, and holds until its day."
    >
      <div className={css['fields']}>
        <Self {...caller} />
        {caller.role === 'operator' ? (
          <>
            <GivenTokens />
            <GiveToken />
            <Persons />
            <AllHoldings />
            <LastDeeds />
          </>
        ) : caller.role === 'author' ? (
          <OwnHolding />
        ) : null}
      </div>
    </Section>
  );
}

const Self = ({ role, name, via }: Caller) => (
  <div>
    <p>
      {name === null ? (
        <>You are signed in with the operator’s own token.</>
      ) : (
        <>
          You are signed in as <b>{name}</b>,{' '}
          {role === 'viewer' ? 'a viewer' : role === 'author' ? 'an author' : 'an operator'}.
        </>
      )}
    </p>
    <p className={css['help']}>{MAY[role]}</p>
    {via === 'proxy' ? (
      <p className={css['help']}>
        The proxy in front of this server says so: you sign out there, and your role is the operator’s to change.
      </p>
    ) : (
      // It answers with another page: the server forgets the browser.
      <form className={css['row']} method="post" action="/sign-out">
        <Button type="submit" size="small">
          Sign out
        </Button>
      </form>
    )}
  </div>
);
