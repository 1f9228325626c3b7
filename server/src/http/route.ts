import { json } from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { faultsOf } from '#protocol/faults';
import { AppError, type ErrorCode } from '../errors.ts';
import { neededBy, onlyFor, type Needs } from './callers.ts';
import { addressMustBeSeen, eyesOf } from './eyes.ts';
import { mustBeTheirs, type Kept, type Owned } from './owners.ts';
import { otherMethods } from './problem.ts';

/** An answer other than 200. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Answer {
  readonly description: string;
  /** JSON of this form; absent: `media` says what it is. */
  readonly schema?: z.ZodType;
  readonly media?: string | readonly string[];
}

/** One address: what it takes, what it gives, how it refuses. Validation and the OpenAPI document are made from the same object. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As Express writes it: `/runs/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** JSON. */
  readonly body?: z.ZodType;
  /** How a body is refused that is not of this form; REQUEST_INVALID unless said otherwise. */
  readonly bodyRefusal?: ErrorCode;
  /** A body that is not JSON and is read by the handler itself, or by `reader` before it. */
  readonly upload?: readonly string[];
  readonly reader?: RequestHandler;
  readonly answers: Readonly<Record<number, Answer>>;
  readonly errors: readonly ErrorCode[];
  /** The least that a caller must be; left out: a viewer to look, an author to change anything. */
  readonly needs?: Needs;
  /** What it changes or takes away, which is its maker's. */
  readonly owned?: Owned;
  /** How what it does not know is refused. Asked with `?unknown=null` it answers 200 and null instead (not to a malformed id: nothing has it). */
  readonly unknown?: ErrorCode;
  readonly handle: (input: never, req: Request, res: Response) => unknown;
}

type Parsed<T extends z.ZodType | undefined> = T extends z.ZodType ? z.infer<T> : undefined;

interface Shape<P extends z.ZodType | undefined, Q extends z.ZodType | undefined, B extends z.ZodType | undefined> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Gives the JSON of a 200, a `reply`, or undefined when it has written the response itself. */
  readonly handle: (
    input: { readonly params: Parsed<P>; readonly query: Parsed<Q>; readonly body: Parsed<B> },
    req: Request,
    res: Response,
  ) => unknown;
}

/** Ties the handler's input to the schemas. */
export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(route: Omit<Route, 'params' | 'query' | 'body' | 'handle'> & Shape<P, Q, B>): Route {
  return route as unknown as Route;
}

class Replied {
  readonly reply: Reply;
  constructor(reply: Reply) {
    this.reply = reply;
  }
}

/** Aborted when the client has left, or has its answer. */
export function goneOf(res: Response): AbortSignal {
  const abort = new AbortController();
  res.on('close', () => abort.abort());
  return abort.signal;
}

export const reply = (status: number, body: unknown): Replied => new Replied({ status, body });

function parse(part: string, schema: z.ZodType | undefined, value: unknown, code: ErrorCode): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = faultsOf(parsed.error).map(({ path, detail }) => ({ where: path.join('.') || part, detail }));
  const [first] = faults;
  throw new AppError(code, first === undefined ? `the ${part} is not valid` : `${first.where}: ${first.detail}`, {
    ...(first === undefined ? {} : { where: first.where }),
    faults,
  });
}

const parseJson = json({ limit: '4mb' });
const DEEPEST = 64;

/** What is nested without end is meant for the stack of whoever writes it out again. */
function isDeeper(value: unknown, levels: number): boolean {
  let layer = [value];
  for (; layer.length > 0 && levels >= 0; levels--)
    layer = layer
      .filter((one): one is object => typeof one === 'object' && one !== null)
      .flatMap((one): unknown[] => Object.values(one));
  return layer.length > 0;
}

const plainBody: RequestHandler = (req, _res, next) => {
  // Without this, a body of another kind would be taken for none.
  if (req.headers['content-length'] !== '0' && req.is('application/json') === false)
    throw new AppError('MEDIA_UNSUPPORTED', req.headers['content-type'] ?? 'a body that does not say what it is', {
      hint: 'Send JSON, with Content-Type: application/json.',
    });
  if (isDeeper(req.body, DEEPEST)) throw new AppError('JSON_INVALID', `nested more than ${DEEPEST} levels deep`);
  next();
};

function readers({ body, reader }: Route): RequestHandler[] {
  if (reader !== undefined) return [reader];
  return body === undefined ? [] : [parseJson, plainBody];
}

/** Aborts when the other side goes before it was answered. */
export function untilGone(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableEnded) controller.abort(new AppError('REQUEST_INVALID', 'the other side has gone'));
  });
  return controller.signal;
}

/** Adds routes to a router, each with its checks before its handler. */
export function mount(router: Router, routes: readonly Route[], kept: Kept): void {
  for (const route of routes) mountOne(router, route, kept);
  for (const path of new Set(routes.map((route) => route.path))) {
    const known = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    router.all(path, otherMethods(...known));
  }
}

const UnknownQuery = z.object({ unknown: z.literal('null').optional() });

/** Browsers log every answer from 400 on as an error, even one that the page has asked for; for it there is another answer. */
async function orNull({ unknown }: Route, req: Request, answer: () => unknown): Promise<unknown> {
  if (unknown === undefined) return answer();
  const asked = parse('query', UnknownQuery, req.query, 'REQUEST_INVALID') as z.infer<typeof UnknownQuery>;
  try {
    return await answer();
  } catch (error) {
    if (asked.unknown !== undefined && error instanceof AppError && [unknown, 'DELETED'].includes(error.code))
      return reply(200, null);
    throw error;
  }
}

function mountOne(router: Router, route: Route, kept: Kept): void {
  const { owned } = route;
  const answerTo = (req: Request, res: Response): unknown => {
    addressMustBeSeen(kept.private, eyesOf(res), route.path, req.params);
    const id = req.params[owned?.by ?? 'id'];
    if (owned !== undefined && typeof id === 'string') mustBeTheirs(kept, res, owned.kind, id);
    const input = {
      params: parse('address', route.params, req.params, 'REQUEST_INVALID'),
      query: parse('query', route.query, req.query, 'REQUEST_INVALID'),
      body: parse('body', route.body, req.body, route.bodyRefusal ?? 'REQUEST_INVALID'),
    };
    return route.handle(input as never, req, res);
  };
  router[route.method](route.path, onlyFor(neededBy(route)), ...readers(route), async (req: Request, res: Response) => {
    const answer = await orNull(route, req, () => answerTo(req, res));
    if (answer instanceof Replied) res.status(answer.reply.status).json(answer.reply.body);
    else if (answer !== undefined) res.json(answer);
  });
}
