// What happens to the packets and acknowledgements of a run at its two ends, in the order of its time.
import type { PacketWindow } from '#protocol/packets';

type Fate = PacketWindow['packets']['fate'][number];

export interface TracedPacket {
  readonly flow: number;
  readonly number: number;
  readonly sequence: number;
  readonly bytes: number;
  readonly kind: PacketWindow['packets']['kind'][number];
  readonly fate: Fate;
  readonly ce: boolean;
  readonly copy: boolean;
  readonly sent_ns: number;
  readonly queued_ns: number | null;
  readonly departed_ns: number | null;
  readonly ended_ns: number | null;
}

export interface TracedAck {
  readonly flow: number;
  readonly cumulative: number;
  readonly sequence: number;
  readonly bytes: number;
  readonly fate: Fate;
  readonly sent_ns: number;
  readonly ended_ns: number | null;
}

export type Moment = { readonly at_ns: number } & (
  | { readonly what: 'sent'; readonly packet: TracedPacket }
  | { readonly what: 'received'; readonly packet: TracedPacket }
  | { readonly what: 'acknowledged'; readonly ack: TracedAck }
  | { readonly what: 'taken'; readonly ack: TracedAck }
);

/** What a sender does at once with taking an acknowledgement it does because of that. */
const ORDER = { taken: 0, sent: 1, received: 2, acknowledged: 3 } as const;
/** … unless no time lies between both ends. */
const TAKEN_AT_ONCE = 4;

function placeOf(moment: Moment): number {
  return moment.what === 'taken' && moment.ack.sent_ns === moment.at_ns ? TAKEN_AT_ONCE : ORDER[moment.what];
}

/** Of packets that arrive in one moment: as they had passed the link, as they were sent. */
function amongEqual(a: Moment, b: Moment): number {
  if (!('packet' in a) || !('packet' in b)) return 0;
  const departed = (a.packet.departed_ns ?? a.packet.sent_ns) - (b.packet.departed_ns ?? b.packet.sent_ns);
  if (a.what === 'received' && departed !== 0) return departed;
  return a.packet.number - b.packet.number || Number(opens(b.packet)) - Number(opens(a.packet));
}
const opens = ({ kind }: TracedPacket): boolean => kind === 'opening';

const earlier = (a: Moment, b: Moment): number =>
  a.at_ns - b.at_ns || placeOf(a) - placeOf(b) || (a.what === b.what ? amongEqual(a, b) : 0);

/** Each packet is told once, by the window in which it was sent; what happens to it later waits for its time. */
export class Moments {
  #waiting: Moment[] = [];
  #known_ns = 0;

  /** Windows follow each other from the beginning of the run. */
  add({ packets, acks }: PacketWindow, until_ns: number): void {
    for (const packet of packetsOf(packets)) {
      if (packet.sent_ns < this.#known_ns || packet.sent_ns >= until_ns) continue;
      this.#waiting.push({ at_ns: packet.sent_ns, what: 'sent', packet });
      if (packet.fate === 'received' && packet.ended_ns !== null)
        this.#waiting.push({ at_ns: packet.ended_ns, what: 'received', packet });
    }
    for (const ack of acksOf(acks)) {
      if (ack.sent_ns < this.#known_ns || ack.sent_ns >= until_ns) continue;
      this.#waiting.push({ at_ns: ack.sent_ns, what: 'acknowledged', ack });
      if (ack.fate === 'received' && ack.ended_ns !== null)
        this.#waiting.push({ at_ns: ack.ended_ns, what: 'taken', ack });
    }
    this.#known_ns = until_ns;
  }

  /** What comes before that time, and nothing of it again. */
  take(until_ns: number): Moment[] {
    const due = this.#waiting.filter(({ at_ns }) => at_ns < until_ns);
    this.#waiting = this.#waiting.filter(({ at_ns }) => at_ns >= until_ns);
    return asAcknowledged(due.sort(earlier));
  }
}

/** An acknowledgement that is written in the moment in which several packets arrive stands behind the one that has called for it. */
function asAcknowledged(moments: readonly Moment[]): Moment[] {
  const ordered: Moment[] = [];
  for (let at = 0; at < moments.length;) {
    const time = moments[at]?.at_ns;
    let end = at + 1;
    while (moments[end]?.at_ns === time) end++;
    const now = moments.slice(at, end);
    const written = now.filter((moment) => moment.what === 'acknowledged');
    for (const moment of now) {
      if (moment.what === 'acknowledged') continue;
      if (moment.what === 'taken' && placeOf(moment) === TAKEN_AT_ONCE) ordered.push(...written.splice(0));
      ordered.push(moment);
      if (moment.what !== 'received') continue;
      const answer = written.findIndex(
        ({ ack }) => ack.flow === moment.packet.flow && ack.sequence === moment.packet.sequence,
      );
      if (answer >= 0) ordered.push(...written.splice(answer, 1));
    }
    ordered.push(...written);
    at = end;
  }
  return ordered;
}

function* packetsOf(columns: PacketWindow['packets']): Generator<TracedPacket> {
  for (const [at, flow] of columns.flow.entries())
    yield {
      flow,
      number: columns.number[at] ?? 0,
      sequence: columns.sequence[at] ?? 0,
      bytes: columns.bytes[at] ?? 0,
      kind: columns.kind[at] ?? 'data',
      fate: columns.fate[at] ?? 'under_way',
      ce: columns.ce[at] ?? false,
      copy: columns.copy[at] ?? false,
      sent_ns: columns.sent_ns[at] ?? 0,
      queued_ns: columns.queued_ns[at] ?? null,
      departed_ns: columns.departed_ns[at] ?? null,
      ended_ns: columns.ended_ns[at] ?? null,
    };
}

function* acksOf(columns: PacketWindow['acks']): Generator<TracedAck> {
  for (const [at, flow] of columns.flow.entries())
    yield {
      flow,
      cumulative: columns.cumulative[at] ?? 0,
      sequence: columns.sequence[at] ?? 0,
      bytes: columns.bytes[at] ?? 0,
      fate: columns.fate[at] ?? 'under_way',
      sent_ns: columns.sent_ns[at] ?? 0,
      ended_ns: columns.ended_ns[at] ?? null,
    };
}
