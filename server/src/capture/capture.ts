// A run in virtual time as a packet capture: what Wireshark, tshark, tcptrace and scapy would have seen at its two ends.
import type { PacketWindow } from '#protocol/packets';
import type { RunManifest } from '#protocol/manifest';
import { enhancedPacket, interfaceDescription, sectionHeader, type Frame } from './blocks.ts';
import type { FlowFrames } from './flow-frames.ts';
import { isQuic, PLACES, portOf } from './frame-of.ts';
import { Moments, type Moment } from './moments.ts';
import { QuicFlow } from './quic-flow.ts';
import { TcpFlow } from './tcp-flow.ts';

export interface CaptureOf {
  readonly run: string;
  /** The engine that makes it again. */
  readonly engine_version: string;
  readonly manifest: Pick<RunManifest, 'flows' | 'duration_s'>;
  /** What is written of it; all of it up to Infinity. */
  readonly from_ns: number;
  readonly to_ns: number;
}

const PIECE_BYTES = 64 * 1024;

const headOf = ({ run, engine_version, manifest: { flows } }: CaptureOf): Buffer[] => [
  sectionHeader(
    `Paceline ${engine_version}`,
    [
      `Run ${run}, made again in virtual time. Times are since it began; of each packet the headers.`,
      ...flows.map(
        (flow, at) =>
          `Flow ${at}: ${flow.cca.id} over ${isQuic(flow) ? 'QUIC (UDP)' : 'TCP'}, from port ${portOf(at)}.`,
      ),
    ].join('\n'),
  ),
  ...PLACES.map(({ name, description }) => interfaceDescription(name, description)),
];

function seen(flows: readonly FlowFrames[], moment: Moment): Frame | null {
  const { at_ns } = moment;
  if ('packet' in moment) {
    const flow = flows[moment.packet.flow];
    if (flow === undefined) return null;
    return moment.what === 'sent' ? flow.sent(moment.packet) : flow.received(moment.packet, at_ns);
  }
  const flow = flows[moment.ack.flow];
  if (flow === undefined) return null;
  return moment.what === 'acknowledged' ? flow.acknowledged(moment.ack) : flow.taken(moment.ack, at_ns);
}

/** The file in pieces. `windows` follow each other from the beginning of the run: what an acknowledgement says stands on all that came before. */
export async function* captureOf(
  of: CaptureOf,
  windows: AsyncIterable<PacketWindow>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { from_ns, to_ns, manifest } = of;
  const flows = manifest.flows.map((flow, at) => (isQuic(flow) ? new QuicFlow(at, flow) : new TcpFlow(at, flow)));
  const moments = new Moments();
  let held = headOf(of);
  let bytes = 0;
  for await (const window of windows) {
    const until = Math.min(window.to_ns, window.complete_until_ns);
    moments.add(window, until);
    // What arrives as the run ends belongs to it.
    const known = until < manifest.duration_s * 1e9 ? until : Infinity;
    for (const moment of moments.take(Math.min(known, to_ns))) {
      const frame = seen(flows, moment);
      if (frame === null || frame.at_ns < from_ns) continue;
      const written = enhancedPacket(frame);
      held.push(written);
      bytes += written.length;
      if (bytes < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      [held, bytes] = [[], 0];
    }
  }
  yield Buffer.concat(held);
}
