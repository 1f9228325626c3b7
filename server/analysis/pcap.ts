// Times and lengths of the packets of a capture: classic pcap (micro- and nanoseconds, both byte orders) and pcapng. Lengths are
// those at IP level, as everywhere here, also of packets of which the capture kept only the head.

/** Says what is wrong with a recording, and where. */
export class PacketTraceFault extends Error {}

export interface Written {
  readonly time_s: number;
  readonly bytes: number;
}

const PCAP_MICRO = 0xa1b2c3d4;
const PCAP_NANO = 0xa1b23c4d;
const SECTION = 0x0a0d0d0a;
const BYTE_ORDER = 0x1a2b3c4d;
const INTERFACE = 1;
const ENHANCED_PACKET = 6;
const SIMPLE_PACKET = 3;
const TIME_RESOLUTION = 9;

/** Bytes before the IP header, by link type (tcpdump.org/linktypes.html). */
const LINK_HEADER: ReadonlyMap<number, number> = new Map([
  [0, 4], // BSD loopback
  [1, 14], // Ethernet
  [12, 0], // raw IP, as some systems number it
  [101, 0], // raw IP
  [108, 4], // OpenBSD loopback
  [113, 16], // Linux cooked
  [228, 0], // IPv4
  [229, 0], // IPv6
  [276, 20], // Linux cooked, version 2
]);

function headerOf(linkType: number): number {
  const header = LINK_HEADER.get(linkType);
  if (header === undefined)
    throw new PacketTraceFault(
      `the capture's link type ${linkType} is not known here: Ethernet, raw IP and Linux “any” are`,
    );
  return header;
}

const viewOf = (file: Uint8Array): DataView => new DataView(file.buffer, file.byteOffset, file.byteLength);

export function isPcap(file: Uint8Array): boolean {
  if (file.byteLength < 12) return false;
  const view = viewOf(file);
  const words = [view.getUint32(0, true), view.getUint32(0, false)];
  return words.some((word) => word === PCAP_MICRO || word === PCAP_NANO || word === SECTION);
}

export function readPcap(file: Uint8Array): Written[] {
  const view = viewOf(file);
  try {
    return view.getUint32(0, true) === SECTION ? pcapng(view) : classic(view);
  } catch (error) {
    if (error instanceof RangeError) throw new PacketTraceFault('the capture ends in the middle of a packet');
    throw error;
  }
}

function packet(time_s: number, length: number, header: number): Written[] {
  return length > header ? [{ time_s, bytes: length - header }] : [];
}

function classic(view: DataView): Written[] {
  const little = [PCAP_MICRO, PCAP_NANO].includes(view.getUint32(0, true));
  const unit = view.getUint32(0, little) === PCAP_NANO ? 1e-9 : 1e-6;
  const header = headerOf(view.getUint32(20, little) & 0x0fffffff);
  const written: Written[] = [];
  for (let at = 24; at < view.byteLength;) {
    const time_s = view.getUint32(at, little) + view.getUint32(at + 4, little) * unit;
    const captured = view.getUint32(at + 8, little);
    written.push(...packet(time_s, view.getUint32(at + 12, little), header));
    at += 16 + captured;
    if (at > view.byteLength) throw new RangeError();
  }
  return written;
}

interface Interface {
  readonly header: number;
  readonly unit: number;
}

function pcapng(view: DataView): Written[] {
  const written: Written[] = [];
  let little = true;
  let interfaces: Interface[] = [];
  for (let at = 0; at + 12 <= view.byteLength;) {
    const type = view.getUint32(at, little);
    if (type === SECTION) {
      little = view.getUint32(at + 8, true) === BYTE_ORDER;
      interfaces = [];
    }
    const length = view.getUint32(at + 4, little);
    if (length < 12 || length % 4 !== 0) throw new PacketTraceFault(`the block at byte ${at} has the length ${length}`);
    if (at + length > view.byteLength) throw new RangeError();
    if (type === INTERFACE)
      interfaces.push({ header: headerOf(view.getUint16(at + 8, little)), unit: timeUnit(view, at, length, little) });
    if (type === SIMPLE_PACKET) throw new PacketTraceFault('its packets have no times');
    if (type === ENHANCED_PACKET) {
      const on = interfaces[view.getUint32(at + 8, little)];
      if (on === undefined)
        throw new PacketTraceFault(`the packet at byte ${at} is of an interface that is not described`);
      const ticks = view.getUint32(at + 12, little) * 2 ** 32 + view.getUint32(at + 16, little);
      written.push(...packet(ticks * on.unit, view.getUint32(at + 24, little), on.header));
    }
    at += length;
  }
  return written;
}

/** Seconds of a tick: the option if_tsresol, else a microsecond. */
function timeUnit(view: DataView, block: number, length: number, little: boolean): number {
  for (let at = block + 16; at + 4 <= block + length - 4;) {
    const [code, size] = [view.getUint16(at, little), view.getUint16(at + 2, little)];
    if (code === 0) break;
    if (code === TIME_RESOLUTION) {
      const value = view.getUint8(at + 4);
      return value & 0x80 ? 2 ** -(value & 0x7f) : 10 ** -value;
    }
    at += 4 + Math.ceil(size / 4) * 4;
  }
  return 1e-6;
}
