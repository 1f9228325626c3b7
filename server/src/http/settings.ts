// What is set for the whole server: by whoever may use it, which is who has its token or sits at its machine.
import { ServerSettings, SettingsChange, WebhookAnswer } from '#protocol/settings';
import type { Lab } from '../lab.ts';
import { defineRoute, type Route } from './route.ts';

export const settingsRoutes = ({ webhooks }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/settings',
    tag: 'server',
    summary: 'What is set for the whole server',
    answers: { 200: { description: 'Without what may be a secret', schema: ServerSettings } },
    errors: [],
    handle: (): ServerSettings => ({ webhook: webhooks.settings }),
  }),
  defineRoute({
    method: 'patch',
    path: '/settings',
    needs: 'operator',
    tag: 'server',
    summary: 'Change what is set for the whole server',
    description:
      'What is left out stays. A webhook goes to public addresses, and to those that `--allow-webhook` names.',
    body: SettingsChange,
    answers: { 200: { description: 'What is set now', schema: ServerSettings } },
    errors: ['WEBHOOK_REFUSED', 'DISK_FULL'],
    handle: ({ body }): ServerSettings => ({ webhook: webhooks.change(body.webhook ?? {}) }),
  }),
  defineRoute({
    method: 'post',
    path: '/settings/webhook/test',
    needs: 'operator',
    tag: 'server',
    summary: 'Send a test to the webhook',
    description: 'Once, within 5 s; its `event` is `test`.',
    answers: { 200: { description: 'What became of it', schema: WebhookAnswer } },
    errors: ['WEBHOOK_REFUSED'],
    handle: () => webhooks.test(),
  }),
];
