import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { lengthS, totalBytes } from '#analysis/packet-trace';
import { readRecording, RecordingRefused } from '#bridge/recordings';
import type { Replay } from '#protocol/source';
import { parseWords, UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline source FILE [--out FILE]

What an application wrote, from a recording, as the "source" of a flow: a CSV file of time_s,bytes, or a capture (pcap, pcapng), also packed with gzip or zstd.
Times count from the first packet. Without --out it goes to standard output; a spec may also name the file itself:
  "source": { "kind": "replay", "file": "call.pcap" }
`;

/** The source of a flow that writes what the file says. */
export async function replayOf(file: string): Promise<Replay> {
  try {
    return await readRecording(file, basename(file));
  } catch (error) {
    if (!(error instanceof RecordingRefused)) throw error;
    throw new AppError('SPEC_INVALID', `${file}: ${error.message}`);
  }
}

export async function source(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('source: which file?');
  if (more.length > 0) throw new UsageError(`source: one file at a time: ${more.join(' ')}`);
  const replay = await replayOf(file);
  const text = `${JSON.stringify(replay)}\n`;
  if (values.out === undefined) process.stdout.write(text);
  else await writeFile(values.out, text);
  process.stderr.write(`${replay.bytes.length} packets, ${totalBytes(replay)} bytes in ${lengthS(replay)} s\n`);
  return EXIT.ok;
}
