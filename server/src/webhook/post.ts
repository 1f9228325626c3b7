// One POST: so long and no longer, to where it was sent and nowhere else.
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookAnswer } from '#protocol/settings';
import { VERSION } from '../version.ts';

export interface Posted extends WebhookAnswer {
  /** Asking again may help. */
  readonly again: boolean;
}

export const TIMEOUT_MS = 5000;

/** Redirects are not followed, and of an answer only its status is looked at. */
export function post(url: URL, body: string, lookup: LookupFunction, signal: AbortSignal): Promise<Posted> {
  const ask = url.protocol === 'https:' ? secure : plain;
  return new Promise((done) => {
    const sent = ask(
      url,
      {
        method: 'POST',
        lookup,
        // A connection of its own: one that was kept could be to what was allowed before.
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': `Paceline/${VERSION}`,
        },
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        answer.destroy();
        done(judged(status));
      },
    );
    sent.on('error', (error) => done({ ok: false, again: true, detail: wordsOf(error) }));
    sent.end(body);
  });
}

function judged(status: number): Posted {
  if (status >= 200 && status < 300) return { ok: true, again: false, detail: `it was taken (status ${status})` };
  if (status >= 300 && status < 400)
    return { ok: false, again: false, detail: `it leads elsewhere (status ${status}), which is not followed` };
  return { ok: false, again: status >= 500 || status === 429, detail: `it was refused with status ${status}` };
}

const wordsOf = (error: Error): string =>
  error.name === 'TimeoutError' || ('cause' in error && (error.cause as Error | undefined)?.name === 'TimeoutError')
    ? `there was no answer within ${TIMEOUT_MS / 1000} s`
    : error.message;
