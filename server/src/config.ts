import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { DEFAULT_ROLES, DefaultRole } from '#protocol/access';
import { framerOf } from './http/framing.ts';
import { hostName, isLoopback, type AllowedHost } from './http/hosts.ts';
import { networkOf, type Network } from './http/proxies.ts';
import { Limits, LimitWords, Size } from './limits.ts';

export const SERVE_HELP = `Usage: paceline serve [options]

  --host HOST        where to listen (default 127.0.0.1: only this machine)
  --allow-host NAME  also answer to this name: of this machine in a network, or https://NAME of a proxy that speaks TLS;
                     as often as needed
  --allow-embed ORIGIN  pages of this origin, as https://wiki.example, may show single figures in a frame; as often as
                     needed; '*': any page, only for a server on loopback (default: none but its own)
  --allow-webhook HOST  experiments that ended may be told to this host, which is none of the public internet; as often
                     as needed; '*': any (docs/settings.md)
  --token-file FILE  ask for the token in this file (or in $PACELINE_TOKEN) wherever it listens; without one, a server
                     that listens beyond loopback draws a token and prints it with its address
  --trusted-proxy ADDR[/BITS]  believe what a proxy at this address says of who comes, as often as needed; everybody else is asked
                     for a token (docs/access.md)
  --user-header NAME  the header in which it says so (default X-Forwarded-User)
  --default-role ROLE  what persons may of whom paceline user says nothing: none (default: turned away), viewer or author
  --tls-cert FILE    speak TLS with this certificate (PEM, with those that lead to its root), read again when it is renewed
  --tls-key FILE     its key
  --port PORT        0 takes any free port (default 8080)
  --data-dir DIR     everything that is kept (default ./data, or $PACELINE_DATA_DIR)
  --max-data SIZE    what the data folder may hold, as 20G (default: as much as the disk)
  --max-data-each SIZE  what each person may hold of it who is told apart, but operators (docs/access.md; default: no bound)
  --retain SIZE      how much of results: when the database takes more, the samples of the oldest runs are let go, and
                     what they came to stays (docs/retention.md; default: all)
  --limit NAME=N     another bound of what requests may take, as often as needed (docs/cli.md)
  --workers N        cores that runs may use together (default: all)
  --recover-traces   begin a new database in a folder whose own is lost, and take in the traces that lie there
  --endpoints FILE   external programs and compiled algorithms that experiments may use (default: endpoints.json in the
                     data folder, or $PACELINE_ENDPOINTS; docs/external-programs.md)

$PACELINE_BPF names compiled congestion controls (BPF struct_ops), too, as name=file.o,name=file.o: docs/tun.md.
$PACELINE_REDIS_URL names the Redis over which workers on other machines make runs (paceline worker; docs/workers.md).
$PACELINE_LOG sets what is logged on stderr: debug, info, warn, error or silent (default: info; warn where that is a terminal).
$OTEL_EXPORTER_OTLP_ENDPOINT is the collector that OpenTelemetry traces are told to (docs/monitoring.md).
`;

export const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']);
/** A person at a terminal wants to hear what is not well; what a service writes is kept. */
export const logLevelFrom = (env: NodeJS.ProcessEnv, atTerminal = isatty(2)): string =>
  env['PACELINE_LOG'] ?? (atTerminal ? 'warn' : 'info');

/** `name=file.o,name=file.o`: compiled congestion controls that only the operator can name, never a browser. */
export const BpfObjects = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^\s*[a-z0-9_-]{1,48}=./, 'wants name=file.o, with names of lower-case letters, digits, - and _')
        .transform((part) => {
          const [name = '', ...path] = part.trim().split('=');
          return { name, path: resolve(path.join('=')) };
        }),
    ),
  );

export const bpfObjects = (env: NodeJS.ProcessEnv): z.infer<typeof BpfObjects> =>
  checked(BpfObjects, env['PACELINE_BPF'], () => 'PACELINE_BPF');

const AllowHost = z.string().transform((text, context): AllowedHost => {
  const [, scheme = 'http', host = ''] = /^(?:(https?):\/\/)?([^/]+)\/?$/.exec(text) ?? [];
  const name = hostName(host);
  if (name === null)
    context.addIssue(`wants a host name, an address or https:// and a name, not ${JSON.stringify(text)}`);
  return { scheme: scheme === 'https' ? 'https' : 'http', name: name ?? '' };
});

