// What happened at the queue of a run's link, as Mahimahi's mm-link logs it (--uplink-log): opportunities of 1500 bytes, arrivals,
// departures with what they waited, and drops, in whole milliseconds. Format: src/frontend/link_queue.cc of Mahimahi.
import { PACKET_BYTES } from '#analysis/limits';
import type { RunManifest } from '#protocol/manifest';
import type { PacketWindow } from '#protocol/packets';

export interface LinkLogOf {
  readonly run: string;
  /** The engine that makes it again. */
  readonly engine_version: string;
  readonly manifest: Pick<RunManifest, 'forward' | 'duration_s'>;
  /** What is written of it; all of it up to Infinity. */
  readonly from_ns: number;
  readonly to_ns: number;
  /** Opportunities of the link's trace by millisecond, as `countsOf` gives them; null: the link has none. */
  readonly counts: Uint32Array | null;
}

interface Event {
  readonly at_ns: number;
  readonly line: string;
}

const PIECE_CHARACTERS = 64 * 1024;
const msOf = (ns: number): number => Math.floor(ns / 1e6);

function headOf({ run, engine_version, manifest: { forward } }: LinkLogOf): string {
  const { id, limit_bytes, limit_packets } = forward.queue;
  const limits = [
    ...(limit_bytes === null ? [] : [`bytes=${limit_bytes}`]),
    ...(limit_packets === null ? [] : [`packets=${limit_packets}`]),
  ];
  return [
    `# paceline ${engine_version} (link of run ${run}, in virtual time)`,
    `# queue: ${id}${limits.length === 0 ? '' : ` [${limits.join(', ')}]`}`,
    '# init timestamp: 0',
    '# base timestamp: 0',
    '',
  ].join('\n');
}

/** How many opportunities the link has had in milliseconds before this one and this one. */
function opportunitiesOf({ manifest: { forward }, counts }: LinkLogOf): (ms: number) => number {
  const { capacity } = forward;
  if (capacity.kind === 'constant') {
    const due = (ms: number): number => Math.floor((capacity.rate_mbps * 1e3 * ms) / 8 / PACKET_BYTES);
    return (ms) => (ms === 0 ? 0 : due(ms) - due(ms - 1));
  }
  if (capacity.kind === 'unlimited' || counts === null) return () => 0;
  const period = counts.length - 1;
  const start = capacity.offset_ms % period;
  // Those of a lap's end and of its beginning fire together, but for the first.
  return (ms) => {
    const place = start + ms;
    const inLap = place % period;
    return (counts[inLap] ?? 0) + (inLap === 0 && place > 0 ? (counts[period] ?? 0) : 0);
  };
}

/** Of the packets that were sent in a window, until then not told. */
function* eventsOf({ packets }: PacketWindow, known_ns: number, until_ns: number): Generator<Event> {
  for (const [at, sent] of packets.sent_ns.entries()) {
    if (sent < known_ns || sent >= until_ns) continue;
    const bytes = packets.bytes[at] ?? 0;
    const [departed, ended] = [packets.departed_ns[at] ?? null, packets.ended_ns[at] ?? null];
    const dropped = packets.fate[at] === 'dropped' ? ended : null;
    const queued = packets.queued_ns[at] ?? dropped;
    if (queued === null) continue;
    yield { at_ns: queued, line: `${msOf(queued)} + ${bytes}\n` };
    if (dropped !== null) yield { at_ns: dropped, line: `${msOf(dropped)} d 1 ${bytes}\n` };
    if (departed !== null)
      yield { at_ns: departed, line: `${msOf(departed)} - ${bytes} ${msOf(departed) - msOf(queued)}\n` };
  }
}

/** The log line by line. */
async function* linesOf(of: LinkLogOf, windows: AsyncIterable<PacketWindow>): AsyncGenerator<Iterable<string>> {
  const { from_ns, to_ns, manifest } = of;
  const duration_ns = manifest.duration_s * 1e9;
  const opportunities = opportunitiesOf(of);
  let ms = Math.ceil(from_ns / 1e6);
  function* before(ns: number): Generator<string> {
    for (; ms * 1e6 <= ns && ms * 1e6 < to_ns; ms++) {
      const line = `${ms} # ${PACKET_BYTES}\n`;
      for (let left = opportunities(ms); left > 0; left--) yield line;
    }
  }
  function* between(events: readonly Event[]): Generator<string> {
    for (const { at_ns, line } of events) {
      if (at_ns < from_ns || at_ns >= to_ns) continue;
      yield* before(at_ns);
      yield line;
    }
  }
  let waiting: Event[] = [];
  let known_ns = 0;
  for await (const window of windows) {
    const told = Math.min(window.to_ns, window.complete_until_ns);
    // What happens as the run ends belongs to it.
    const until = told < duration_ns ? told : Infinity;
    const all = waiting.concat([...eventsOf(window, known_ns, until)]).sort((a, b) => a.at_ns - b.at_ns);
    known_ns = until;
    const due = all.findIndex(({ at_ns }) => at_ns >= until);
    waiting = due < 0 ? [] : all.slice(due);
    yield between(due < 0 ? all : all.slice(0, due));
  }
  yield before(Math.min(to_ns, duration_ns));
}

/** The log in pieces. `windows` follow each other from the beginning of the run. */
export async function* linkLogOf(
  of: LinkLogOf,
  windows: AsyncIterable<PacketWindow>,
): AsyncGenerator<string, void, undefined> {
  let held = headOf(of);
  for await (const lines of linesOf(of, windows))
    for (const line of lines) {
      held += line;
      if (held.length < PIECE_CHARACTERS) continue;
      yield held;
      held = '';
    }
  yield held;
}
