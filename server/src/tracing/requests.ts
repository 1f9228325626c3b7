import type { IncomingMessage } from 'node:http';
import { context, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { routeOf } from '../http/route-of.ts';
import { contextFrom, logIds, tracer } from './spans.ts';

const spans = new WeakMap<IncomingMessage, Span>();

/** A span for each request, part of what a caller's `traceparent` names. What was asked for beyond the path may be secret, and is not told. */
export const requestSpans =
  (api: string): RequestHandler =>
  (req, res, next) => {
    const from = contextFrom(req.get('traceparent'));
    const [path = ''] = req.originalUrl.split('?');
    const span = tracer().startSpan(
      req.method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': req.method, 'url.path': path } },
      from,
    );
    spans.set(req, span);
    // Also when nobody waits for the answer any more.
    res.once('close', () => {
      const route = routeOf(req, api);
      span.updateName(`${req.method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': res.statusCode });
      if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(from, span), next);
  };

/** For what is logged of it when it is over. */
export const idsOf = (req: IncomingMessage): Record<string, string> => logIds(spans.get(req));
