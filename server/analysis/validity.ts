// Whether a run's figures may be believed. A run that is not valid stays visible with its reasons, but is left out of means.
import type { ProgramSummary, RunSummary } from '#protocol/summary';

/** Wake-ups later than this at the 99th percentile: the emulator, not the link, shaped the traffic. */
export const MAX_LATENESS_P99_US = 1000;
/** Share of opportunities served more than 1 ms late. */
export const MAX_LATE_OPPORTUNITIES = 0.01;
/** Share of the packets that came to the links which may be lost outside the modelled queue and loss element. */
export const MAX_UNMODELLED_LOSS = 1e-4;
/**
 * Share of its time that a thread of an external program may have been kept waiting for a processor by others. As measured (docs/external-programs.md):
 * alone on the machine programs wait for up to 5.3 %, and those whose throughput is off by more than 5 % for 8 % and more.
 */
export const MAX_PROCESSOR_WAIT = 0.07;
/** What a program waits for in its first moments says little of the rest: one that was over sooner is not judged. */
const SHORTEST_PROGRAM_S = 1;
/** A run must reach this share of its duration. */
export const MIN_DURATION_SHARE = 0.95;

export interface Verdict {
  readonly valid: boolean;
  /** Why it is not valid, in plain words. */
  readonly reasons: readonly string[];
  /** What is worth knowing although the run counts. */
  readonly notes: readonly string[];
}

const percent = (share: number, digits = 3): string => `${Number((share * 100).toPrecision(digits))} %`;

const waitShare = ({ kept_waiting_s, looked_s }: ProgramSummary): number =>
  looked_s > 0 ? kept_waiting_s / looked_s : 0;

/** External programs that had too little of the processor, each in a sentence: what they did was the machine's doing. */
export function starvedPrograms({ programs = [], host }: RunSummary): string[] {
  const load =
    host === undefined
      ? ''
      : `; load average ${Number(Math.max(host.load_before, host.load_after).toPrecision(2))} on ${host.processors} ${host.processors === 1 ? 'processor' : 'processors'}`;
  return programs
    .filter((program) => program.looked_s >= SHORTEST_PROGRAM_S && waitShare(program) > MAX_PROCESSOR_WAIT)
    .map((program) => {
      const allowed = `at most ${percent(MAX_PROCESSOR_WAIT)} is allowed${load}`;
      return `the program that is the ${program.end} of flow ${program.flow + 1} waited ${percent(waitShare(program), 2)} of the time for a processor (${allowed})`;
    });
}

/** `planned` is what the manifest (or the spec) asked for. */
export function verdictOf(summary: RunSummary, planned: { readonly duration_s: number }): Verdict {
  const reasons: string[] = [];
  if (summary.duration_s < MIN_DURATION_SHARE * planned.duration_s)
    reasons.push(`it ended after ${Number(summary.duration_s.toPrecision(4))} s of ${planned.duration_s} s`);
  for (const { flow, cca, sent_packets } of summary.senders)
    if (sent_packets === 0) reasons.push(`flow ${flow + 1} (${cca}) never started`);
  for (const { direction, utilisation } of summary.links)
    if (utilisation !== null && utilisation > 1 + 1e-9)
      reasons.push(
        `the ${direction} link delivered more than its opportunities: a fault of the engine, please report it`,
      );

  const machine = machineVerdict(summary);
  reasons.push(...machine.reasons);
  return { valid: reasons.length === 0, reasons, notes: machine.notes };
}

/** What this machine, and not the run, has done to it: another time it may keep up. */
export function machineVerdict(summary: RunSummary): Pick<Verdict, 'reasons' | 'notes'> {
  const reasons: string[] = [];
  const notes: string[] = [];
  const late = summary.lateness;
  if (late !== null) {
    const ms = (us: number): string => `${Number((us / 1e3).toPrecision(3))} ms`;
    const before = reasons.length;
    if (late.p99_us > MAX_LATENESS_P99_US)
      reasons.push(`the emulator woke up to ${ms(late.p99_us)} late (99th percentile; at most 1 ms is allowed)`);
    if (late.late_opportunities > MAX_LATE_OPPORTUNITIES)
      reasons.push(`${percent(late.late_opportunities)} of the opportunities were served more than 1 ms late`);
    const lost = late.unmodelled_losses;
    // A process that lost something saw only its own packets (and once called any loss an overrun): the share of all decides.
    if (late.overrun && lost === 0 && reasons.length === before)
      reasons.push('the emulator could not keep up with the link');
    if (lost > 0) {
      const arrived = summary.links.reduce((total, link) => total + link.arrived_packets, 0);
      const share = arrived === 0 ? '' : ` (${percent(lost / arrived)})`;
      const packets = lost === 1 ? '1 packet' : `${lost} packets`;
      const told = `${packets}${share} ${lost === 1 ? 'was' : 'were'} lost outside the modelled queue`;
      (lost > MAX_UNMODELLED_LOSS * arrived ? reasons : notes).push(told);
    }
    if (reasons.length === before && late.max_us > 10 * MAX_LATENESS_P99_US)
      notes.push(`the emulator once woke up ${ms(late.max_us)} late`);
  }
  reasons.push(...starvedPrograms(summary));
  return { reasons, notes };
}
