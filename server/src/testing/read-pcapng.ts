// Reads what we write as pcapng, by the draft and the RFCs alone: each block, IP and TCP or UDP header, and whether checksums are right.

export interface SeenPacket {
  readonly interface: string;
  readonly at_ns: number;
  readonly comment: string | null;
  /** On the wire; `kept`: in the file. */
  readonly bytes: number;
  readonly kept: number;
  readonly protocol: number;
  readonly ports: readonly [number, number];
  readonly ecn: number;
  readonly soundIp: boolean;
  readonly soundTransport: boolean;
  /** TCP's, else 0 and none. */
  readonly seq: number;
  readonly ack: number;
  readonly flags: number;
  readonly blocks: readonly (readonly [number, number])[];
}

export interface ReadCapture {
  readonly application: string;
  readonly comment: string;
  readonly packets: readonly SeenPacket[];
}

function optionsIn(part: Buffer): Map<number, Buffer> {
  const options = new Map<number, Buffer>();
  for (let at = 0; at < part.length;) {
    const [code, length] = [part.readUInt16LE(at), part.readUInt16LE(at + 2)];
    if (code === 0) break;
    options.set(code, part.subarray(at + 4, at + 4 + length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return options;
}

/** Of words with the sum that stands among them: all ones when it is right. */
function isSound(words: Buffer, more = 0): boolean {
  let sum = more;
  for (let at = 0; at < words.length; at += 2) sum += words.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum === 0xffff;
}

function blocksIn(options: Buffer): [number, number][] {
  for (let at = 0; at < options.length;) {
    const kind = options[at] ?? 0;
    if (kind === 0) break;
    if (kind === 1) {
      at++;
      continue;
    }
    const length = options[at + 1] ?? 0;
    if (length < 2) throw new Error(`an option of ${length} bytes`);
    if (kind === 5)
      return Array.from({ length: (length - 2) / 8 }, (_, i) => [
        options.readUInt32BE(at + 2 + 8 * i),
        options.readUInt32BE(at + 6 + 8 * i),
      ]);
    at += length;
  }
  return [];
}

function packetIn(body: Buffer, names: readonly string[]): SeenPacket {
  const kept = body.readUInt32LE(12);
  const packet = body.subarray(20, 20 + kept);
  const protocol = packet.readUInt8(9);
  const isTcp = protocol === 6;
  const total = packet.readUInt16BE(2);
  const header = isTcp ? (packet.readUInt8(32) >> 4) * 4 : 8;
  return {
    interface: names[body.readUInt32LE(0)] ?? '?',
    at_ns: body.readUInt32LE(4) * 2 ** 32 + body.readUInt32LE(8),
    comment:
      optionsIn(body.subarray(20 + Math.ceil(kept / 4) * 4))
        .get(1)
        ?.toString() ?? null,
    bytes: body.readUInt32LE(16),
    kept,
    protocol,
    ports: [packet.readUInt16BE(20), packet.readUInt16BE(22)],
    ecn: packet.readUInt8(1) & 3,
    soundIp: packet.readUInt8(0) === 0x45 && total === body.readUInt32LE(16) && isSound(packet.subarray(0, 20)),
    // Addresses, protocol and length stand before it; what is not kept is zeros.
    soundTransport: kept === 20 + header && isSound(packet.subarray(12), protocol + total - 20),
    seq: isTcp ? packet.readUInt32BE(24) : 0,
    ack: isTcp ? packet.readUInt32BE(28) : 0,
    flags: isTcp ? packet.readUInt8(33) : 0,
    blocks: isTcp ? blocksIn(packet.subarray(40, 20 + header)) : [],
  };
}

export function readPcapng(file: Buffer): ReadCapture {
  const names: string[] = [];
  const packets: SeenPacket[] = [];
  let section: Map<number, Buffer> = new Map();
  for (let at = 0; at < file.length;) {
    const [type, length] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
    if (length % 4 !== 0 || file.readUInt32LE(at + length - 4) !== length) throw new Error(`a broken block at ${at}`);
    const body = file.subarray(at + 8, at + length - 4);
    if (type === 0x0a0d0d0a) section = optionsIn(body.subarray(16));
    else if (type === 1) names.push(optionsIn(body.subarray(8)).get(2)?.toString() ?? '');
    else if (type === 6) packets.push(packetIn(body, names));
    else throw new Error(`a block of type ${type} at ${at}`);
    at += length;
  }
  const text = (code: number): string => section.get(code)?.toString() ?? '';
  return { application: text(4), comment: text(1), packets };
}
