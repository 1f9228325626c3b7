import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { AppError, problemOf } from '../errors.ts';
import type { Guard } from '../http/guard.ts';
import { doorkeeper } from '../http/security-headers.ts';
import { plainPage } from '../http/plain-page.ts';
import { problemHandler, unknownRoute } from '../http/problem.ts';
import type { Progress } from './progress.ts';

const PAGE = plainPage(new URL('waiting-room.html', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** How long a page that has seen everything is held, and how many of them are. */
const PATIENCE_MS = 5000;
const MOST_HELD = 64;
/** When others may ask again. */
const RETRY_AFTER_S = 5;

/** Where things lie on this machine is nobody's business. */
const withoutPlaces = (text: string): string => text.replaceAll(ROOT, '').replaceAll(homedir(), '~');

/**
 * What is answered on the server's address until the server can answer: a page that says what is being built, and to programs a refusal
 * that says the same. `open`: whoever reaches it may read what a command printed that failed.
 */
export function waitingRoom(progress: Progress, guard: Guard, log: Logger, open: boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(doorkeeper(guard));
  app.use((_req, res, next) => {
    res.set({ 'Retry-After': String(RETRY_AFTER_S), 'Cache-Control': 'no-store' });
    next();
  });

  let held = 0;
  app.use('/api', async (req, res) => {
    if (req.query['seen'] !== undefined && held < MOST_HELD) {
      held += 1;
      await progress.newerThan(Number(req.query['seen']), PATIENCE_MS);
      held -= 1;
    }
    const { trouble, version, steps } = progress;
    const detail = trouble === null ? 'it answers as soon as it is built' : 'its start has failed';
    const building = {
      version,
      steps: steps.map(({ why: _, ...step }) => step),
      trouble: trouble === null ? null : open ? withoutPlaces(trouble) : 'The terminal of npm start says why.',
    };
    const problem = problemOf(new AppError('BEING_BUILT', detail));
    res
      .status(problem.status)
      .type('application/problem+json')
      .json({ ...problem, building });
  });
  app.get('/{*path}', (req, res, next) => {
    if (req.accepts('html') === false) next();
    else res.status(503).set('Content-Security-Policy', PAGE.policy).type('html').send(PAGE.html);
  });
  app.use(unknownRoute);
  app.use(problemHandler(log));
  return app;
}
