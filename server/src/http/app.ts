import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Lab } from '../lab.ts';
import { experimentRoutes } from './experiments.ts';
import { exportRoutes } from './exports.ts';
import { fidelityRoutes } from './fidelity.ts';
import { guard } from './guard.ts';
import { healthRoutes } from './health.ts';
import { measurementRoutes } from './measurements.ts';
import type { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { otherMethods, problemHandler, unknownRoute } from './problem.ts';
import { traceEditRoutes } from './trace-edits.ts';
import { recipeRoutes } from './recipes.ts';
import { recordingRoutes } from './recordings.ts';
import { mount, type Route } from './route.ts';
import { runRoutes } from './runs.ts';
import { pageRoutes } from './static.ts';
import { traceSourceRoutes } from './trace-sources.ts';
import { traceRoutes } from './traces.ts';
import { weightsRoutes } from './weights.ts';

export const API = '/api/v1';

export interface AppOptions {
  readonly lab: Lab;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Serve only loopback names. */
  readonly loopbackOnly: boolean;
}

export const allRoutes = (lab: Lab): Route[] => [
  ...healthRoutes(lab),
  ...fidelityRoutes(),
  ...traceRoutes(lab),
  ...traceSourceRoutes(lab),
  ...recipeRoutes(lab),
  ...traceEditRoutes(lab),
  ...recordingRoutes(lab),
  ...weightsRoutes(lab),
  ...experimentRoutes(lab),
  ...runRoutes(lab),
  ...measurementRoutes(lab),
  ...exportRoutes(lab),
];

export function createApp({ lab, log, metrics, loopbackOnly }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(pinoHttp({ logger: log, customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'debug') }));
  app.use(guard(loopbackOnly));
  app.use((_req, res, next) => {
    res.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' });
    next();
  });
  app.route('/metrics').get(metrics.handler).all(otherMethods('GET'));

  const api = express.Router();
  const routes = allRoutes(lab);
  const document = openApi(routes);
  api
    .route('/openapi.json')
    .get((_req, res) => void res.json(document))
    .all(otherMethods('GET'));
  mount(api, routes);
  api.use(unknownRoute);
  app.use(API, api);
  app.use('/api', unknownRoute);

  app.use(pageRoutes());
  app.use(unknownRoute);
  app.use(problemHandler(log));
  return app;
}
