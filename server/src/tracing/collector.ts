// The part of OpenTelemetry that only who collects traces needs: loaded when somebody does.
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';

/** A collector that is gone is told of once in so long. */
const WARN_EVERY_MS = 60_000;
/** Characters of a path that somebody asks for, or of a reason. */
const LONGEST = 1024;
/** Whoever ends waits no longer for one. */
const LEAVE_MS = 3000;

function warnings(log: Logger): (message: string, ...details: unknown[]) => void {
  let warned = -Infinity;
  return (message, ...details) => {
    const now = performance.now();
    if (now - warned < WARN_EVERY_MS) return;
    warned = now;
    log.warn({ details: details.map(String) }, `traces could not be told: ${message}`);
  };
}

/** Where and how is said by the variables of OpenTelemetry's specification. Gives what tells the last of them. */
export function startCollector(service: string, version: string, log: Logger): () => Promise<void> {
  const warn = warnings(log);
  const quiet = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  const provider = new BasicTracerProvider({
    spanLimits: { attributeValueLengthLimit: LONGEST },
    // What the environment says goes before.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return () => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, LEAVE_MS).unref());
    return Promise.race([provider.shutdown().catch((error: unknown) => warn(String(error))), late]);
  };
}
