import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlFrame, Go } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import { ProcessGroup } from './group.ts';
import { TelemetryJoiner } from './join.ts';
import { programPath, type Program } from './programs.ts';
import type { RunOptions, RunOutcome } from './run.ts';
import { concluded, failedBy } from './alone.ts';
import type { Failure } from './failure.ts';
import { temporaryFolder } from './temporary.ts';
import { watch } from './watch.ts';

export const READY_TIMEOUT_MS = 10_000;
/** From `go` to time 0 of the run: every process must have read it and be waiting by then. */
export const LEAD_NS = 150_000_000n;
/** Samples come at least this often in real time, unless the sampling period itself is longer. */
const HANG_MS = 30_000;
const HANG_PERIODS = 64;

/** One process of a real-time run. */
interface Member {
  readonly program: Program;
  readonly role: 'emulator' | 'sender' | 'receiver';
  readonly flow: number;
  readonly label: string;
  readonly group: ProcessGroup;
}

/** One run in real time: the emulator, and a sender and a receiver per flow, all talking UDP on loopback. */
export async function runRealtime(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  const members: Member[] = [];
  const stopAll = (): void => {
    for (const { group } of members) void group.stop().catch(() => undefined);
  };
  options.signal?.addEventListener('abort', stopAll, { once: true });
  try {
    return await withManifestFile(manifest, async (file) => {
      const common = ['--manifest', file, '--traces', options.tracesDir];
      members.push(member('paceline-emulator', 'emulator', 0, common));
      for (const flow of manifest.flows.keys()) {
        members.push(member('paceline-receiver', 'receiver', flow, [...common, '--flow', String(flow)]));
        members.push(member('paceline-sender', 'sender', flow, [...common, '--flow', String(flow)]));
      }
      if (options.signal?.aborted === true) stopAll();
      return conduct(manifest, members, stopAll, options);
    });
  } catch (error) {
    return failedBy(error);
  } finally {
    options.signal?.removeEventListener('abort', stopAll);
    await Promise.allSettled(members.map(({ group }) => group.stop()));
  }
}

/** The manifest as a file, for programs whose stdin has another use; it is gone when `use` is over. */
export async function withManifestFile<T>(manifest: RunManifest, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  try {
    const file = join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify(manifest));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long a program that runs in real time may be silent. */
export const realtimePatience = ({ sample_period_ms }: RunManifest): number =>
  Math.max(HANG_MS, HANG_PERIODS * sample_period_ms);

function member(program: Program, role: Member['role'], flow: number, args: readonly string[]): Member {
  const label = role === 'emulator' ? program : `${program} of flow ${flow}`;
  return { program, role, flow, label, group: new ProcessGroup(programPath(program), args) };
}

/** Introduces the processes to each other, starts them together and joins what they say. */
async function conduct(
  manifest: RunManifest,
  members: readonly Member[],
  stopAll: () => void,
  { signal, onFrame, onChangeable, hangMs }: RunOptions,
): Promise<RunOutcome> {
  const joiner = new TelemetryJoiner(members.length, (frame, control) => onFrame(frame.bytes, frame.header, control));
  const gate = new ReadyGate(members);
  const culprits: Culprit[] = [];
  const patience = hangMs ?? realtimePatience(manifest);
  const blame = (member: Member, failure: Failure): void => {
    culprits.push({ member, failure });
    stopAll();
  };
  const late = setTimeout(() => {
    for (const member of gate.missing())
      blame(member, { cause: 'hung', reason: `${member.label} was not ready within ${READY_TIMEOUT_MS / 1000} s` });
  }, READY_TIMEOUT_MS);
  try {
    await Promise.all(
      members.map(async (member, index) => {
        const { failure } = await watch(member.group, member.label, patience, async (frame, control) => {
          if (control?.type === 'ready' && gate.admit(member, control)) {
            clearTimeout(late);
            for (const { group } of members) group.stdin.write(`${JSON.stringify(gate.go())}\n`);
            const link = members.find(({ role }) => role === 'emulator');
            onChangeable?.((change) => void link?.group.stdin.write(`${JSON.stringify(change)}\n`));
          }
          await joiner.accept(index, frame, control);
        });
        if (failure !== null) blame(member, failure);
      }),
    );
  } finally {
    clearTimeout(late);
  }
  return verdict(signal, joiner, culprits, members);
}

interface Culprit {
  readonly member: Member;
  readonly failure: Failure;
}

/**
 * The first failure is the cause, as stopping the others makes them fail as well; but one that was ended from outside may have made
 * another fail before its own end was noticed.
 */
const culpritAmong = (culprits: readonly Culprit[]): Culprit | undefined =>
  culprits.find(({ failure }) => failure.cause === 'killed' || failure.cause === 'crashed') ?? culprits[0];

function verdict(
  signal: AbortSignal | undefined,
  { summary, cost }: TelemetryJoiner,
  culprits: readonly Culprit[],
  members: readonly Member[],
): RunOutcome {
  const culprit = culpritAmong(culprits);
  const stderrTail =
    culprit?.member.group.stderrTail ??
    members
      .map(({ group }) => group.stderrTail)
      .filter((tail) => tail !== '')
      .join('\n');
  const words = { stderrTail, summary, cost };
  return concluded(signal, culprit?.failure ?? null, 'the processes gave no summary', words);
}

/** Collects the ports; opens once, when every process has said that it is ready. */
class ReadyGate {
  readonly #ports = new Map<Member, number>();
  readonly #members: readonly Member[];
  #go: Go | null = null;

  constructor(members: readonly Member[]) {
    this.#members = members;
  }

  /** True when this was the last one. */
  admit(member: Member, ready: Extract<ControlFrame, { type: 'ready' }>): boolean {
    this.#ports.set(member, ready.port);
    return this.#ports.size === this.#members.length;
  }

  missing(): readonly Member[] {
    return this.#members.filter((member) => !this.#ports.has(member));
  }

  /** The same line for all: one time 0. */
  go(): Go {
    const ports = (role: Member['role']): number[] =>
      this.#members
        .filter((member) => member.role === role)
        .sort((a, b) => a.flow - b.flow)
        .map((member) => this.#ports.get(member) ?? 0);
    this.#go ??= {
      type: 'go',
      start_ns: Number(process.hrtime.bigint() + LEAD_NS),
      ports: { emulator: ports('emulator')[0] ?? 0, senders: ports('sender'), receivers: ports('receiver') },
    };
    return this.#go;
  }
}
