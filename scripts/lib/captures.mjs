/**
 * Packet captures from text, a packet a line: `0.0004 udp 10.0.0.1:5000 > 10.0.0.2:5001 1500` (seconds, protocol, from, to, bytes
 * with the IP header); `0.001 arp` is something that is not IP. Only headers are captured.
 *
 * @typedef {'pcap' | 'pcap-ns' | 'pcap-swapped' | 'pcapng'} CaptureForm
 * @typedef {{ at_s: number, frame: Buffer, wire: number }} Captured
 */

/** DLT_… numbers, and what is before the IP header. */
const LINKS = {
  ethernet: { number: 1, header: (/** @type {number} */ type) => Buffer.concat([Buffer.alloc(12, 1), u16(type)]) },
  cooked: { number: 113, header: (/** @type {number} */ type) => Buffer.concat([Buffer.alloc(14), u16(type)]) },
  raw: { number: 101, header: () => Buffer.alloc(0) },
};
const PROTOCOLS = new Map([
  ['udp', 17],
  ['tcp', 6],
]);
const V4 = 0x0800;
const V6 = 0x86dd;
const ARP = 0x0806;

/** @param {number} value big endian, as on the wire */
function u16(value) {
  const out = Buffer.alloc(2);
  out.writeUInt16BE(value);
  return out;
}

/** @param {string} text */
function address(text) {
  if (text.includes('.')) return Buffer.from(text.split('.').map(Number));
  const [left = '', right = ''] = text.split('::');
  const words = (/** @type {string} */ side) => side.split(':').filter((word) => word !== '');
  const zeros = Array.from({ length: 8 - words(left).length - words(right).length }, () => '0');
  return Buffer.concat([...words(left), ...zeros, ...words(right)].map((word) => u16(Number.parseInt(word, 16))));
}

/** @param {string} end `10.0.0.1:5000` or `[fd00::1]:5000` */
function endOf(end) {
  const colon = end.lastIndexOf(':');
  return { host: address(end.slice(0, colon).replace(/^\[|\]$/g, '')), port: Number(end.slice(colon + 1)) };
}

/**
 * @param {string} protocol
 * @param {string} from
 * @param {string} to
 * @param {number} bytes
 */
function ipPacket(protocol, from, to, bytes) {
  const [source, destination] = [endOf(from), endOf(to)];
  const v6 = source.host.length === 16;
  const number = PROTOCOLS.get(protocol) ?? 0;
  const head = Buffer.alloc(v6 ? 8 : 12);
  if (v6) {
    head.writeUInt8(0x60);
    head.writeUInt16BE(bytes - 40, 4);
    head.writeUInt8(number, 6);
  } else {
    head.writeUInt8(0x45);
    head.writeUInt16BE(bytes, 2);
    head.writeUInt8(number, 9);
  }
  return {
    type: v6 ? V6 : V4,
    ip: Buffer.concat([head, source.host, destination.host, u16(source.port), u16(destination.port)]),
  };
}

/**
 * @param {string} text
 * @param {keyof typeof LINKS} link
 * @returns {Captured[]}
 */
function packetsOf(text, link) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [at = '', protocol = '', from = '', , to = '', bytes = ''] = line.trim().split(/\s+/);
    const { type, ip } =
      protocol === 'arp' ? { type: ARP, ip: Buffer.alloc(28) } : ipPacket(protocol, from, to, Number(bytes));
    const header = LINKS[link].header(type);
    const wire = header.length + (protocol === 'arp' ? ip.length : Number(bytes));
    return { at_s: Number(at), frame: Buffer.concat([header, ip]), wire };
  });
}

/**
 * @param {readonly number[]} words
 * @param {boolean} [little]
 */
function u32(words, little = true) {
  const out = Buffer.alloc(4 * words.length);
  words.forEach((word, i) => (little ? out.writeUInt32LE(word >>> 0, 4 * i) : out.writeUInt32BE(word >>> 0, 4 * i)));
  return out;
}

/**
 * @param {string} text
 * @param {CaptureForm} [form]
 * @param {keyof typeof LINKS} [link]
 */
export function capture(text, form = 'pcap', link = 'ethernet') {
  const packets = packetsOf(text, link);
  return form === 'pcapng' ? pcapng(packets, LINKS[link].number) : pcap(packets, form, LINKS[link].number);
}

/**
 * @param {readonly Captured[]} packets
 * @param {CaptureForm} form
 * @param {number} link
 */
function pcap(packets, form, link) {
  const little = form !== 'pcap-swapped';
  const unit = form === 'pcap-ns' ? 1e9 : 1e6;
  const version = little ? 4 * 65_536 + 2 : 2 * 65_536 + 4;
  /** @type {Buffer[]} */
  const parts = [u32([form === 'pcap-ns' ? 0xa1b23c4d : 0xa1b2c3d4, version, 0, 0, 65_535, link], little)];
  for (const { at_s, frame, wire } of packets) {
    const ticks = Math.round(at_s * unit);
    parts.push(u32([Math.floor(ticks / unit), ticks % unit, frame.length, wire], little), frame);
  }
  return Buffer.concat(parts);
}

/**
 * @param {readonly Captured[]} packets
 * @param {number} link
 */
function pcapng(packets, link) {
  const block = (/** @type {number} */ type, /** @type {Buffer} */ body) => {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
    return Buffer.concat([u32([type, padded.length + 12]), padded, u32([padded.length + 12])]);
  };
  /** @type {Buffer[]} */
  const parts = [block(0x0a0d0d0a, u32([0x1a2b3c4d, 1, 0xffffffff, 0xffffffff])), block(1, u32([link, 65_535]))];
  for (const { at_s, frame, wire } of packets) {
    const ticks = Math.round(at_s * 1e6);
    const words = u32([0, Math.floor(ticks / 2 ** 32), ticks % 2 ** 32, frame.length, wire]);
    parts.push(block(6, Buffer.concat([words, frame])));
  }
  return Buffer.concat(parts);
}
