import type { Logger } from 'pino';
import { UsageError } from '../config.ts';
import { VERSION } from '../version.ts';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;
const HTTP = /^https?:$/;

/** Whether somebody collects traces. Throws UsageError where their address is none. */
export function isTraced(env: NodeJS.ProcessEnv): boolean {
  const given = ENDPOINTS.flatMap((name) =>
    env[name] === undefined || env[name] === '' ? [] : [[name, env[name]] as const],
  );
  for (const [name, url] of given)
    if (!URL.canParse(url) || !HTTP.test(new URL(url).protocol))
      throw new UsageError(
        `${name}: wants the address of a collector that speaks OTLP over HTTP, as http://127.0.0.1:4318`,
      );
  return given.length > 0 && env['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true';
}

/** While `work` goes on, what takes how long is told to the collector that the environment names, if it does. */
export async function whileTraced<T>(service: string, log: Logger, work: () => Promise<T>): Promise<T> {
  if (!isTraced(process.env)) return work();
  const { startCollector } = await import('./collector.ts');
  const leave = startCollector(service, VERSION, log);
  try {
    return await work();
  } finally {
    await leave();
  }
}
