// What one request, one client and all of them together may take. docs/cli.md has the table.
import { availableParallelism } from 'node:os';
import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
};

const WITH_UNIT = /^(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?$/i;

/** `20G`, `512MiB`, `1000`; NaN for what is none. */
function numberOf(text: string): number {
  const [, number = 'none', unit = ''] = WITH_UNIT.exec(text) ?? [];
  return Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/** Bytes. */
export const Size = z
  .string()
  .transform((text) => Math.round(numberOf(text)))
  .pipe(z.int('wants a size: 500M, 20G, 1.5GiB').min(1));

const amount = z.number().positive();
const whole = z.int().min(1);

export const Limits = z
  .strictObject({
    trace_bytes: whole.default(256 * 2 ** 20).describe('of the text of a stored trace'),
    unpacked_bytes: whole
      .max(8 * 2 ** 30)
      .default(4 * 2 ** 30)
      .describe('that a packed file may become'),
    unpacked_ratio: whole.default(500).describe('times its own size that a packed file may become, from 64 MiB on'),
    helpers: whole
      .default(Math.max(2, availableParallelism()))
      .describe('native programs at work for requests at once'),
    helpers_waiting: whole.default(100).describe('requests that may wait for one'),
    helper_s: amount.max(170).default(120).describe('that one may take'),
    body_bytes_per_s: amount.default(1024).describe('at which a body must at least arrive, over 30 s'),
    requests_per_s: amount.default(100).describe('of one client; ten times as many from this machine'),
    requests_burst: whole.default(1000).describe('that a client may send at once; ten times as many from this machine'),
  })
  .prefault({});
export type Limits = z.infer<typeof Limits>;

/** `name=value`, as often as needed; the sizes may have units. */
export const LimitWords = z.array(z.string()).transform((words, ctx) => {
  const given: Record<string, number> = {};
  for (const word of words) {
    const [name = '', value = ''] = word.split(/=(.*)/s);
    const number = numberOf(value);
    if (Number.isFinite(number)) given[name] = number;
    else ctx.addIssue({ code: 'custom', message: `wants name=number, not ${JSON.stringify(word)}` });
  }
  const limits = Limits.safeParse(given);
  if (limits.success) return limits.data;
  for (const { path, message } of limits.error.issues)
    ctx.addIssue({ code: 'custom', message: [...path, message].join(': ') });
  return z.NEVER;
});
