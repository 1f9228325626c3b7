import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Lab } from '../lab.ts';
import type { Limits } from '../limits.ts';
import { accessRoutes } from './access.ts';
import { algorithmRoutes } from './algorithms.ts';
import { asker } from './ask.ts';
import { callers, noting } from './callers.ts';
import { ccaAboutRoutes } from './cca-about.ts';
import { compressed } from './compressed.ts';
import { experimentRoutes } from './experiments.ts';
import { engineModule } from './engine-module.ts';
import { exportRoutes } from './exports.ts';
import { fidelityRoutes } from './fidelity.ts';
import { figureRoutes } from './figures.ts';
import type { Guard } from './guard.ts';
import { healthRoutes } from './health.ts';
import { kindRoutes } from './kinds.ts';
import { importedRoutes } from './imported.ts';
import { measurementRoutes } from './measurements.ts';
import { labelRoutes } from './labels.ts';
import type { Metrics } from './metrics.ts';
import { describing, ogRoutes } from './og.ts';
import { openApi } from './openapi.ts';
import { otherMethods, problemHandler, unknownRoute } from './problem.ts';
import { sampledRoutes } from './sampled.ts';
import { studyRoutes } from './studies.ts';
import { traceEditRoutes } from './trace-edits.ts';
import { privateRoutes } from './private.ts';
import { recipeRoutes } from './recipes.ts';
import { recordingRoutes } from './recordings.ts';
import { rateLimit } from './rate-limit.ts';
import { mount, type Route } from './route.ts';
import { runTableRoutes } from './run-table.ts';
import { oracleRoutes } from './oracle.ts';
import { packetRoutes } from './packets.ts';
import { runRoutes } from './runs.ts';
import { doorkeeper } from './security-headers.ts';
import { settingsRoutes } from './settings.ts';
import { shareRoutes } from './shares.ts';
import { signIn } from './sign-in.ts';
import { pageRoutes } from './static.ts';
import { templateRoutes } from './templates.ts';
import { traceSourceRoutes } from './trace-sources.ts';
import { traceRoutes } from './traces.ts';
import { idsOf, requestSpans } from '../tracing/requests.ts';
import { holdingRoutes } from './holdings.ts';
import { workerRoutes } from './workers.ts';
import { weightsRoutes } from './weights.ts';

export const API = '/api/v1';

export interface AppOptions {
  readonly lab: Lab;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly guard: Guard;
  readonly limits: Limits;
}

const resourceRoutes = (lab: Lab): Route[] => [
  ...healthRoutes(lab),
  ...holdingRoutes(lab),
  ...workerRoutes(lab),
  ...ccaAboutRoutes(lab),
  ...settingsRoutes(lab),
  ...fidelityRoutes(),
  ...traceRoutes(lab),
  ...traceSourceRoutes(lab),
  ...recipeRoutes(lab),
  ...traceEditRoutes(lab),
  ...recordingRoutes(lab),
  ...weightsRoutes(lab),
  ...algorithmRoutes(lab),
  ...labelRoutes(lab),
  ...kindRoutes(),
  ...templateRoutes(lab),
  ...experimentRoutes(lab),
  ...privateRoutes(lab),
  ...figureRoutes(lab),
  ...sampledRoutes(lab),
  ...studyRoutes(lab),
  ...runTableRoutes(lab),
  ...runRoutes(lab),
  ...packetRoutes(lab),
  ...oracleRoutes(lab),
  ...measurementRoutes(lab),
  ...importedRoutes(lab),
  ...exportRoutes(lab),
];

export function allRoutes(lab: Lab): Route[] {
  const routes = resourceRoutes(lab);
  return [...routes, ...shareRoutes(lab, asker(routes, lab.store.private))];
}

/** Each that follows waits for the end of an answer, and so does what is piped into it: Node takes more than ten for a leak. */
const manyListeners: RequestHandler = (_req, res, next) => {
  res.setMaxListeners(32);
  next();
};

/** Without headers and tokens: a log is read by more people than the laboratory. */
const requestLog = (log: Logger): RequestHandler =>
  pinoHttp({
    logger: log,
    customProps: (req) => idsOf(req),
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'debug'),
    serializers: {
      req: ({ id, method, url }: { id: unknown; method: string; url: string }) => ({
        id,
        method,
        url: url.replace(/([?&]token=)[^&]*/, '$1…'),
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });

export function createApp({ lab, log, metrics, guard, limits }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(manyListeners);
  app.use(requestSpans(API));
  app.use(requestLog(log));
  app.use(metrics.timing(API));
  app.use(doorkeeper(guard));
  app.use(callers(guard));
  app.use(signIn(guard));
  app.route('/metrics').get(metrics.handler).all(otherMethods('GET'));

  const api = express.Router();
  api.use(compressed());
  api.use(rateLimit(limits));
  api.use(noting(lab.access, log));
  const routes = [...allRoutes(lab), ...accessRoutes(lab, guard)];
  let document: ReturnType<typeof openApi> | undefined; // made for who asks: a start need not wait for it
  api
    .route('/openapi.json')
    .get((_req, res) => void res.json((document ??= openApi(routes))))
    .all(otherMethods('GET'));
  mount(api, routes, lab.store);
  api.use(unknownRoute);
  app.use(API, api);
  app.use('/api', unknownRoute);

  app.use('/og', ogRoutes(lab, limits));
  app.get('/engine/paceline.wasm', engineModule());
  app.use(pageRoutes({ framing: guard.framing, describe: describing(lab, guard.hosts) }));
  app.use(unknownRoute);
  app.use(problemHandler(log));
  return app;
}
