import { describe, expect, it } from 'vitest';
import { lengthS, readPacketTrace, totalBytes } from '#analysis/packet-trace';

const text = (csv: string) => readPacketTrace(new TextEncoder().encode(csv));

/** [seconds, fraction, captured bytes, length on the link] of each packet. */
type Captured = readonly (readonly [number, number, number, number])[];

function classic(packets: Captured, { little = true, nano = false, linkType = 1 } = {}): Uint8Array {
  const size = 24 + packets.reduce((sum, [, , captured]) => sum + 16 + captured, 0);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, nano ? 0xa1b23c4d : 0xa1b2c3d4, little);
  view.setUint32(16, 65_535, little);
  view.setUint32(20, linkType, little);
  let at = 24;
  for (const packet of packets) {
    packet.forEach((word, i) => view.setUint32(at + 4 * i, word, little));
    at += 16 + packet[2];
  }
  return new Uint8Array(view.buffer);
}

function block(type: number, words: readonly number[], little = true): Uint8Array {
  const length = 12 + 4 * words.length;
  const view = new DataView(new ArrayBuffer(length));
  [type, length, ...words, length].forEach((word, i) => view.setUint32(4 * i, word, little));
  return new Uint8Array(view.buffer);
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]));

describe('a packet trace as CSV', () => {
  it('is two columns, with a heading or without, from the first packet on', () => {
    const expected = { times_ms: [0, 0.25, 1500], bytes: [1500, 60, 400] };
    expect(text('time_s,bytes\n10,1500\n10.00025,60\n11.5,400\n')).toEqual(expected);
    expect(text('# a comment\r\n0 1500\r\n0.00025 60\r\n1.5 400\r\n')).toEqual(expected);
    expect(totalBytes(expected)).toBe(1960);
    expect(lengthS(expected)).toBe(1.5);
  });

  it('may be out of order, as captures of several queues are', () => {
    expect(text('2,20\n1,10\n3,30')).toEqual({ times_ms: [0, 1000, 2000], bytes: [10, 20, 30] });
  });

  it('is refused with the line', () => {
    expect(() => text('time,size\n0,1')).toThrow('line 1: the columns must be time_s and bytes, not time and size');
    expect(() => text('0,1500\n1,many')).toThrow('line 2: many is not a whole number of bytes');
    expect(() => text('0,1500\n1,0')).toThrow('line 2: 0 is not a whole number of bytes');
    expect(() => text('0,1500,3')).toThrow('line 1: must be a time in seconds and a number of bytes');
    expect(() => text('\n')).toThrow('there is no packet in it');
    expect(() => text('0 1\n'.repeat(100_001))).toThrow('it has 100001 packets, more than 100000: cut it');
  });
});

describe('a packet trace as pcap', () => {
  const packets: Captured = [
    [1_700_000_000, 500_000, 20, 1514],
    [1_700_000_001, 0, 20, 74],
  ];

  it('counts bytes at IP level, whatever the capture kept of them, in both byte orders and resolutions', () => {
    const expected = { times_ms: [0, 500], bytes: [1500, 60] };
    expect(readPacketTrace(classic(packets))).toEqual(expected);
    expect(readPacketTrace(classic(packets, { little: false }))).toEqual(expected);
    const nano: Captured = packets.map(([s, fraction, captured, length]) => [s, fraction * 1000, captured, length]);
    expect(readPacketTrace(classic(nano, { nano: true }))).toEqual(expected);
    expect(readPacketTrace(classic(packets, { linkType: 101 })).bytes).toEqual([1514, 74]);
  });

  it('is refused when it is cut, or of an unknown link', () => {
    expect(() => readPacketTrace(classic(packets).subarray(0, -3))).toThrow('ends in the middle of a packet');
    expect(() => readPacketTrace(classic(packets, { linkType: 105 }))).toThrow('link type 105 is not known here');
  });
});

describe('a packet trace as pcapng', () => {
  const section = (little: boolean) => block(0x0a0d0d0a, [0x1a2b3c4d, 1, 0xffffffff, 0xffffffff], little);
  const packetBlock = (high: number, low: number, length: number, little: boolean) =>
    block(6, [0, high, low, 4, length, 0], little);

  it('has its own clock per interface', () => {
    for (const little of [true, false]) {
      const micro = joined([
        section(little),
        block(1, [little ? 1 : 1 << 16, 0], little),
        packetBlock(0, 1_000_000, 1514, little),
        packetBlock(0, 1_000_250, 74, little),
      ]);
      expect(readPacketTrace(micro)).toEqual({ times_ms: [0, 0.25], bytes: [1500, 60] });
    }
    const nano = joined([
      section(true),
      block(1, [1, 0, (1 << 16) | 9, 9, 0]), // if_tsresol: 10^-9
      packetBlock(1, 0, 1514, true),
      packetBlock(1, 2_000_000, 74, true),
    ]);
    expect(readPacketTrace(nano)).toEqual({ times_ms: [0, 2], bytes: [1500, 60] });
  });

  it('is refused when a block cannot be', () => {
    expect(() => readPacketTrace(joined([section(true), block(6, [0, 0, 0, 0, 0, 0])]))).toThrow('not described');
    expect(() => readPacketTrace(joined([section(true), block(1, [1, 0]), block(3, [60])]))).toThrow('have no times');
    expect(() => readPacketTrace(joined([section(true), packetBlock(0, 0, 60, true).subarray(0, 20)]))).toThrow(
      'middle',
    );
  });
});
