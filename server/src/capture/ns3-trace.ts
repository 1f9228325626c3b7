// A run in virtual time as an ASCII trace of ns-3: node 0 sends, 1 has the link and its queue, 2 receives. Lines as ns-3.37's
// AsciiTraceHelper prints those of point-to-point devices, for the scripts that read them.
import type { PacketWindow } from '#protocol/packets';
import type { Frame } from './blocks.ts';
import type { CaptureOf } from './capture.ts';
import type { FlowFrames } from './flow-frames.ts';
import { isQuic } from './frame-of.ts';
import { FLAGS, IP_BYTES, TCP_BYTES, UDP_BYTES } from './headers.ts';
import { Moments, type Moment, type TracedPacket } from './moments.ts';
import { QuicFlow } from './quic-flow.ts';
import { KIND } from './tcp-options.ts';
import { TcpFlow } from './tcp-flow.ts';

interface Line {
  readonly at_ns: number;
  readonly text: string;
}

const PIECE_CHARACTERS = 64 * 1024;
const TCP_PROTOCOL = 6;

type What = '+' | '-' | 'd' | 'r';
const PLACE: Readonly<Record<What, string>> = {
  '+': 'TxQueue/Enqueue',
  '-': 'TxQueue/Dequeue',
  d: 'TxQueue/Drop',
  r: 'MacRx',
};
/** Towards the sender, and of the link's node towards the receiver. */
const DEVICE = { sender: [0, 1], before: [1, 1], link: [1, 2], receiver: [2, 1] } as const;
/** The same at both ends, whatever a capture has. */
const ADDRESSES = ['10.1.1.1', '10.1.2.2'] as const;

const lineOf = (
  what: What,
  at_ns: number,
  [node, device]: (typeof DEVICE)[keyof typeof DEVICE],
  packet: string,
): Line => ({
  at_ns,
  text: `${what} ${secondsOf(at_ns)} /NodeList/${node}/DeviceList/${device}/$ns3::PointToPointNetDevice/${PLACE[what]} ${packet}\n`,
});

