// The processes of this machine, as /proc shows them.
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

function processOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // `pid (name, which may hold anything) state ppid …`
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), state, command };
  } catch {
    return null; // it has ended meanwhile
  }
}

const isAlive = ({ state }: Process): boolean => state !== 'Z' && state !== 'X';

/** Native programs that a server runs at this moment. */
export function programsOf(server: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? [])
    .filter((process) => process.parent === server && isAlive(process) && process.command.includes('/paceline-'))
    .map(({ pid }) => pid);
}

/** Those of runs in real time: a simulating process rests after its run. */
export const realTimeProgramsOf = (server: number): number[] =>
  programsOf(server).filter((pid) => processOf(pid)?.command.includes('/paceline-simulate') === false);

/** Those of the processes that still run. */
export const stillAlive = (pids: readonly number[]): number[] =>
  pids.filter((pid) => {
    const process = processOf(pid);
    return process !== null && isAlive(process);
  });
