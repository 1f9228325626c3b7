// The address that the server tells: kept there, for all who use it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { WEBHOOK_LIMITS, type ServerSettings, type SettingsChange, type WebhookAnswer } from '#protocol/settings';
import { asApiError } from '../../api/client';
import { changeSettings, settingsQuery, testWebhook } from '../../api/settings';
import { Button } from '../../ui/button';
import { cx } from '../../ui/cx';
import { Loading, ProblemNotice } from '../../ui/notice';
import { NumberField } from '../../ui/number-field';
import { TextField } from '../../ui/text-field';
import { showProblem, showToast } from '../../ui/toasts';
import css from './settings.module.css';

export function WebhookField() {
  const settings = useQuery(settingsQuery);
  if (settings.isPending) return <Loading label="Reading the server’s settings" rows={1} />;
  if (settings.isError) return <ProblemNotice error={settings.error} onRetry={() => void settings.refetch()} />;
  return <Webhook {...settings.data.webhook} />;
}

function Webhook({ shown, after_s }: ServerSettings['webhook']) {
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string>();
  const [result, setResult] = useState<WebhookAnswer | 'asking' | null>(null);
  const change = async (webhook: SettingsChange['webhook'], done?: string): Promise<void> => {
    setResult(null);
    setFault(undefined);
    try {
      await changeSettings(queries, { webhook });
      setUrl('');
      if (done !== undefined) showToast({ text: done });
    } catch (error) {
      setFault(asApiError(error).problem.detail);
    }
  };
  const test = async (): Promise<void> => {
    setResult('asking');
    try {
      setResult(await testWebhook());
    } catch (error) {
      setResult(null);
      showProblem(error);
    }
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() !== '') void change({ url }, 'The webhook is set.');
        }}
      >
        <TextField
          label="Webhook"
          value={url}
          onChange={(next) => {
            setUrl(next);
            setFault(undefined);
          }}
          placeholder={shown === null ? 'https://hooks.example.org/…' : `${shown}/…`}
          error={fault}
          effect={
            shown === null
              ? 'The server tells nobody.'
              : `The server tells ${shown}; the rest of the address is not shown.`
          }
          help="A POST of JSON with id, title, state, counts and address of the experiment. It holds for all who use this server."
        />
        <div className={css['row']}>
          <Button type="submit" isDisabled={url.trim() === ''}>
            {shown === null ? 'Set' : 'Replace'}
          </Button>
          {shown === null ? null : (
            <>
              <Button onPress={() => void test()} isPending={result === 'asking'}>
                Send a test
              </Button>
              <Button kind="quiet" icon="trash" onPress={() => void change({ url: null }, 'The webhook is removed.')}>
                Remove
              </Button>
            </>
          )}
        </div>
        <div
          role="status"
          className={cx(css['result'], result !== null && result !== 'asking' && !result.ok && css['bad'])}
        >
          {result === null || result === 'asking' ? '' : `The test: ${result.detail}.`}
        </div>
      </form>
      <div className={css['short']}>
        <NumberField
          label="Experiments of at least"
          unit="s"
          {...WEBHOOK_LIMITS.after_s}
          value={after_s}
          onChange={(next) => void change({ after_s: next })}
          steppers={false}
          help="Shorter ones are not told to the webhook."
        />
      </div>
    </>
  );
}
