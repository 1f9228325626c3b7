import { senderStream, SENDER_COLUMNS } from '#protocol/columns';
import type { ControlFrame, Go, Hello } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import type { RunSummary } from '#protocol/summary';
import type { Frame } from '../frame-decoder.ts';
import { ProcessGroup } from '../group.ts';
import { TelemetryJoiner } from '../join.ts';
import { watch } from '../watch.ts';
import { UdpPath, type UdpPathOptions } from './udp-path.ts';

const LEAD_NS = 150_000_000n;
const HANG_MS = 20_000;

export interface QuicRun {
  readonly failures: readonly (string | null)[];
  readonly hello: Hello | null;
  readonly summary: RunSummary | null;
  readonly events: readonly Extract<ControlFrame, { type: 'event' }>[];
  /** The sender's samples, by column. */
  readonly sender: ReadonlyMap<string, readonly number[]>;
  /** Packets that the path has dropped. */
  readonly dropped: number;
}

export interface QuicRunOptions {
  readonly program: string;
  readonly path: UdpPathOptions;
  readonly seconds: number;
  readonly client: readonly string[];
  /** Called when both ends have started. */
  readonly started?: (client: ProcessGroup, server: ProcessGroup) => void;
}

/** One run of the helper against itself over a path, joined as the bridge joins the processes of a run. */
export async function quicRun({ program, path, seconds, client, started }: QuicRunOptions): Promise<QuicRun> {
  const common = ['--duration', String(seconds)];
  const events: Extract<ControlFrame, { type: 'event' }>[] = [];
  const rows = new Map<string, number[]>();
  let hello: Hello | null = null;
  const joiner = new TelemetryJoiner(['server', 'client'], (frame: Frame, control) => {
    if (control?.type === 'event') events.push(control);
    if (control?.type === 'hello') hello = control;
    if (control === null && frame.header.stream === senderStream(0)) collect(frame, rows);
  });

  const receiver = new ProcessGroup(program, ['server', '--listen', '127.0.0.1:0', ...common]);
  const [port, receiverEnd] = attend(receiver, 'server', 0, joiner);
  const relay = await UdpPath.to(await port, path);
  const connect = ['client', '--connect', `127.0.0.1:${relay.port}`, ...common, ...client];
  const sender = new ProcessGroup(program, connect);
  const [senderPort, senderEnd] = attend(sender, 'client', 1, joiner);
  try {
    const go: Go = {
      type: 'go',
      start_ns: Number(process.hrtime.bigint() + LEAD_NS),
      ports: { emulator: relay.port, senders: [await senderPort], receivers: [await port] },
    };
    for (const group of [receiver, sender]) group.stdin.write(`${JSON.stringify(go)}\n`);
    started?.(sender, receiver);
    const failures = await Promise.all([senderEnd, receiverEnd]);
    return { failures, hello, summary: joiner.summary, events, sender: rows, dropped: relay.dropped };
  } finally {
    await Promise.allSettled([sender.stop(), receiver.stop()]);
    relay.close();
  }
}

/** The process's port, and how it ended. */
function attend(
  group: ProcessGroup,
  label: string,
  index: number,
  joiner: TelemetryJoiner,
): [Promise<number>, Promise<string | null>] {
  let end: Promise<string | null> = Promise.resolve(null);
  const port = new Promise<number>((resolve, reject) => {
    end = watch(group, label, HANG_MS, async (frame, control) => {
      if (control?.type === 'ready') resolve(control.port);
      await joiner.accept(index, frame, control);
    }).then(({ failure }) => {
      const reason = failure?.reason ?? null;
      reject(new Error(reason ?? `${label} ended before it was ready`));
      return reason;
    });
  });
  port.catch(() => undefined);
  return [port, end];
}

function collect(frame: Frame, rows: Map<string, number[]>): void {
  const { time, columns } = decodeSamples(frame.bytes);
  const add = (name: string, values: Iterable<number>): void => {
    rows.set(name, [...(rows.get(name) ?? []), ...values]);
  };
  add('time_s', time);
  for (const [i, { name }] of SENDER_COLUMNS.entries()) add(name, columns[i] ?? []);
}
