// Voices of a run in real time that die, hang or babble, in processes of their own or inside another: the run ends, with the first
// cause named, and nothing is left.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RECEIVER_COLUMNS, SENDER_COLUMNS, TIME_COLUMN, type ColumnSpec } from '#protocol/columns';
import type { ControlFrame, Hello } from '#protocol/control';
import { encodeControl } from '#protocol/samples';
import { conduct } from './conduct.ts';
import { ProcessGroup } from './group.ts';
import type { RunOutcome } from './run.ts';
import { FakePrograms, HELLO, linkRows, SUMMARY } from './testing/fake-programs.ts';
import { hostedVoice, ownVoice, type Voice } from './voice.ts';

let programs: FakePrograms;
beforeEach(() => {
  programs = new FakePrograms();
});
afterEach(async () => {
  await expect.poll(() => programs.survivors(), { timeout: 5000, interval: 20 }).toEqual([]);
  programs.remove();
});

const columns = (specs: readonly ColumnSpec[]): Hello['streams'][number]['columns'] =>
  [TIME_COLUMN, ...specs].map(({ name, unit, label }, i) => ({ name, unit, label, type: i === 0 ? 'f64' : 'f32' }));
const hello = (stream: Hello['streams'][number]): Hello => ({ ...HELLO, clock: 'monotonic', streams: [stream] });
const sender = hello({ stream: 16, kind: 'sender', flow: 0, cca: 'x', columns: columns(SENDER_COLUMNS) });
const receiver = hello({ stream: 17, kind: 'receiver', flow: 0, cca: 'x', columns: columns(RECEIVER_COLUMNS) });
const HELLOS = { emulator: { ...HELLO, clock: 'monotonic' as const }, sender, receiver };
type Role = keyof typeof HELLOS;

const frames = (...controls: ControlFrame[]): Uint8Array[] => controls.map((control, i) => encodeControl(i, control));
const ready = (role: Role): ControlFrame => ({ type: 'ready', role, port: 1 });
const summary: ControlFrame = { type: 'summary', ...SUMMARY };
const progress = (time_s: number): ControlFrame => ({ type: 'progress', time_s });
const end: ControlFrame = { type: 'end', time_s: 1 };

/** What a voice says before the word, and what after it. */
interface Part {
  /** Before all else. */
  readonly start?: string;
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
  /** Instead of ending well. */
  readonly then?: string;
}

const good = (role: Role): Part => {
  const [first, ...rest] = frames(ready(role), HELLOS[role], summary, end);
  return { before: [first!], after: rest };
};

/** Shell words that do what a part says, by its stdin and stdout; every word that it is given is noted. */
function script(role: Role, { start = ':', before, after, then = ':' }: Part, input: number, output: number): string {
  const path = `${programs.dir}/${role}`;
  writeFileSync(`${path}.before`, Buffer.concat(before));
  writeFileSync(`${path}.after`, Buffer.concat(after));
  return (
    `${start}; cat '${path}.before' >&${output}; read go <&${input}; echo "$go" >> '${programs.dir}/go'; ` +
    `cat '${path}.after' >&${output}; ${then}`
  );
}

function process(role: Role, part: Part): Voice {
  const program = `paceline-${role}` as const;
  programs.add(program, [], script(role, part, 0, 1));
  return ownVoice({ label: program, role, flow: 0 }, new ProcessGroup(`${programs.dir}/${program}`, []));
}

const PATIENCE_MS = 1500;

async function run(voices: readonly Voice[]): Promise<RunOutcome & { readonly said: readonly string[] }> {
  const said: string[] = [];
  const outcome = await conduct(voices, PATIENCE_MS, {
    tracesDir: programs.dir,
    onFrame: (_, header, control) => void said.push(control?.type ?? `${header.rows} rows`),
  });
  return { ...outcome, said };
}

/** One process for each role, all well-behaved but for those that are given. */
const processes = (parts: Partial<Record<Role, Part>>): Promise<RunOutcome & { readonly said: readonly string[] }> =>
  run((['emulator', 'receiver', 'sender'] as const).map((role) => process(role, parts[role] ?? good(role))));

/** A sender inside the process of the link; both say the same before and after. */
function hosted(link: Part, inside: Part): Promise<RunOutcome & { readonly said: readonly string[] }> {
  const ofLink = script('emulator', link, 0, 1);
  const ofSender = script('sender', inside, 3, 4);
  programs.add('paceline-tun', [], `( ${ofSender} ) & exec 3<&- 4>&-; ${ofLink}; wait`);
  const group = new ProcessGroup(`${programs.dir}/paceline-tun`, [], 2);
  const host = ownVoice({ label: 'paceline-tun', role: 'emulator', flow: 0 }, group);
  const part = { label: 'the program inside', role: 'sender', flow: 0 } as const;
  return run([host, hostedVoice(part, host, { stdin: 3, stdout: 4 }, (control) => control)]);
}

const words = (): string[] => readFileSync(`${programs.dir}/go`, 'utf8').trim().split('\n');

