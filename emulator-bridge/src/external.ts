// Programs that the operator has set up as the two ends of a flow (docs/external-programs.md).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FlowManifest } from '#protocol/manifest';
import type { KeptEnd, Logged } from './external-logs.ts';

export const EXTERNAL_PREFIX = 'external-';

/** Its id is `external-` and the operator's name for it. */
export interface ExternalProgram extends Logged {
  readonly sender: readonly string[];
  readonly receiver: readonly string[];
  /** Who calls whom: the other one is there first. */
  readonly calls: 'sender' | 'receiver';
  /** Variables of both, beside what the host has. */
  readonly env?: Readonly<Record<string, string>>;
  readonly revision: string;
}

interface EndpointsEnd {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly pipes: null;
  /** Both below the file's folder: what its output is kept in, and where it works if that is not the folder itself. */
  readonly output?: string;
  readonly folder?: string;
}

/** One flow's entry in the file that `paceline-tun --endpoints` reads. */
export interface EndpointsEntry {
  readonly sender: EndpointsEnd;
  readonly receiver: EndpointsEnd;
  readonly calls: 'sender' | 'receiver';
  readonly telemetry: 'link';
}

/** null: the flow's ends are no external programs. Throws when they are, but not the ones that are configured now. `kept`: what is of this flow. */
export function externalEntry(
  { cca }: FlowManifest,
  programs: readonly ExternalProgram[],
  kept: readonly KeptEnd[] = [],
): EndpointsEntry | null {
  if (!cca.id.startsWith(EXTERNAL_PREFIX)) return null;
  const program = programs.find(({ id }) => id === cca.id);
  if (program === undefined) throw new Error(`${cca.id} is no longer set up on this server`);
  if (program.revision !== cca.revision)
    throw new Error(`the commands of ${cca.id} have changed since this run was planned: run the experiment again`);
  const end = (which: KeptEnd['end']): EndpointsEnd => {
    const log = kept.find((one) => one.end === which);
    return {
      argv: program[which],
      ...(program.env === undefined ? {} : { env: program.env }),
      pipes: null,
      ...(log === undefined ? {} : { output: log.output }),
      ...(log === undefined || log.files === null ? {} : { folder: log.files.folder }),
    };
  };
  return {
    sender: end('sender'),
    receiver: end('receiver'),
    calls: program.calls,
    telemetry: 'link',
  };
}

/** Writes the file into the run's folder, which is also where the programs work. The words that name it; none when no flow needs it. */
export async function endpointsWords(folder: string, entries: readonly (object | null)[]): Promise<string[]> {
  if (entries.every((entry) => entry === null)) return [];
  const file = join(folder, 'endpoints.json');
  await writeFile(file, JSON.stringify({ flows: entries }));
  return ['--endpoints', file];
}