/** To the nanosecond, without what a double would add. */
function secondsOf(ns: number): string {
  const digits = String(ns).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

const ECN = ['Not-ECT', 'ECT(1)', 'ECT(0)', 'CE'] as const;

/** A packet as ns-3 prints it: of what is kept of it, header by header. */
function printed({ headers, bytes }: Frame, back: boolean): string {
  const view = Buffer.from(headers);
  const [from, to] = back ? [ADDRESSES[1], ADDRESSES[0]] : ADDRESSES;
  const [tos, protocol] = [view.readUInt8(1), view.readUInt8(9)];
  const ip =
    `ns3::Ipv4Header (tos 0x${tos.toString(16)} DSCP Default ECN ${ECN[tos & 3] ?? ''} ttl ${view.readUInt8(8)} id ${view.readUInt16BE(4)} ` +
    `protocol ${protocol} offset (bytes) 0 flags [DF] length: ${bytes} ${from} > ${to})`;
  const [port, other] = [view.readUInt16BE(IP_BYTES), view.readUInt16BE(IP_BYTES + 2)];
  const transport =
    protocol === TCP_PROTOCOL
      ? `ns3::TcpHeader (${port} > ${other} [${flagsOf(view)}] Seq=${view.readUInt32BE(24)} Ack=${view.readUInt32BE(28)} Win=${view.readUInt16BE(34)}${optionsOf(view)})`
      : `ns3::UdpHeader (length: ${bytes - IP_BYTES} ${port} > ${other})`;
  const payload = bytes - (protocol === TCP_PROTOCOL ? view.length : IP_BYTES + UDP_BYTES);
  return `ns3::PppHeader (Point-to-Point Protocol: IP (0x0021)) ${ip} ${transport}${payload > 0 ? ` Payload (size=${payload})` : ''}`;
}

function flagsOf(view: Buffer): string {
  const flags = view.readUInt8(33);
  return [...(flags & FLAGS.syn ? ['SYN'] : []), ...(flags & FLAGS.ack ? ['ACK'] : [])].join('|');
}

function optionsOf(view: Buffer): string {
  let text = '';
  for (let at = IP_BYTES + TCP_BYTES; at < view.length;) {
    const kind = view.readUInt8(at);
    const length = kind === KIND.nothing ? 1 : view.readUInt8(at + 1);
    text += optionOf(kind, view.subarray(at, at + length));
    at += length;
  }
  return text;
}

function optionOf(kind: number, option: Buffer): string {
  switch (kind) {
    case KIND.timestamps:
      return ` ns3::TcpOptionTS(${option.readUInt32BE(2)};${option.readUInt32BE(6)})`;
    case KIND.scale:
      return ` ns3::TcpOptionWinScale(${option.readUInt8(2)})`;
    case KIND.selective:
      return ' ns3::TcpOptionSackPermitted([sack_perm])';
    case KIND.blocks: {
      const count = (option.length - 2) / 8;
      const blocks = Array.from(
        { length: count },
        (_, i) => `[${option.readUInt32BE(2 + 8 * i)},${option.readUInt32BE(6 + 8 * i)}]`,
      );
      return ` ns3::TcpOptionSack(blocks: ${count},${blocks.join('')})`;
    }
    default:
      return '';
  }
}

/** What becomes of a packet that sets out, but for its arrival. A copy is seen where it arrives. */
function* wayOf(packet: TracedPacket, frame: Frame | null): Generator<Line> {
  if (frame === null) return;
  const text = printed(frame, false);
  yield lineOf('+', packet.sent_ns, DEVICE.sender, text);
  yield lineOf('-', packet.sent_ns, DEVICE.sender, text);
  const dropped = packet.fate === 'dropped' ? packet.ended_ns : null;
  const queued = packet.queued_ns ?? dropped;
  if (queued === null) return;
  yield lineOf('r', queued, DEVICE.before, text);
  if (dropped !== null && packet.queued_ns === null) yield lineOf('d', dropped, DEVICE.link, text);
  else {
    yield lineOf('+', queued, DEVICE.link, text);
    if (dropped !== null) yield lineOf('d', dropped, DEVICE.link, text);
    if (packet.departed_ns !== null) yield lineOf('-', packet.departed_ns, DEVICE.link, text);
  }
}

function linesOf(flows: readonly FlowFrames[], moment: Moment): Iterable<Line> {
  const { at_ns } = moment;
  const flow = flows['packet' in moment ? moment.packet.flow : moment.ack.flow];
  if (flow === undefined) return [];
  if (moment.what === 'sent') return wayOf(moment.packet, flow.sent(moment.packet));
  if (moment.what === 'received')
    return [lineOf('r', at_ns, DEVICE.receiver, printed(flow.received(moment.packet, at_ns), false))];
  if (moment.what === 'taken') return [lineOf('r', at_ns, DEVICE.sender, printed(flow.taken(moment.ack, at_ns), true))];
  const text = printed(flow.acknowledged(moment.ack), true);
  return [lineOf('+', at_ns, DEVICE.receiver, text), lineOf('-', at_ns, DEVICE.receiver, text)];
}

/** The trace in pieces. `windows` follow each other from the beginning of the run. */
export async function* ns3TraceOf(
  { from_ns, to_ns, manifest }: CaptureOf,
  windows: AsyncIterable<PacketWindow>,
): AsyncGenerator<string, void, undefined> {
  const flows = manifest.flows.map((flow, at) => (isQuic(flow) ? new QuicFlow(at, flow) : new TcpFlow(at, flow)));
  const moments = new Moments();
  let waiting: Line[] = [];
  let held = '';
  for await (const window of windows) {
    const told = Math.min(window.to_ns, window.complete_until_ns);
    moments.add(window, told);
    // What happens as the run ends belongs to it.
    const until = Math.min(told < manifest.duration_s * 1e9 ? told : Infinity, to_ns);
    for (const moment of moments.take(until)) waiting.push(...linesOf(flows, moment));
    waiting.sort((a, b) => a.at_ns - b.at_ns);
    const due = waiting.findIndex(({ at_ns }) => at_ns >= until);
    const lines = due < 0 ? waiting : waiting.slice(0, due);
    waiting = due < 0 ? [] : waiting.slice(due);
    for (const { at_ns, text } of lines) {
      if (at_ns < from_ns) continue;
      held += text;
      if (held.length < PIECE_CHARACTERS) continue;
      yield held;
      held = '';
    }
  }
  yield held;
}
