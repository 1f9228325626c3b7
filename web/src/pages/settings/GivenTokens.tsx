// Everybody who has been given a token, and a way to take it back.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenRecord } from '#protocol/access';
import { revokeToken, tokensQuery } from '../../api/access';
import { Button, IconButton } from '../../ui/button';
import { Loading, ProblemNotice } from '../../ui/notice';
import { Dialog } from '../../ui/overlay';
import { When } from '../../ui/when';
import css from './access.module.css';

export function GivenTokens() {
  const tokens = useQuery(tokensQuery);
  if (tokens.isError) return <ProblemNotice error={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (tokens.data === undefined) return <Loading label="Reading who has a token" rows={1} />;
  if (tokens.data.length === 0) return <p className={css['none']}>Nobody has been given a token yet.</p>;
  return (
    <ul className={css['list']} aria-label="Who has a token">
      {tokens.data.map((token) => (
        <li key={token.id}>
          <div>
            <b>{token.name}</b>
            <small>
              {token.role} · until <time dateTime={token.expires_at}>{token.expires_at.slice(0, 10)}</time> ·{' '}
              {token.used_at === null ? 'never used' : <>last used {token.used_at}</>}
            </small>
          </div>
          <Revoke {...token} />
        </li>
      ))}
    </ul>
  );
}

function Revoke({ id, name, created_at }: TokenRecord) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({ busy: false, error: null });
  const revoke = (): void => {
    setState({ busy: true, error: null });
    revokeToken(queries, id).then(
      () => setAsking(false),
      (error: unknown) => setState({ busy: false, error }),
    );
  };
  return (
    <>
      <IconButton icon="trash" size="small" label={`Revoke the token of ${name}`} onPress={() => setAsking(true)} />
      <Dialog
        title="Revoke this token?"
        open={asking}
        onClose={() => setAsking(false)}
        foot={
          <>
            <Button onPress={() => setAsking(false)}>Keep it</Button>
            <Button kind="danger" icon="trash" isDisabled={state.busy} onPress={revoke}>
              Revoke
            </Button>
          </>
        }
      >
        <p>
          <b>{name}</b> has had it since <When iso={created_at} />. Programs and browsers that use it are turned away at
          once; what was made with it stays.
        </p>
        {state.error === null ? null : <ProblemNotice error={state.error} />}
      </Dialog>
    </>
  );
}
