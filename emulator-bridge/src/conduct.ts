import { setTimeout as later } from 'node:timers/promises';
import type { ControlFrame, Go } from '#protocol/control';
import { concluded } from './concluded.ts';
import { failureOf, type Failure } from './failure.ts';
import { TelemetryJoiner } from './join.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';
import type { Voice } from './voice.ts';

const READY_TIMEOUT_MS = 10_000;
/** From `go` to time 0 of the run: every voice must have read it and be waiting by then. */
const LEAD_NS = 150_000_000n;
/** The host of a program sees why it failed, and says so within this time. */
const EXPLANATION_MS = 3000;

interface Fault {
  readonly voice: Voice;
  readonly failure: Failure;
}

/**
 * Conducts a run in real time: waits until every voice is ready, gives all of them one time 0, makes one stream of what they say, and
 * ends them together. The first fault ends the run and is its reason. Changes go to the emulator.
 */
export async function conduct(
  voices: readonly Voice[],
  patience: number,
  { signal, onFrame, onChangeable }: RunOptions,
): Promise<RunOutcome> {
  const joiner = new TelemetryJoiner(
    voices.map(({ label }) => label),
    (frame, control) => onFrame(frame.bytes, frame.header, control),
  );
  // Senders before the link: none of them shall find the link gone.
  const groups = new Set(voices.map(({ group }) => group).reverse());
  const stopAll = (): void => {
    for (const group of groups) void group.stop().catch(() => undefined);
  };
  const faults: Fault[] = [];
  const blame = (voice: Voice, failure: Failure): void => {
    faults.push({ voice, failure });
    stopAll();
  };
  const tell = (voice: Voice, message: object): void => void voice.stdin.write(`${JSON.stringify(message)}\n`);

  const ports = new Map<Voice, number>();
  const missing = new Set(voices.filter(({ waits }) => waits));
  const begin = (): void => {
    clearTimeout(late);
    const word = go(ports);
    for (const voice of voices) if (voice.waits) tell(voice, word);
    const link = voices.find(({ role }) => role === 'emulator');
    if (link !== undefined) onChangeable?.((change) => tell(link, change));
  };
  const readyMs = Math.min(READY_TIMEOUT_MS, patience);
  const late = setTimeout(() => {
    for (const voice of missing)
      blame(voice, { cause: 'hung', reason: `${voice.label} was not ready within ${readyMs / 1000} s` });
  }, readyMs);
  const hear = (voice: Voice, control: ControlFrame | null): void => {
    if (control?.type !== 'ready' || !missing.delete(voice)) return;
    ports.set(voice, control.port);
    if (missing.size === 0) begin();
  };

  const over = new AbortController();
  const attended = new Map<Voice, Promise<void>>();
  const attend = async (voice: Voice, index: number): Promise<void> => {
    try {
      const { failure, cut } = await voice.listen(patience, async (frame, control) => {
        hear(voice, control);
        const said = voice.translate(control);
        if (said !== 'nothing') await joiner.accept(index, frame, said);
      });
      if (failure === null) return;
      const explained = voice.host === null || cut ? undefined : attended.get(voice.host);
      if (explained !== undefined)
        await Promise.race([explained, later(EXPLANATION_MS, undefined, { signal: over.signal })]);
      blame(voice, failure);
    } catch (error) {
      if (!over.signal.aborted) blame(voice, failureOf(error));
    }
  };

  signal?.addEventListener('abort', stopAll, { once: true });
  try {
    if (signal?.aborted === true) stopAll();
    if (missing.size === 0) begin();
    for (const [index, voice] of voices.entries()) attended.set(voice, attend(voice, index));
    await Promise.all(attended.values());
  } finally {
    clearTimeout(late);
    over.abort();
    signal?.removeEventListener('abort', stopAll);
    await Promise.allSettled([...groups].map((group) => group.stop()));
  }
  return verdict(signal, joiner, faults, voices);
}

/** The same line for all: one time 0, and the ports of the processes. */
function go(ports: ReadonlyMap<Voice, number>): Go {
  const of = (role: Voice['role']): number[] =>
    [...ports]
      .filter(([voice]) => voice.role === role && voice.host === null)
      .sort(([a], [b]) => a.flow - b.flow)
      .map(([, port]) => port);
  return {
    type: 'go',
    start_ns: Number(process.hrtime.bigint() + LEAD_NS),
    ports: { emulator: of('emulator')[0] ?? 0, senders: of('sender'), receivers: of('receiver') },
  };
}

/**
 * The first fault is the cause, as stopping the others makes them fail as well; but a voice that was ended from outside may have made
 * another fail before its own end was noticed.
 */
const causeAmong = (faults: readonly Fault[]): Fault | undefined =>
  faults.find(({ failure }) => failure.cause === 'killed' || failure.cause === 'crashed') ?? faults[0];

function verdict(
  signal: AbortSignal | undefined,
  { summary, cost }: TelemetryJoiner,
  faults: readonly Fault[],
  voices: readonly Voice[],
): RunOutcome {
  const fault = causeAmong(faults);
  const groups = fault === undefined ? new Set(voices.map(({ group }) => group)) : [fault.voice.group];
  const stderrTail = [...groups]
    .map((group) => group.stderrTail)
    .filter((tail) => tail !== '')
    .join('\n');
  return concluded(signal, fault?.failure ?? null, 'nobody gave a summary', { stderrTail, summary, cost });
}
