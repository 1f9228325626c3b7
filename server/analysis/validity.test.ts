import { describe, expect, test } from 'vitest';
import { summaryOf } from '#analysis/testing';
import { verdictOf } from '#analysis/validity';
import type { RunSummary } from '#protocol/summary';

type LatenessSummary = NonNullable<RunSummary['lateness']>;

const good = summaryOf({ utilisation: 0.9, queueing_ms: 30, ccas: ['base', 'rival'] });
const onTime: LatenessSummary = {
  wakeups: 60_000,
  p50_us: 20,
  p99_us: 120,
  max_us: 900,
  late_opportunities: 0,
  unmodelled_losses: 0,
  overrun: false,
};
const realtime = (lateness: Partial<LatenessSummary>) =>
  verdictOf({ ...good, lateness: { ...onTime, ...lateness } }, { duration_s: 60 });

describe('verdict', () => {
  test('a whole run on time is valid', () => {
    expect(verdictOf(good, { duration_s: 60 })).toEqual({ valid: true, reasons: [], notes: [] });
    expect(realtime({})).toEqual({ valid: true, reasons: [], notes: [] });
  });

  test('a run shorter than 95 % is not', () => {
    expect(verdictOf({ ...good, duration_s: 57 }, { duration_s: 60 }).valid).toBe(true);
    expect(verdictOf({ ...good, duration_s: 56.9 }, { duration_s: 60 }).reasons).toEqual([
      'it ended after 56.9 s of 60 s',
    ]);
  });

  test('a flow that never started is named', () => {
    const senders = good.senders.map((sender) => (sender.flow === 1 ? { ...sender, sent_packets: 0 } : sender));
    expect(verdictOf({ ...good, senders }, { duration_s: 60 }).reasons).toEqual(['flow 2 (rival) never started']);
  });

  test('an emulator that ran late is not believed', () => {
    expect(realtime({ p99_us: 1001, overrun: true }).reasons).toEqual([
      'the emulator woke up to 1 ms late (99th percentile; at most 1 ms is allowed)',
    ]);
    expect(realtime({ late_opportunities: 0.02 }).reasons).toEqual([
      '2 % of the opportunities were served more than 1 ms late',
    ]);
    expect(realtime({ overrun: true }).reasons).toEqual(['the emulator could not keep up with the link']);
  });

  test('a lone late wake-up is a note', () => {
    expect(realtime({ max_us: 12_000 })).toMatchObject({
      valid: true,
      notes: ['the emulator once woke up 12 ms late'],
    });
  });

  test('losses outside the model are always said, and more than 0.01 % invalidate, whatever a single process called an overrun', () => {
    // 54 010 packets arrived: 5 are 0.00926 %, 6 are 0.0111 %.
    for (const overrun of [false, true])
      expect(realtime({ unmodelled_losses: 5, overrun })).toMatchObject({
        valid: true,
        notes: ['5 packets (0.00926 %) were lost outside the modelled queue'],
      });
    expect(realtime({ unmodelled_losses: 1 }).notes[0]).toMatch(/^1 packet \(0\.00185 %\) was lost/);
    expect(realtime({ unmodelled_losses: 6 }).reasons).toEqual([
      '6 packets (0.0111 %) were lost outside the modelled queue',
    ]);
  });

  test('the bound itself is allowed, and losses of a link to which nothing came are not', () => {
    const arriving = (arrived_packets: number, unmodelled_losses: number) =>
      verdictOf(
        {
          ...good,
          links: good.links.map((link) => ({ ...link, arrived_packets })),
          lateness: { ...onTime, unmodelled_losses },
        },
        { duration_s: 60 },
      ).valid;
    expect([arriving(30_000, 3), arriving(29_999, 3), arriving(0, 1), arriving(0, 0)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('a program that waited for a processor more than 7 % of its time is not believed, whatever the emulator did', () => {
    const judged = (kept_waiting_s: number, looked_s: number, host?: RunSummary['host']) =>
      verdictOf(
        {
          ...good,
          lateness: onTime,
          programs: [
            { flow: 0, end: 'sender', looked_s: 10, ran_s: 5, waited_s: 0.9, kept_waiting_s: 0.4 },
            // All threads together are no measure: they do not wait in turn.
            { flow: 1, end: 'receiver', looked_s, ran_s: 1, waited_s: 30, kept_waiting_s },
          ],
          ...(host && { host }),
        },
        { duration_s: 60 },
      ).reasons;
    expect(judged(0.7, 10)).toEqual([]);
    expect(judged(3.123, 10, { processors: 2, load_before: 3.5, load_after: 11.97 })).toEqual([
      'the program that is the receiver of flow 2 waited 31 % of the time for a processor (at most 7 % is allowed; load average 12 on 2 processors)',
    ]);
    expect(judged(0.72, 10)).toEqual([
      'the program that is the receiver of flow 2 waited 7.2 % of the time for a processor (at most 7 % is allowed)',
    ]);
    // Over before its start was little of it, or never seen.
    expect(judged(0.9, 0.99)).toEqual([]);
    expect(judged(0, 0)).toEqual([]);
  });

  test('more delivered than offered is a fault', () => {
    const links = good.links.map((link) => ({ ...link, utilisation: 1.001 }));
    expect(verdictOf({ ...good, links }, { duration_s: 60 }).valid).toBe(false);
  });
});