const AllowEmbed = z.string().transform((text, context): string => {
  const framer = framerOf(text);
  if (framer === null) context.addIssue(`wants an origin, as https://wiki.example, or *, not ${JSON.stringify(text)}`);
  return framer ?? '';
});

const AllowWebhook = z.string().transform((text, context): string => {
  const name = text === '*' ? text : hostName(isIP(text) === 6 ? `[${text}]` : text);
  if (name === null) context.addIssue(`wants a host name, an address or *, not ${JSON.stringify(text)}`);
  return name ?? '';
});

const TrustedProxy = z.string().transform((text, context): Network => {
  const network = networkOf(text);
  if (network === null)
    context.addIssue(`wants an address, or one with its bits, as 10.1.0.0/16, not ${JSON.stringify(text)}`);
  return network ?? { address: '', bits: 0, family: 'ipv4' };
});

const UserHeader = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'wants the name of a header: letters, digits and -')
  .transform((name) => name.toLowerCase());

const Token = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/, 'wants a token of 16 to 512 printable characters, without blanks');

/** Of PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const RedisUrl = z
  .string()
  .refine(
    (url) => URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol) && new URL(url).hostname !== '',
    'wants redis://[user:password@]host[:port][/database], or rediss:// for TLS',
  );

const Path = z
  .string()
  .min(1)
  .transform((path) => resolve(path));

export const ServeConfig = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  allowHosts: z.array(AllowHost).default([]),
  allowEmbed: z.array(AllowEmbed).default([]),
  allowWebhook: z.array(AllowWebhook).default([]),
  trustedProxies: z.array(TrustedProxy).default([]),
  userHeader: UserHeader.default('x-forwarded-user'),
  defaultRole: DefaultRole.default('none'),
  token: Token.optional(),
  tls: z.object({ cert: Path, key: Path }).nullable().default(null),
  port: z.coerce.number().int().min(0).max(65_535).default(8080),
  dataDir: z
    .string()
    .min(1)
    .default('data')
    .transform((path) => resolve(path)),
  workers: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
  logLevel: LogLevel.default('info'),
  bpf: BpfObjects,
  endpoints: z.string().min(1).optional(),
  /** Bytes. */
  maxData: z.number().positive().optional(),
  /** Bytes. */
  maxDataEach: z.number().positive().optional(),
  redisUrl: z.string().optional(),
  /** Bytes. */
  retain: z.number().positive().optional(),
  limits: Limits,
  recoverTraces: z.boolean().default(false),
});
export type ServeConfig = z.infer<typeof ServeConfig>;

