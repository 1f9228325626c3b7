import type { Writable } from 'node:stream';
import type { ControlFrame } from '#protocol/control';
import type { ProcessGroup } from './group.ts';
import { readTelemetry, watch, type FrameSink, type Told } from './watch.ts';

/** One part of a run in real time that speaks for itself. */
export interface Voice {
  readonly label: string;
  readonly role: 'emulator' | 'sender' | 'receiver';
  readonly flow: number;
  /** Ends with the process, which may hold other voices. */
  readonly group: ProcessGroup;
  /** The process's own voice, where this is one of a program inside; it knows better why the program failed. */
  readonly host: Voice | null;
  /** It says `ready` and begins with the word `go`; else it begins by itself. */
  readonly waits: boolean;
  readonly stdin: Writable;
  /** Hears it to its end. */
  readonly listen: (hangMs: number, sink: FrameSink) => Promise<Pick<Told, 'failure' | 'cut'>>;
  /** What of it goes into the run's telemetry; samples are null. */
  readonly translate: (control: ControlFrame | null) => ControlFrame | null | 'nothing';
}

type Part = Pick<Voice, 'label' | 'role' | 'flow'>;

/** A process of its own. */
export const ownVoice = (part: Part, group: ProcessGroup, waits = true): Voice => ({
  ...part,
  group,
  host: null,
  waits,
  stdin: group.stdin,
  listen: async (hangMs, sink) => ({ ...(await watch(group, part.label, hangMs, sink)), cut: true }),
  translate: (control) => control,
});

/** A program inside the process of `host`, which inherited its stdin and stdout as these descriptors. */
export function hostedVoice(
  part: Part,
  host: Voice,
  descriptors: { readonly stdin: number; readonly stdout: number },
  translate: Voice['translate'],
): Voice {
  const { group } = host;
  const stdin = group.pipe(descriptors.stdin);
  // Nothing comes from there, but its end shall be noticed.
  stdin.resume();
  return {
    ...part,
    group,
    host,
    waits: true,
    stdin,
    listen: (hangMs, sink) => readTelemetry(group.pipe(descriptors.stdout), part.label, hangMs, sink),
    translate,
  };
}
