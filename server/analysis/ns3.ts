// ASCII traces of ns-3 (its AsciiTraceHelper): a line for each packet that enters a device's queue (+), leaves it (-), is dropped (d),
// goes out by radio (t) or arrives (r). Told of each TCP or UDP flow over IPv4: what arrives where it ends, and of TCP what its sender can
// tell of round trips.
import { endOf, periodOf, Points, rateRows, stateRows } from '#analysis/imported-events';
import { checkBounds, durationOf, importedOf, ImportRefused, labelText, seriesOf } from '#analysis/imported-series';
import { MOST_IMPORTED_FLOWS, MOST_IMPORTED_S } from '#protocol/imported';
import type { Imported, ImportedFlow, ImportedQuantity } from '#protocol/imported';

const EVENT = /^([+\-drt]) (\d[\d.e+-]*) \/NodeList\/(\d+)\/DeviceList\/(\d+)\//;
const ADDRESSES = / length: (\d+) (\d+\.\d+\.\d+\.\d+) > (\d+\.\d+\.\d+\.\d+)\)/;
const TCP = /ns3::TcpHeader \((\d+) > (\d+) \[([A-Z|]*)\] Seq=(\d+) Ack=(\d+)/;
const UDP = /ns3::UdpHeader \(length: \d+ (\d+) > (\d+)\)/;
/** Its own clock, and what it echoes. */
const STAMPS = /ns3::TcpOptionTS\((\d+);(\d+)\)/;
const PAYLOAD = /Payload (?:\(size=(\d+)\)|Fragment \[(\d+):(\d+)\])/g;

const SENDS: ReadonlySet<string> = new Set(['+', 't']);

/** A line names every header of its packet; no device prints more. */
const MOST_LINE = 4096;
/** Directions: each flow has two. */
const MOST_DIRECTIONS = 2 * MOST_IMPORTED_FLOWS;
const MOST_NODES = 1024;
/** Of the segments that are acknowledged, before they are let go. */
const MOST_SETTLED = 4096;
/** SYN is 0. */
const FIRST_BYTE = 1;

/** It begins as such a trace does. */
export const isNs3 = (text: string): boolean => EVENT.test(text.slice(0, 256));

interface Segment {
  readonly end: number;
  readonly sent_s: number;
}

/** What a node has had of a direction. */
class NodeSight {
  /** Bytes of the IP packets that arrived. */
  readonly received = new Points();
  sends = false;
  bytes = 0;
}

/** Packets from one port to another. */
class Direction {
  readonly from: string;
  readonly to: string;
  readonly nodes = new Map<number, NodeSight>();
  readonly rtt_ms = new Points();
  readonly inflight = new Points();
  dropped = 0;
  #outstanding: Segment[] = [];
  /** Of what is outstanding: those before it are acknowledged. */
  #first = 0;
  #highest = FIRST_BYTE;
  #acknowledged = FIRST_BYTE;
  /** The end of what was sent more than once. */
  #repeated = 0;
  /** When the sender's clock first said so. */
  readonly #stamped = new Map<number, number>();
  #largest = { ip: 0, payload: 0 };

  constructor(from: string, to: string) {
    [this.from, this.to] = [from, to];
  }

  at(node: number): NodeSight {
    let sight = this.nodes.get(node);
    if (sight === undefined) this.nodes.set(node, (sight = new NodeSight()));
    return sight;
  }

  /** Bytes of IP for each that TCP carries, by the largest segment. */
  get wire(): number {
    const { ip, payload } = this.#largest;
    return payload === 0 ? 1 : ip / payload;
  }

  sent(time: number, { seq, payload, stamp }: Segmented, ip: number): void {
    const end = seq + payload;
    if (stamp !== null && !this.#stamped.has(stamp)) this.#stamped.set(stamp, time);
    if (payload > this.#largest.payload) this.#largest = { ip, payload };
    if (end > this.#highest) {
      this.#highest = end;
      this.#outstanding.push({ end, sent_s: time });
    } else this.#repeated = Math.max(this.#repeated, end);
    this.#under(time);
  }

  /** Where something of what was acknowledged had been sent twice, only what the receiver echoes tells which of them it is (Karn). */
  acknowledged(time: number, { ack: upTo, echo }: Segmented): void {
    if (upTo <= this.#acknowledged) return;
    let newest: Segment | undefined;
    for (; (this.#outstanding[this.#first]?.end ?? Infinity) <= upTo; this.#first++)
      newest = this.#outstanding[this.#first];
    if (this.#first > MOST_SETTLED) {
      this.#outstanding = this.#outstanding.slice(this.#first);
      this.#first = 0;
    }
    const echoed = echo === null ? undefined : this.#stamped.get(echo);
    const sent_s = this.#acknowledged >= this.#repeated ? newest?.sent_s : echoed;
    if (sent_s !== undefined) this.rtt_ms.add(time, (time - sent_s) * 1e3);
    this.#acknowledged = upTo;
    this.#under(time);
  }

  #under(time: number): void {
    this.inflight.add(time, Math.max(0, this.#highest - this.#acknowledged));
  }
}

interface Segmented {
  readonly flags: string;
  readonly seq: number;
  readonly ack: number;
  readonly payload: number;
  readonly stamp: number | null;
  readonly echo: number | null;
}

/** A packet as a line tells it. */
interface Seen {
  readonly what: string;
  readonly time: number;
  readonly node: number;
  readonly bytes: number;
  readonly direction: Direction;
  readonly back: Direction;
  readonly tcp: Segmented | null;
}

function payloadOf(line: string): number {
  let bytes = 0;
  for (const [, whole, begin, end] of line.matchAll(PAYLOAD))
    bytes += whole === undefined ? Number(end) - Number(begin) : Number(whole);
  return Math.max(0, bytes);
}

function segmented([, , , flags = '', seq, ack]: RegExpExecArray, line: string): Segmented {
  const stamps = STAMPS.exec(line);
  return {
    ...{ flags, seq: Number(seq), ack: Number(ack), payload: payloadOf(line) },
    stamp: stamps === null ? null : Number(stamps[1]),
    echo: stamps === null ? null : Number(stamps[2]),
  };
}

export class Ns3Trace {
  readonly #directions = new Map<string, Direction>();
  readonly #seen = new Set<number>();
  #last = 0;
  #others = 0;
  /** What a TCP packet's two nodes do with it cannot be told before all is read: a router has it, too. */
  readonly #segments: Seen[] = [];

  /** Throws ImportRefused. */
  add(line: string, where: () => string): void {
    if (line.trim() === '') return;
    if (line.length > MOST_LINE)
      throw new ImportRefused(`a line may have ${MOST_LINE} characters, not ${line.length}`, where());
    const event = EVENT.exec(line);
    if (event === null) throw new ImportRefused('not a line of an ASCII trace of ns-3', where());
    const [, what = '', at, node] = event;
    const time = Number(at);
    if (!(time <= MOST_IMPORTED_S))
      throw new ImportRefused(`a time of ${at} s is not between 0 and ${MOST_IMPORTED_S}`, where());
    if (time < this.#last) throw new ImportRefused(`the time ${time} s is before the one before it`, where());
    this.#last = time;
    const seen = this.#packet(line, what, time, Number(node), where);
    if (seen === null) this.#others++;
    else this.#note(seen);
  }

  #packet(line: string, what: string, time: number, node: number, where: () => string): Seen | null {
    const header = line.indexOf('ns3::Ipv4Header (');
    const ip = header < 0 ? null : ADDRESSES.exec(line.slice(header));
    const tcp = ip === null ? null : TCP.exec(line);
    const ports = tcp ?? UDP.exec(line);
    if (ip === null || ports === null) return null;
    const [from, to] = [`${ip[2]}:${ports[1]}`, `${ip[3]}:${ports[2]}`];
    const protocol = tcp === null ? 'UDP' : 'TCP';
    this.#seen.add(node);
    if (this.#seen.size > MOST_NODES) throw new ImportRefused(`it has more than ${MOST_NODES} nodes`, where());
    return {
      ...{ what, time, node, bytes: Number(ip[1]) },
      direction: this.#direction(protocol, from, to, where),
      back: this.#direction(protocol, to, from, where),
      tcp: tcp === null ? null : segmented(tcp, line),
    };
  }

  #direction(protocol: string, from: string, to: string, where: () => string): Direction {
    const key = `${protocol} ${from} ${to}`;
    let direction = this.#directions.get(key);
    if (direction === undefined) {
      if (this.#directions.size >= MOST_DIRECTIONS)
        throw new ImportRefused(`it holds more than ${MOST_IMPORTED_FLOWS} flows`, where());
      this.#directions.set(key, (direction = new Direction(from, to)));
    }
    return direction;
  }

  #note(seen: Seen): void {
    const { what, time, node, bytes, direction, tcp } = seen;
    const sight = direction.at(node);
    if (SENDS.has(what)) sight.sends = true;
    if (what === 'd') direction.dropped++;
    if (what === 'r') {
      sight.received.add(time, bytes);
      sight.bytes += bytes;
    }
    if (tcp !== null && (SENDS.has(what) || what === 'r')) this.#segments.push(seen);
  }

  done(): Imported {
    const flows: { readonly flow: ImportedFlow; readonly notes: readonly string[] }[] = [];
    this.#roundTrips();
    const taken = new Set<Direction>();
    for (const [key, direction] of this.#directions) {
      if (taken.has(direction)) continue;
      const back = this.#directions.get(`${key.slice(0, 3)} ${direction.to} ${direction.from}`) ?? direction;
      taken.add(back);
      flows.push(...flowOf(key.slice(0, 3), carrier(direction, back)));
      checkBounds(flows.map(({ flow }) => flow));
    }
    return importedOf({
      form: 'ns3',
      version: null,
      title: null,
      started_at: null,
      duration_s: durationOf(flows.map(({ flow }) => flow)),
      flows: flows.map(({ flow }) => flow),
      notes: [
        'Rates are of IP packets that arrived at the node where the flow ends, by their length with IP header.',
        ...flows.flatMap(({ notes }) => notes),
        ...(this.#others > 0
          ? [`${this.#others} lines of packets that are neither TCP nor UDP over IPv4 are left out.`]
          : []),
      ],
    });
  }

  #roundTrips(): void {
    const origins = new Map([...this.#directions.values()].map((one) => [one, originOf(one)]));
    for (const { what, time, node, bytes, direction, back, tcp } of this.#segments) {
      if (tcp === null) continue;
      if (SENDS.has(what) && tcp.payload > 0 && origins.get(direction) === node) direction.sent(time, tcp, bytes);
      if (what === 'r' && tcp.flags.includes('ACK') && origins.get(back) === node) back.acknowledged(time, tcp);
    }
  }
}

const arrived = (direction: Direction): number =>
  Math.max(0, ...[...direction.nodes.values()].map(({ bytes }) => bytes));

/** The one with more data; the other only acknowledges. */
const carrier = (one: Direction, other: Direction): Direction => (arrived(other) > arrived(one) ? other : one);

/** Where it sets out: a node that sends it and never receives it. */
function originOf({ nodes }: Direction): number | null {
  for (const [node, { sends, bytes }] of nodes) if (sends && bytes === 0) return node;
  return null;
}

/** Where it ends: of the nodes that receive it and do not send it on the one with the most of it; others only listen. */
function endOfWay({ nodes }: Direction): NodeSight | null {
  const ends = [...nodes.values()].filter(({ sends, bytes }) => !sends && bytes > 0);
  return ends.toSorted((a, b) => b.bytes - a.bytes)[0] ?? null;
}

function flowOf(
  protocol: string,
  direction: Direction,
): { readonly flow: ImportedFlow; readonly notes: readonly string[] }[] {
  const end = endOfWay(direction);
  if (end === null) return [];
  const label = labelText(`${protocol} ${direction.from} > ${direction.to}`);
  const held = { rtt_ms: direction.rtt_ms, inflight_bytes: direction.inflight } as const;
  const lasts = endOf([end.received, ...Object.values(held)]);
  const period = periodOf(lasts);
  const where = (row: number): string => `${label}, ${((row + 1) * period).toFixed(2)} s`;
  const states = (Object.entries(held) as [ImportedQuantity, Points][]).flatMap(([quantity, points]) =>
    points.times.length === 0
      ? []
      : [
          seriesOf(
            quantity,
            stateRows(points, { period, end: lasts, factor: quantity === 'rtt_ms' ? 1 : direction.wire }),
            where,
          ),
        ],
  );
  return [
    {
      flow: {
        label,
        cca: null,
        series: [seriesOf('throughput_mbps', rateRows(end.received, period), where), ...states],
      },
      notes: [
        ...(direction.inflight.times.length === 0
          ? []
          : [
              `${label}: bytes in flight are those sent and not yet acknowledged up to there; round trips are of segments that were sent once, else of the times that the receiver echoes.`,
            ]),
        ...(direction.dropped === 0
          ? []
          : [`${label}: ${direction.dropped} packets were dropped by queues of devices.`]),
      ],
    },
  ];
}
