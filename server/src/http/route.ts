import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import { AppError, type ErrorCode } from '../errors.ts';

/** An answer other than 200. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Answer {
  readonly description: string;
  /** JSON of this form; absent: `media` says what it is. */
  readonly schema?: z.ZodType;
  readonly media?: string;
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
  /** A body that is not JSON and is read by the handler itself. */
  readonly upload?: readonly string[];
  readonly answers: Readonly<Record<number, Answer>>;
  readonly errors: readonly ErrorCode[];
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

export const reply = (status: number, body: unknown): Replied => new Replied({ status, body });

function parse(part: string, schema: z.ZodType | undefined, value: unknown, code: ErrorCode): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ where: path.join('.') || part, detail: message }));
  const [first] = faults;
  throw new AppError(code, first === undefined ? `the ${part} is not valid` : `${first.where}: ${first.detail}`, {
    ...(first === undefined ? {} : { where: first.where }),
    faults,
  });
}

/** Adds the route to a router, with its checks before its handler. */
export function mount(router: Router, route: Route): void {
  router[route.method](route.path, async (req, res) => {
    const input = {
      params: parse('address', route.params, req.params, 'REQUEST_INVALID'),
      query: parse('query', route.query, req.query, 'REQUEST_INVALID'),
      body: parse('body', route.body, req.body, route.bodyRefusal ?? 'REQUEST_INVALID'),
    };
    const answer = await route.handle(input as never, req, res);
    if (answer instanceof Replied) res.status(answer.reply.status).json(answer.reply.body);
    else if (answer !== undefined) res.json(answer);
  });
}