describe('voices in processes of their own', () => {
  it('begin with one word and become one stream', async () => {
    expect(await processes({})).toMatchObject({ outcome: 'done', said: ['hello', 'summary', 'end'] });
    expect(words()).toHaveLength(3);
    expect(new Set(words()).size).toBe(1);
  });

  it('end when one dies before it is ready', async () => {
    const outcome = await processes({ sender: { before: [], after: [], start: 'echo "no such trace" >&2; exit 2' } });
    expect(outcome).toMatchObject({ outcome: 'failed', cause: 'own', stderrTail: 'no such trace' });
    expect(outcome.reason).toBe('paceline-sender ended with exit code 2: no such trace');
  });

  it('name the one that was killed from outside, though another failed of it first', async () => {
    const outcome = await processes({
      sender: { ...good('sender'), start: "trap '' TERM", after: [], then: 'sleep 0.3; kill -KILL $$' },
      receiver: { ...good('receiver'), after: [], then: 'exit 1' },
    });
    expect(outcome).toMatchObject({ cause: 'killed', reason: 'paceline-sender was ended by SIGKILL' });
  });

  it('end when one goes silent', async () => {
    const outcome = await processes({ receiver: { ...good('receiver'), after: [], then: 'sleep 300' } });
    expect(outcome.reason).toBe('paceline-receiver has said nothing for 1.5 s and was stopped');
    expect(outcome.cause).toBe('hung');
  });

  it('end when one talks, but never says that it is ready', async () => {
    const more = frames(HELLOS.emulator, ...Array.from({ length: 40 }, (_, i) => progress(i)));
    more.forEach((frame, i) => writeFileSync(`${programs.dir}/more${i}`, frame));
    const start = `i=0; while [ $i -le 40 ]; do cat '${programs.dir}'/more$i; i=$((i+1)); sleep 0.1; done`;
    const outcome = await processes({ emulator: { before: [], after: [], start } });
    expect(outcome).toMatchObject({ cause: 'hung', reason: 'paceline-emulator was not ready within 1.5 s' });
  });

  it.each<[string, readonly Uint8Array[], string]>([
    ['prints rubbish', [Buffer.from('Segmentation fault (core dumped)\n')], 'printed something that is not telemetry'],
    [
      'speaks of a stream that is another’s',
      frames(ready('sender'), HELLOS.receiver, summary, end).slice(1),
      'speaks of stream 17, which is',
    ],
    ['ends without a summary', frames(ready('sender'), HELLOS.sender, end).slice(1), 'paceline-sender gave no summary'],
  ])('end when one %s', async (_, after, reason) => {
    const outcome = await processes({ sender: { ...good('sender'), after } });
    expect(outcome).toMatchObject({ outcome: 'failed', cause: 'own' });
    expect(outcome.reason).toContain(reason);
  });

  it('end when two tell the same figures', async () => {
    const quantiles = { mean: 1, p25: 1, p50: 1, p75: 1 };
    const fairness = [{ k: 10, window_ms: 100, windows: 10, ...quantiles }];
    const both: ControlFrame = { type: 'summary', ...SUMMARY, fairness };
    const tells = (role: Role): Part => ({
      ...good(role),
      after: frames(ready(role), HELLOS[role], both, end).slice(1),
    });
    expect(await processes({ emulator: tells('emulator') })).toMatchObject({ outcome: 'done', summary: { fairness } });
    const outcome = await processes({ emulator: tells('emulator'), sender: tells('sender') });
    expect(outcome).toMatchObject({ outcome: 'failed', cause: 'own' });
    expect(outcome.reason).toMatch(/^paceline-(sender|emulator) tells of fairness, as paceline-(emulator|sender) did$/);
  });

  it('are given the word once, however often one says that it is ready', async () => {
    const again = frames(ready('sender'), ready('sender'), ready('sender'), HELLOS.sender, summary, end);
    const listen = `timeout 0.3 cat >> '${programs.dir}/go'`;
    const outcome = await processes({
      sender: { before: again.slice(0, 2), after: again.slice(2), then: `${listen}; exit 0` },
    });
    expect(outcome.outcome).toBe('done');
    const [word] = words();
    expect(words()).toEqual([word, word, word]);
  });

  it('do not fill the memory while one waits for the others', async () => {
    const [first, second] = frames(ready('emulator'), HELLOS.emulator);
    const rows = Array.from({ length: 60 }, (_, i) => linkRows(10_000 * i, 10_000));
    const outcome = await processes({
      emulator: { before: [first!], after: [second!, ...rows], then: 'sleep 300' },
      sender: { ...good('sender'), after: [], then: 'sleep 300' },
    });
    expect(outcome.reason).toBe('paceline-emulator went on before all others had begun');
  });
});

describe('voices inside another', () => {
  it('begin with the same word and become one stream', async () => {
    expect(await hosted(good('emulator'), good('sender'))).toMatchObject({
      outcome: 'done',
      said: ['hello', 'summary', 'end'],
    });
    expect(new Set(words()).size).toBe(1);
    expect(words()).toHaveLength(2);
  });

  it('are explained by their host, which comes to know later', async () => {
    const [first, second, error] = frames(ready('emulator'), HELLOS.emulator, {
      type: 'error',
      message: 'the sender of flow 0, cat, was ended by the signal Killed',
    });
    const link = { before: [first!], after: [second!], then: `sleep 0.5; cat '${programs.dir}/error'; exit 1` };
    writeFileSync(`${programs.dir}/error`, error!);
    const outcome = await hosted(link, { ...good('sender'), after: [], then: 'exit 1' });
    expect(outcome).toMatchObject({ outcome: 'failed', cause: 'killed' });
    expect(outcome.reason).toContain('was ended by the signal Killed');
  });

  it('are blamed themselves when their host has nothing to say', async () => {
    const outcome = await hosted(good('emulator'), { ...good('sender'), after: [] });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'the program inside ended without its last frame' });
  });

  it('end their host when they babble or go silent', async () => {
    const link = { ...good('emulator'), after: [encodeControl(1, HELLOS.emulator)], then: 'sleep 300' };
    const babble = await hosted(link, { ...good('sender'), after: [Buffer.from('what is the meaning of this?\n')] });
    expect(babble.reason).toContain('the program inside printed something that is not telemetry');
    const silent = await hosted(
      { ...link, then: `while :; do sleep 0.3; done` },
      { ...good('sender'), after: [], then: 'sleep 300' },
    );
    expect(silent).toMatchObject({ outcome: 'failed', cause: 'hung' });
  });
});
