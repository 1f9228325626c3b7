// Many viewers of one run in a process of their own: `viewers.ts URL RUN COUNT SECONDS`. Prints what they saw as one line of JSON.
// The samples' time is the machine's monotonic clock at the moment they were made, so the age of a row on arrival is its lag.
import { WebSocket } from 'ws';
import { decodeSamples } from '#protocol/frames';
import { LIVE_SUBPROTOCOL, unwrapLiveFrame } from '#protocol/live';

const [url = '', run = '', count = '1', seconds = '1'] = process.argv.slice(2);
const monotonic = (): number => Number(process.hrtime.bigint()) / 1e9;

const lags: number[] = [];
let frames = 0;
let rows = 0;
/** Rows that came twice or left a gap. */
let wrong = 0;

async function view(): Promise<WebSocket> {
  const socket = new WebSocket(url, LIVE_SUBPROTOCOL, { perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const next = new Map<number, number>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return;
    const block = decodeSamples(unwrapLiveFrame(data).frame);
    frames += 1;
    rows += block.rows;
    if (block.firstRow !== (next.get(block.stream) ?? 0)) wrong += 1;
    next.set(block.stream, block.firstRow + block.rows);
    lags.push(monotonic() - (block.time.at(-1) ?? 0));
  });
  socket.send(JSON.stringify({ type: 'subscribe', subscription: 1, run }));
  return socket;
}

const sockets = await Promise.all(Array.from({ length: Number(count) }, view));
process.stdout.write('watching\n');
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
for (const socket of sockets) socket.terminate();
lags.sort((a, b) => a - b);
const at = (share: number): number => lags[Math.min(lags.length - 1, Math.floor(share * lags.length))] ?? Number.NaN;
process.stdout.write(`${JSON.stringify({ frames, rows, wrong, p50_s: at(0.5), p99_s: at(0.99), max_s: at(1) })}\n`);
