// Gives a person or a program a token, which is shown once.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCESS_LIMITS, type MadeToken, type Role } from '#protocol/access';
import { giveToken } from '../../api/access';
import { asApiError } from '../../api/client';
import { Button } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { CopyButton } from '../../ui/copy-button';
import { NumberField } from '../../ui/number-field';
import { TextField } from '../../ui/text-field';
import css from './access.module.css';

const ROLE_OPTIONS: readonly { readonly id: Role; readonly label: string }[] = [
  { id: 'viewer', label: 'Viewer' },
  { id: 'author', label: 'Author' },
  { id: 'operator', label: 'Operator' },
];

export function GiveToken() {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('author');
  const [days, setDays] = useState<number>(ACCESS_LIMITS.days.default);
  const [fault, setFault] = useState<string>();
  const [made, setMade] = useState<MadeToken | null>(null);
  const give = async (): Promise<void> => {
    setFault(undefined);
    try {
      setMade(await giveToken(queries, { name, role, days }));
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
        if (name.trim() !== '') void give();
      }}
    >
      <TextField
        label="Give a token to"
        value={name}
        onChange={(next) => {
          setName(next);
          setFault(undefined);
        }}
        placeholder="Ann, or a program"
        error={fault}
      />
      <Segmented
        label="Role"
        value={role}
        options={ROLE_OPTIONS}
        onChange={setRole}
        help="A viewer looks, an author runs, edits and deletes their own, an operator gives tokens and may do all."
      />
      <div className={css['days']}>
        <NumberField
          label="Holds for"
          unit="days"
          min={ACCESS_LIMITS.days.min}
          max={ACCESS_LIMITS.days.max}
          value={days}
          onChange={setDays}
          steppers={false}
        />
      </div>
      <div>
        <Button type="submit" isDisabled={name.trim() === ''}>
          Give it
        </Button>
      </div>
      <div role="status" className={css['made']}>
        {made === null ? null : (
          <>
            <p>
              The token of <b>{made.name}</b>. It is shown now, and never again.
            </p>
            <code translate="no">{made.token}</code>
            <div className={css['row']}>
              <CopyButton text={() => made.token} size="small">
                Copy the token
              </CopyButton>
              <CopyButton text={() => `${window.location.origin}/?token=${made.token}`} size="small">
                Copy an address that signs in
              </CopyButton>
            </div>
          </>
        )}
      </div>
    </form>
  );
}
