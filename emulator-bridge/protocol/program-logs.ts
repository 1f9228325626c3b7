// What is kept of external programs: what each has written to its streams, and the files of its own that the operator has named.
import { z } from 'zod';

export const PROGRAM_ENDS = ['sender', 'receiver'] as const;
export type ProgramEnd = (typeof PROGRAM_ENDS)[number];
export const LOG_STREAMS = ['stdout', 'stderr'] as const;

type LogSource = {
  readonly flow: number;
  readonly end: ProgramEnd;
} & ({ readonly what: (typeof LOG_STREAMS)[number] } | { readonly what: 'file'; readonly file: string });

/** What it is called in the data folder, in addresses and among results. */
export const logName = (source: LogSource): string => {
  const place = `flow${source.flow}-${source.end}`;
  return source.what === 'file' ? `${place}-file-${source.file}` : `${place}-${source.what}.txt`;
};

const NAME = /^flow(\d{1,2})-(sender|receiver)-(?:(stdout|stderr)\.txt|file-([A-Za-z0-9_][A-Za-z0-9._-]{0,99}))$/;

export const LogId = z.string().regex(NAME);

export const ProgramLog = z.object({
  name: LogId.describe('for GET runs/:id/logs/:log'),
  flow: z.int(),
  end: z.enum(PROGRAM_ENDS),
  what: z.enum([...LOG_STREAMS, 'file']),
  file: z.string().nullable().describe('its name in the folder in which the program worked'),
  bytes: z.int(),
});
export type ProgramLog = z.infer<typeof ProgramLog>;
/** Answer to `GET /runs/:id/logs`. */
export const ProgramLogs = z.object({ logs: z.array(ProgramLog) });

/** The reverse of `logName`; null: no such name. */
export function logOf(name: string, bytes: number): ProgramLog | null {
  const [, flow, end, stream, file] = NAME.exec(name) ?? [];
  if (flow === undefined) return null;
  return ProgramLog.parse({ name, flow: Number(flow), end, what: stream ?? 'file', file: file ?? null, bytes });
}
