// What takes how long, told to whoever collects traces by OpenTelemetry (docs/monitoring.md). Without a collector all of it does nothing.
import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';

export const tracer = () => trace.getTracer('paceline');

/** Does `work` in a span of that name; what it begins is part of that. What it throws is told and thrown. */
export function traced<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
  { from = context.active(), ...options }: SpanOptions & { readonly from?: Context } = {},
): Promise<T> {
  return tracer().startActiveSpan(name, { ...options, attributes }, from, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** What another machine needs to tell its part (W3C trace context); undefined: nobody collects. */
export function carried(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** Of what another one has sent, whatever it is. */
export const contextFrom = (traceparent: string | undefined): Context =>
  traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

/** By these a line of the log is found beside its span. */
export function logIds(span: Span | undefined = trace.getActiveSpan()): Record<string, string> {
  const told = span?.spanContext();
  return told === undefined || !isSpanContextValid(told) ? {} : { trace_id: told.traceId, span_id: told.spanId };
}
