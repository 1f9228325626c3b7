// Where what is said of who may use a server is asked and changed: in a data folder, or at a server that has it.
import { resolve } from 'node:path';
import type { Access } from '../access.ts';
import { UsageError } from '../config.ts';
import { EXIT } from './exit.ts';

export const PLACE_HELP = `  --data-dir DIR   where they are (default: $PACELINE_DATA_DIR, else ./data: the server's)
  --server URL     ask a server that runs, with the operator's token in $PACELINE_TOKEN
  --json           for programs
`;

export const PLACE = {
  'data-dir': { type: 'string' },
  server: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What is done in a folder is its operator's doing. */
export const notedIn =
  (access: Access) =>
  (what: string): void => {
    access.note({ by: null, via: 'token', role: 'operator', what, status: 200 });
  };

interface Closable {
  readonly close: () => Promise<void>;
}

/** What came of it: for programs, and for people. */
export type Job<Desk> = (desk: Desk) => Promise<{ readonly made: unknown; readonly text: string }>;

export function deskAt<Desk>(
  { server, dataDir }: { readonly server: string | undefined; readonly dataDir: string | undefined },
  desks: { readonly folder: (dataDir: string) => Desk; readonly server: (server: string) => Desk },
): Desk {
  if (server === undefined) return desks.folder(resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data'));
  if (!URL.canParse(server)) throw new UsageError(`--server: ${server} is no address`);
  return desks.server(server);
}

export async function done<Desk extends Closable>(desk: Desk, json: boolean, job: Job<Desk>): Promise<number> {
  try {
    const { made, text } = await job(desk);
    process.stdout.write(json ? `${JSON.stringify(made, null, 2)}\n` : text);
    return EXIT.ok;
  } finally {
    await desk.close();
  }
}
