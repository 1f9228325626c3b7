import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { AppError, problemOf } from '../errors.ts';
import type { Limits } from '../limits.ts';

/** A line may pause for so long as long as it makes up for it. */
const WINDOW_MS = 30_000;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Ends requests whose bodies do not arrive, however long a moving one may take: a gigabyte over a slow line is welcome. */
export function endSlowBodies(server: Server, { body_bytes_per_s }: Limits, windowMs = WINDOW_MS): void {
  const least = (body_bytes_per_s * windowMs) / 1000;
  server.on('request', (req, res) => {
    if (!hasBody(req)) return;
    const { socket } = req;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      const arrived = socket.bytesRead - before;
      before = socket.bytesRead;
      // What waits here is ours to read: the sender cannot go on.
      if (req.complete || arrived >= least || req.readableLength > 0) return;
      refuse(req, res, `less than ${body_bytes_per_s} bytes a second have arrived`);
    }, windowMs).unref();
    req.once('close', () => clearInterval(timer));
  });
}

function refuse(req: IncomingMessage, res: ServerResponse, why: string): void {
  const gone = Object.assign(new Error(why), { code: 'ECONNABORTED' });
  if (res.headersSent) {
    req.destroy(gone);
    return;
  }
  const problem = problemOf(new AppError('BODY_TOO_SLOW', why, { hint: 'Try again over a better line.' }));
  res.writeHead(problem.status, { 'Content-Type': 'application/problem+json', Connection: 'close' });
  res.end(JSON.stringify(problem), () => req.destroy(gone));
}
