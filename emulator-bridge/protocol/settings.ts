// What is set for a whole server, and what it tells others.
import { z } from 'zod';
import { ExperimentState } from '#protocol/api';

export const WEBHOOK_LIMITS = { address: 2048, after_s: { min: 1, max: 86_400, default: 60 } } as const;

const AfterS = z
  .number()
  .min(WEBHOOK_LIMITS.after_s.min)
  .max(WEBHOOK_LIMITS.after_s.max)
  .describe('experiments that took less are not told of');

export const ServerSettings = z.object({
  webhook: z.object({
    shown: z
      .string()
      .nullable()
      .describe('scheme and host of the address, whose rest may be a secret; null: there is none'),
    after_s: AfterS,
  }),
});

/** What is left out stays. */
export const SettingsChange = z
  .strictObject({
    webhook: z
      .strictObject({
        url: z.string().max(WEBHOOK_LIMITS.address).nullable().describe('http or https; null: nobody is told'),
        after_s: AfterS,
      })
      .partial(),
  })
  .partial();

/** The body of a webhook. */
export const WebhookEvent = z.object({
  event: z.enum(['experiment.ended', 'test']),
  id: z.string().describe('of the experiment'),
  title: z.string(),
  state: ExperimentState.describe('done, failed or cancelled'),
  counts: z.object({
    total: z.int(),
    done: z.int().describe('also those that were invalid'),
    failed: z.int(),
    cancelled: z.int(),
  }),
  took_s: z.number().describe('since the server first saw it go on'),
  url: z.string().describe('of its page'),
});

export const WebhookAnswer = z.object({
  ok: z.boolean().describe('it was taken: status 200 to 299'),
  detail: z.string(),
});

export type ServerSettings = z.infer<typeof ServerSettings>;
export type SettingsChange = z.infer<typeof SettingsChange>;
export type WebhookEvent = z.infer<typeof WebhookEvent>;
export type WebhookAnswer = z.infer<typeof WebhookAnswer>;
