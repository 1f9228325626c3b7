// The conducting of a run over tun: one program, whose stdin carries changes of the link and whose end is the run's end.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeControl } from '#protocol/samples';
import { LinkChange } from '#protocol/control';
import type { ExternalProgram } from './external.ts';
import { run, type ChangeLink } from './run.ts';
import { FakePrograms, HELLO, linkRows, manifest, SUMMARY } from './testing/fake-programs.ts';

let programs: FakePrograms;
beforeEach(() => {
  programs = new FakePrograms();
});
afterEach(async () => {
  await expect.poll(() => programs.survivors(), { timeout: 5000, interval: 20 }).toEqual([]);
  programs.remove();
});

const tun = manifest({ engine: 'realtime', path: 'tun' });

describe('a run over tun', () => {
  it('finds its manifest in a file that is gone afterwards, and hears of changes of its link', async () => {
    const rest = [encodeControl(1, { type: 'summary', ...SUMMARY }), encodeControl(2, { type: 'end', time_s: 1 })];
    programs.add(
      'paceline-tun',
      [encodeControl(0, { ...HELLO, clock: 'monotonic' }), linkRows(0, 4)],
      `cp "$2" '${programs.dir}/manifest'; echo "$2" > '${programs.dir}/file'; read line; echo "$line" > '${programs.dir}/line'; printf '${octal(rest)}'`,
    );
    const order: LinkChange = { type: 'set', direction: 'forward', rate_mbps: 5, limit_bytes: null };
    const link: { change?: ChangeLink } = {};
    const outcome = await run(tun, {
      tracesDir: programs.dir,
      onChangeable: (change) => (link.change = change),
      onFrame: (_, header) => {
        if (header.rows > 0) link.change?.(order);
      },
    });
    expect(outcome).toMatchObject({ outcome: 'done', reason: null, summary: SUMMARY });
    const read = (name: string): string => readFileSync(`${programs.dir}/${name}`, 'utf8').trim();
    expect(JSON.parse(read('manifest'))).toEqual(tun);
    expect(LinkChange.parse(JSON.parse(read('line')))).toEqual(order);
    expect(existsSync(read('file'))).toBe(false);
  });

  it('hands the operator’s programs to the program that hosts them, in a file that is gone afterwards', async () => {
    const tool = {
      id: 'external-tool',
      sender: ['a', '{receiver}'],
      receiver: ['b'],
      calls: 'receiver',
      revision: 'r1',
    };
    const program = tool as ExternalProgram;
    const [flow] = tun.flows;
    if (flow === undefined) throw new Error('the manifest has a flow');
    const cca = { id: tool.id, params: {}, revision: 'r1' };
    const asked = { ...tun, flows: [flow, { ...flow, cca }] };
    const rest = [encodeControl(1, { type: 'summary', ...SUMMARY }), encodeControl(2, { type: 'end', time_s: 1 })];
    programs.add(
      'paceline-tun',
      [encodeControl(0, { ...HELLO, clock: 'monotonic' }), linkRows(0, 4)],
      `for word; do last="$word"; done; cp "$last" '${programs.dir}/endpoints'; echo "$last" > '${programs.dir}/file'; printf '${octal(rest)}'`,
    );
    const options = { tracesDir: programs.dir, external: [program], onFrame: () => undefined };
    expect(await run(asked, options)).toMatchObject({ outcome: 'done', reason: null });
    const { sender, receiver, calls } = program;
    expect(JSON.parse(readFileSync(`${programs.dir}/endpoints`, 'utf8'))).toEqual({
      flows: [
        null,
        {
          sender: { argv: sender, pipes: null },
          receiver: { argv: receiver, pipes: null },
          calls,
          telemetry: 'link',
        },
      ],
    });
    expect(existsSync(readFileSync(`${programs.dir}/file`, 'utf8').trim())).toBe(false);

    const changed = await run(asked, { ...options, external: [{ ...program, revision: 'r2' }] });
    expect(changed).toMatchObject({ outcome: 'failed' });
    expect(changed.reason).toContain('have changed since this run was planned');
    const gone = await run(asked, { ...options, external: [] });
    expect(gone.reason).toBe('external-tool is no longer set up on this server');
  });

  it('is stopped at once', async () => {
    programs.add(
      'paceline-tun',
      [encodeControl(0, HELLO), linkRows(0, 4)],
      "trap '' TERM; sleep 300 & wait; sleep 300",
    );
    const controller = new AbortController();
    const outcome = await run(tun, {
      tracesDir: programs.dir,
      signal: controller.signal,
      onFrame: (_, header) => {
        if (header.rows > 0) controller.abort();
      },
    });
    expect(outcome).toMatchObject({ outcome: 'cancelled', reason: 'stopped' });
  });

  it('says what its program said', async () => {
    programs.add('paceline-tun', [], "echo 'paceline-tun: /dev/net/tun cannot be opened' >&2; exit 1");
    const outcome = await run(tun, { tracesDir: programs.dir, onFrame: () => undefined });
    expect(outcome.outcome).toBe('failed');
    expect(outcome.reason).toContain('/dev/net/tun cannot be opened');
  });
});

/** Bytes as the shell's printf takes them. */
const octal = (parts: readonly Uint8Array[]): string =>
  [...Buffer.concat(parts)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
