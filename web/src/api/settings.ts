// What is set for the whole server.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { ServerSettings, WebhookAnswer, type SettingsChange } from '#protocol/settings';
import { call } from './client';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call('/settings', ServerSettings, { signal }),
});

export async function changeSettings(queries: QueryClient, change: SettingsChange): Promise<void> {
  const settings = await call('/settings', ServerSettings, { method: 'PATCH', body: change });
  queries.setQueryData(settingsQuery.queryKey, settings);
}

export const testWebhook = (): Promise<WebhookAnswer> =>
  call('/settings/webhook/test', WebhookAnswer, { method: 'POST' });
