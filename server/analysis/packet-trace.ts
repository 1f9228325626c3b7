// When an application wrote how much, from a recording: CSV (`time_s,bytes`), pcap or pcapng. Times count from the first packet.
import { isPcap, PacketTraceFault, readPcap, type Written } from '#analysis/pcap';

export { PacketTraceFault } from '#analysis/pcap';

/** As in the source `replay` of a spec. */
export interface PacketTrace {
  readonly times_ms: number[];
  readonly bytes: number[];
}

export const MOST_PACKETS = 100_000;

export function readPacketTrace(file: Uint8Array): PacketTrace {
  const written = isPcap(file) ? readPcap(file) : readCsv(new TextDecoder().decode(file));
  const [first] = written;
  if (first === undefined) throw new PacketTraceFault('there is no packet in it');
  if (written.length > MOST_PACKETS)
    throw new PacketTraceFault(`it has ${written.length} packets, more than ${MOST_PACKETS}: cut it`);
  const sorted = written.toSorted((a, b) => a.time_s - b.time_s);
  const start = sorted[0]?.time_s ?? first.time_s;
  return {
    // To the microsecond, as captures have it.
    times_ms: sorted.map(({ time_s }) => Math.round((time_s - start) * 1e6) / 1e3),
    bytes: sorted.map(({ bytes }) => bytes),
  };
}

function readCsv(text: string): Written[] {
  const written: Written[] = [];
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const cells = line.trim().split(/[,;\t ]+/);
    const [time_s, bytes] = cells.map(Number);
    const heading = written.length === 0 && cells.every((cell) => cell !== '' && Number.isNaN(Number(cell)));
    if (heading) {
      if (cells[0] !== 'time_s' || cells[1] !== 'bytes')
        throw new PacketTraceFault(`line ${i + 1}: the columns must be time_s and bytes, not ${cells.join(' and ')}`);
      return;
    }
    if (cells.length !== 2 || time_s === undefined || bytes === undefined || !Number.isFinite(time_s))
      throw new PacketTraceFault(`line ${i + 1}: must be a time in seconds and a number of bytes`);
    if (!Number.isInteger(bytes) || bytes < 1)
      throw new PacketTraceFault(`line ${i + 1}: ${cells[1] ?? ''} is not a whole number of bytes`);
    written.push({ time_s, bytes });
  });
  return written;
}

export const totalBytes = ({ bytes }: PacketTrace): number => bytes.reduce((sum, size) => sum + size, 0);
export const lengthS = ({ times_ms }: PacketTrace): number => (times_ms.at(-1) ?? 0) / 1e3;
