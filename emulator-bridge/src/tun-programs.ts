import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ControlFrame, Go } from '#protocol/control';
import type { EndpointsEntry } from './external.ts';
import { concluded } from './alone.ts';
import type { Failure } from './failure.ts';
import type { Frame } from './frame-decoder.ts';
import { ProcessGroup } from './group.ts';
import { TelemetryJoiner } from './join.ts';
import { programPath } from './programs.ts';
import { ofClient, ofServer, type QuicFlow } from './quic-flow.ts';
import { LEAD_NS, READY_TIMEOUT_MS } from './realtime.ts';
import type { RunOptions, RunOutcome } from './run.ts';
import { readTelemetry, watch } from './watch.ts';

/** paceline-tun sees why one of its programs failed, and says so within this time. */
const EXPLANATION_MS = 3000;
const FIRST_DESCRIPTOR = 3;

/** A program that paceline-tun hosts and that speaks to us directly. */
interface Voice {
  readonly label: string;
  /** The program's stdin and stdout, as paceline-tun inherits them. */
  readonly descriptors: { readonly stdin: number; readonly stdout: number };
  /** What goes into the run's telemetry; null: nothing. */
  readonly translate: (control: ControlFrame | null) => ControlFrame | 'samples' | null;
}

const voicesOf = (flow: QuicFlow, first: number): readonly [Voice, Voice] => [
  {
    label: `the QUIC client of flow ${flow.flow}`,
    descriptors: { stdin: first, stdout: first + 1 },
    translate: (control) => (control === null ? 'samples' : ofClient(flow, control)),
  },
  {
    label: `the QUIC server of flow ${flow.flow}`,
    descriptors: { stdin: first + 2, stdout: first + 3 },
    translate: (control) => (control === null ? null : ofServer(control)),
  },
];

/**
 * A run with flows over QUIC, beside which there may be the operator's programs, and flows of the kernel's TCP (null). All start
 * together, and their telemetry becomes one stream.
 */
export async function runWithPrograms(
  flows: readonly (QuicFlow | EndpointsEntry | null)[],
  manifestFile: string,
  args: readonly string[],
  patience: number,
  { signal, onFrame, onChangeable }: RunOptions,
): Promise<RunOutcome> {
  const voices: Voice[] = [];
  const entries = flows.map((flow) => {
    if (flow === null || !('client' in flow)) return flow;
    const [client, server] = voicesOf(flow, FIRST_DESCRIPTOR + 2 * voices.length);
    voices.push(client, server);
    return {
      sender: { argv: flow.client, pipes: client.descriptors },
      receiver: { argv: flow.server, pipes: server.descriptors },
      telemetry: 'own',
    };
  });
  const endpoints = join(dirname(manifestFile), 'endpoints.json');
  await writeFile(endpoints, JSON.stringify({ flows: entries }));

  const group = new ProcessGroup(programPath('paceline-tun'), [...args, '--endpoints', endpoints], 2 * voices.length);
  const pipe = (descriptor: number): Duplex => group.pipe(descriptor);
  const joiner = new TelemetryJoiner(1 + voices.length, (frame, control) =>
    onFrame(frame.bytes, frame.header, control),
  );
  const stop = (): void => void group.stop().catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();

  let culprit: Failure | null = null;
  const blame = (failure: Failure): void => {
    culprit ??= failure;
    stop();
  };
  const start = (): void => {
    const go: Go = {
      type: 'go',
      start_ns: Number(process.hrtime.bigint() + LEAD_NS),
      ports: { emulator: 0, senders: [], receivers: [] },
    };
    const stdins = [group.stdin, ...voices.map(({ descriptors }) => pipe(descriptors.stdin))];
    for (const stdin of stdins) stdin.write(`${JSON.stringify(go)}\n`);
    onChangeable?.((change) => void group.stdin.write(`${JSON.stringify(change)}\n`));
  };
  const missing = new Set(['the link', ...voices.map(({ label }) => label)]);
  const late = setTimeout(
    () =>
      blame({
        cause: 'hung',
        reason: `${[...missing].join(', ')} was not ready within ${READY_TIMEOUT_MS / 1000} s`,
      }),
    READY_TIMEOUT_MS,
  );
  const take = async (index: number, label: string, frame: Frame, control: ControlFrame | null): Promise<void> => {
    if (control?.type === 'ready' && missing.delete(label) && missing.size === 0) {
      clearTimeout(late);
      start();
    }
    await joiner.accept(index, frame, control);
  };

  const timers: NodeJS.Timeout[] = [late];
  let unexplained: Failure | null = null;
  const listen = async (voice: Voice, index: number): Promise<void> => {
    // Nothing comes from there, but its end shall be noticed.
    pipe(voice.descriptors.stdin).resume();
    const stdout = pipe(voice.descriptors.stdout);
    const { failure, cut } = await readTelemetry(stdout, voice.label, patience, async (frame, control) => {
      const said = voice.translate(control);
      if (said !== null) await take(index, voice.label, frame, said === 'samples' ? null : said);
    });
    if (failure === null) return;
    if (cut) {
      blame(failure);
      return;
    }
    unexplained ??= failure;
    timers.push(setTimeout(() => blame(failure), EXPLANATION_MS));
  };
  try {
    const link = watch(group, 'paceline-tun', patience, (frame, control) => take(0, 'the link', frame, control));
    const ends = Promise.all(voices.map((voice, i) => listen(voice, i + 1)));
    // Told below, but not before the link has ended: until then nobody would hear it.
    ends.catch(() => undefined);
    const { failure } = await link;
    culprit ??= failure;
    await ends;
    culprit ??= unexplained;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await group.stop().catch(() => undefined);
  }
  const { summary, cost } = joiner;
  return concluded(signal, culprit, 'the programs gave no summary', { stderrTail: group.stderrTail, summary, cost });
}