/** A command line that cannot be understood: one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Checks words and environment against a schema; the first fault is the message. */
export function checked<T>(schema: z.ZodType<T>, values: unknown, optionOf: (key: string) => string): T {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${optionOf(issue?.path.join('.') ?? '')}: ${issue?.message ?? 'not valid'}`);
}

/** parseArgs with its complaints turned into usage errors. */
export function parseWords<T extends NonNullable<Parameters<typeof parseArgs>[0]>>(
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const NAMES: Readonly<Record<string, string>> = {
  host: '--host',
  allowHosts: '--allow-host',
  allowEmbed: '--allow-embed',
  allowWebhook: '--allow-webhook',
  trustedProxies: '--trusted-proxy',
  userHeader: '--user-header',
  defaultRole: '--default-role',
  token: '--token-file or $PACELINE_TOKEN',
  port: '--port',
  dataDir: '--data-dir',
  workers: '--workers',
  logLevel: 'PACELINE_LOG',
  bpf: 'PACELINE_BPF',
  endpoints: '--endpoints',
};

/** Where the operator's external programs are, for commands without a server: the same as the server would take. */
export const whereConfigured = (
  endpoints: string | undefined,
  dataDir: string | undefined,
  env: NodeJS.ProcessEnv,
): { readonly endpoints: string | undefined; readonly dataDir: string } => ({
  endpoints: endpoints ?? env['PACELINE_ENDPOINTS'],
  dataDir: resolve(dataDir ?? env['PACELINE_DATA_DIR'] ?? 'data'),
});

function tokenFrom(file: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  // Empty is what compose files make of a variable that is not set.
  if (file === undefined) return env['PACELINE_TOKEN'] === '' ? undefined : env['PACELINE_TOKEN'];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--token-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function tlsFrom(cert: string | undefined, key: string | undefined): TlsFiles | null {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) throw new UsageError('--tls-cert and --tls-key go together');
  return { cert, key };
}

function proxiesFrom(
  proxies: readonly string[] | undefined,
  header: string | undefined,
  role: string | undefined,
): Record<'trustedProxies' | 'userHeader' | 'defaultRole', unknown> {
  for (const [option, value] of Object.entries({ '--user-header': header, '--default-role': role }))
    if (value !== undefined && proxies === undefined)
      throw new UsageError(`${option} goes with --trusted-proxy: nobody else is believed`);
  if (role !== undefined && !DEFAULT_ROLES.some((known) => known === role))
    throw new UsageError(`--default-role: ${role} is none of ${DEFAULT_ROLES.join(', ')}`);
  return { trustedProxies: proxies, userHeader: header, defaultRole: role };
}

/** Where workers on other machines are met: it may hold a password, so that no command line takes it. */
export function redisUrl(env: NodeJS.ProcessEnv): string | undefined {
  const url = env['PACELINE_REDIS_URL'];
  return url === undefined || url === '' ? undefined : checked(RedisUrl, url, () => 'PACELINE_REDIS_URL');
}

/** Null when help was asked for. */
export function serveConfig(words: readonly string[], env: NodeJS.ProcessEnv): ServeConfig | null {
  const { values } = parseWords({
    args: [...words],
    options: {
      host: { type: 'string' },
      'allow-host': { type: 'string', multiple: true },
      'allow-embed': { type: 'string', multiple: true },
      'allow-webhook': { type: 'string', multiple: true },
      'trusted-proxy': { type: 'string', multiple: true },
      'user-header': { type: 'string' },
      'default-role': { type: 'string' },
      'token-file': { type: 'string' },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      workers: { type: 'string' },
      endpoints: { type: 'string' },
      'max-data': { type: 'string' },
      'max-data-each': { type: 'string' },
      retain: { type: 'string' },
      limit: { type: 'string', multiple: true },
      'recover-traces': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return null;
  const fromEnvironment = (env['PACELINE_LIMITS'] ?? '').split(',').filter((word) => word !== '');
  const given = {
    host: values.host,
    allowHosts: values['allow-host'],
    allowEmbed: values['allow-embed'],
    allowWebhook: values['allow-webhook'],
    ...proxiesFrom(values['trusted-proxy'], values['user-header'], values['default-role']),
    token: tokenFrom(values['token-file'], env),
    tls: tlsFrom(values['tls-cert'], values['tls-key']),
    port: values.port,
    dataDir: values['data-dir'] ?? env['PACELINE_DATA_DIR'],
    workers: values.workers,
    logLevel: logLevelFrom(env),
    bpf: env['PACELINE_BPF'],
    endpoints: values.endpoints ?? env['PACELINE_ENDPOINTS'],
    maxData: checked(Size.optional(), values['max-data'] ?? env['PACELINE_MAX_DATA'], () => '--max-data'),
    maxDataEach: checked(
      Size.optional(),
      values['max-data-each'] ?? env['PACELINE_MAX_DATA_EACH'],
      () => '--max-data-each',
    ),
    retain: checked(Size.optional(), values.retain ?? env['PACELINE_RETAIN'], () => '--retain'),
    limits: checked(LimitWords, [...fromEnvironment, ...(values.limit ?? [])], () => '--limit'),
    recoverTraces: values['recover-traces'],
    redisUrl: redisUrl(env),
  };
  const config = checked(ServeConfig, given, (key) => NAMES[key.split('.')[0] ?? key] ?? key);
  if (config.retain !== undefined && config.maxData !== undefined && config.retain >= config.maxData)
    throw new UsageError('--retain: wants less than --max-data, from which on everything is refused');
  // Whoever lures a browser that may see this server would show its figures in a page of their own.
  if (config.allowEmbed.includes('*') && (!isLoopback(config.host) || config.allowHosts.length > 0))
    throw new UsageError('--allow-embed: * is for a server that only this machine reaches; name the pages');
  return config;
}
