import { Replay } from '#protocol/source';
import { plainLine, shortened } from '#protocol/text';
import { packetsIn, TraceRefused, type TraceOptions } from './traces.ts';

const LONGEST_NAME = 200;

/** A recording that cannot be read: the line and the reason. */
export class RecordingRefused extends Error {
  override readonly name = 'RecordingRefused';
}

/**
 * When an application wrote how much: from a table of `time_s,bytes`, pcap or pcapng, plain or packed. Times count from the first packet,
 * lengths are those at IP level. Throws RecordingRefused.
 */
export async function readRecording(file: string, name: string, options: TraceOptions = {}): Promise<Replay> {
  try {
    const packets = (await packetsIn(file, options)) as object;
    return Replay.parse({ kind: 'replay', name: shortened(plainLine(name), LONGEST_NAME), ...packets });
  } catch (error) {
    if (!(error instanceof TraceRefused)) throw error;
    const { line, message } = error.problem;
    throw new RecordingRefused(line === null ? message : `line ${line}: ${message}`, { cause: error });
  }
}
