import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { RunId } from '#protocol/ids';
import { LIMITS } from '#protocol/limits';
import { PACKET_LIMITS, type AckColumns, type PacketColumns, type PacketWindow } from '#protocol/packets';
import { checked, parseWords, UsageError } from '../config.ts';
import { captureRun, linkLog, ns3Trace, packetsOf } from '../jobs/packets.ts';
import { openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { EXIT } from './exit.ts';
import { print, unlessNobodyReads } from './print.ts';

const HELP = `Usage: paceline packets RUN --from S --to S [options]
       paceline packets RUN --pcapng FILE [--from S] [--to S] [--data-dir DIR]
       paceline packets RUN --mahimahi FILE [--from S] [--to S] [--data-dir DIR]
       paceline packets RUN --ns3 FILE [--from S] [--to S] [--data-dir DIR]

What became of every packet and acknowledgement that was under way in a span of a run in virtual time: a CSV table, a line each. The
run is made again; if it does not come to the very figures that are stored, nothing is said.

  RUN              its id, as in its address
  --from S, --to S seconds since the run began, at most ${PACKET_LIMITS.window_s} of them
  --acks           the acknowledgements instead
  --json           both, as the server gives them
  --pcapng FILE    the run, or the span, as a packet capture for Wireshark; - for standard output
  --mahimahi FILE  what happened at the queue of the link, as mm-link logs it; - for standard output
  --ns3 FILE       the run, or the span, as an ASCII trace of ns-3; - for standard output
  --data-dir DIR   (default: $PACELINE_DATA_DIR, else ./data); no server may be using it
`;

const Seconds = z.coerce.number({ error: 'wants seconds' }).min(0).max(LIMITS.duration_s.max);
const Options = z
  .object({
    run: RunId,
    from: Seconds,
    to: Seconds,
  })
  .refine(({ from, to }) => from < to, { path: ['from'], error: 'must come before --to' });
const FileOptions = z
  .object({ run: RunId, from: Seconds.default(0), to: Seconds.optional() })
  .refine(({ from, to = Infinity }) => from < to, { path: ['from'], error: 'must come before --to' });
const named = (key: string): string => (key === 'run' ? 'RUN' : `--${key}`);

/** What is written to a file, and how. */
const FILES = [
  { option: 'pcapng', what: 'has packets and acknowledgements', make: captureRun },
  { option: 'mahimahi', what: 'is a log of the link', make: linkLog },
  { option: 'ns3', what: 'has packets and acknowledgements', make: ns3Trace },
] as const;

export async function packets(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      acks: { type: 'boolean' },
      json: { type: 'boolean' },
      pcapng: { type: 'string' },
      mahimahi: { type: 'string' },
      ns3: { type: 'string' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [run, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`packets: one run at a time: ${more.join(' ')}`);
  const { from, to, acks = false, json = false, 'data-dir': dataDir } = values;
  const [kind, ...kinds] = FILES.filter(({ option }) => values[option] !== undefined);
  if (kind !== undefined && kinds.length > 0)
    throw new UsageError(`${[kind, ...kinds].map(({ option }) => `--${option}`).join(' and ')}: one file at a time`);
  if (kind !== undefined && (acks || json))
    throw new UsageError(`--${kind.option}: ${kind.what}; --acks and --json are of the table`);
  const write =
    kind === undefined
      ? table({ run, from, to }, acks, json)
      : written({ run, from, to }, values[kind.option] ?? '', kind.make);
  const lab = openLab({
    dataDir: resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data'),
    workers: 1,
    log: createLog('warn'),
  });
  try {
    await write(lab);
    return EXIT.ok;
  } finally {
    await lab.close();
  }
}

type Asked = Readonly<Record<'run' | 'from' | 'to', string | undefined>>;

function table(asked: Asked, acks: boolean, json: boolean): (lab: Lab) => Promise<void> {
  const { run, from, to } = checked(Options, asked, named);
  return async (lab) => {
    const told = await packetsOf(lab, run, { from_s: from, to_s: to });
    const lines = json ? [`${JSON.stringify(told)}\n`] : csvOf(acks ? told.acks : told.packets);
    await print(lines).catch(unlessNobodyReads);
    const notice = cutShort(told);
    if (notice !== null) process.stderr.write(notice);
  };
}

/** What there was under that name stays until the new one is whole. */
function written(asked: Asked, file: string, make: (typeof FILES)[number]['make']): (lab: Lab) => Promise<void> {
  const { run, from, to } = checked(FileOptions, asked, named);
  return async (lab) => {
    const pieces = await make(lab, run, { from_s: from, to_s: to });
    if (file === '-') return print(pieces).catch(unlessNobodyReads);
    const unfinished = `${resolve(file)}.${process.pid}`;
    try {
      await pipeline(Readable.from(pieces), createWriteStream(unfinished));
      await rename(unfinished, resolve(file));
    } finally {
      await rm(unfinished, { force: true });
    }
    process.stdout.write(`${file}\n`);
  };
}

/** A header, then a line for each place in the columns; what did not happen is left empty. */
export function* csvOf(columns: PacketColumns | AckColumns): Generator<string> {
  const names = Object.keys(columns);
  const values: (readonly (string | number | boolean | null)[])[] = Object.values(columns);
  yield `${names.join(',')}\n`;
  for (let row = 0; row < columns.flow.length; row++)
    yield `${values.map((column) => String(column[row] ?? '')).join(',')}\n`;
}

const cutShort = ({ to_ns, complete_until_ns }: PacketWindow): string | null =>
  complete_until_ns < to_ns
    ? `only what was sent before ${complete_until_ns / 1e9} s: there is more than ${PACKET_LIMITS.packets} packets\n`
    : null;
