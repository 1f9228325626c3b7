// What persons may whom a proxy in front of the server names, where it believes one.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefaultRole, UserRecord, UserRole } from '#protocol/access';
import { removeUser, setUser, usersQuery } from '../../api/access';
import { asApiError } from '../../api/client';
import { Button, IconButton } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { Loading, ProblemNotice } from '../../ui/notice';
import { TextField } from '../../ui/text-field';
import css from './access.module.css';

const OTHERS: Readonly<Record<DefaultRole, string>> = {
  none: 'Of those who sign in at the proxy in front of this server, only these come in.',
  viewer: 'Everybody else who signs in at the proxy in front of this server is a viewer.',
  author: 'Everybody else who signs in at the proxy in front of this server is an author.',
};

const ROLE_OPTIONS: readonly { readonly id: UserRole; readonly label: string }[] = [
  { id: 'none', label: 'Turned away' },
  { id: 'viewer', label: 'Viewer' },
  { id: 'author', label: 'Author' },
  { id: 'operator', label: 'Operator' },
];

const roleWord = (role: UserRole): string => (role === 'none' ? 'turned away' : role);

export function Persons() {
  const users = useQuery(usersQuery);
  if (users.isError) return <ProblemNotice error={users.error} onRetry={() => void users.refetch()} />;
  if (users.data === undefined) return <Loading label="Reading what persons may" rows={1} />;
  if (!users.data.proxied) return null;
  return (
    <>
      <p className={css['none']}>{OTHERS[users.data.default_role]}</p>
      {users.data.users.length === 0 ? null : (
        <ul className={css['list']} aria-label="What persons may">
          {users.data.users.map((user) => (
            <Person key={user.name} {...user} />
          ))}
        </ul>
      )}
      <SetRole />
    </>
  );
}

function Person({ name, role, seen_at }: UserRecord) {
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const remove = (): void => {
    removeUser(queries, name).catch(setError);
  };
  return (
    <li>
      <div>
        <b>{name}</b>
        <small>
          {roleWord(role)} · {seen_at === null ? 'has not come since' : <>last seen {seen_at}</>}
        </small>
        {error === null ? null : <ProblemNotice error={error} />}
      </div>
      <IconButton icon="trash" size="small" label={`Forget the role of ${name}`} onPress={remove} />
    </li>
  );
}

function SetRole() {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<UserRole>('author');
  const [fault, setFault] = useState<string>();
  const set = async (): Promise<void> => {
    setFault(undefined);
    try {
      await setUser(queries, { name, role });
      setName('');
    } catch (error) {
      setFault(asApiError(error).problem.detail);
    }
  };
  return (
    <form
      className={css['give']}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void set();
      }}
    >
      <TextField
        label="Say what a person may"
        value={name}
        onChange={(next) => {
          setName(next);
          setFault(undefined);
        }}
        placeholder="ann@example.org, as the proxy writes it"
        error={fault}
      />
      <Segmented label="Role of this person" value={role} options={ROLE_OPTIONS} onChange={setRole} />
      <div>
        <Button type="submit" isDisabled={name.trim() === ''}>
          Set the role
        </Button>
      </div>
    </form>
  );
}
