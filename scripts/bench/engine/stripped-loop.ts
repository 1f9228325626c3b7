import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nativeBuild } from '../../setup/native.mjs';
import { NATIVE_BUILD } from '../../lib/paths.mjs';
import { RTT_MS, type Scenario } from './rate.ts';

const run = promisify(execFile);

/** Builds the loop that does the least a simulator can do (emulator-bridge/native/bench/stripped_loop.cc). */
export const buildStrippedLoop = (): Promise<string> => nativeBuild({ target: 'paceline-bench-loop' });

/** Million packets that it takes through the scenario's link per second of processor time. */
export async function strippedLoopRate({ duration_s, mbps, bdp }: Scenario): Promise<number> {
  const words = [duration_s, mbps, RTT_MS, bdp].map(String);
  const { stdout } = await run(`${NATIVE_BUILD}/bin/paceline-bench-loop`, words);
  const { packets, cpu_s } = JSON.parse(stdout) as { packets: number; cpu_s: number };
  return packets / cpu_s / 1e6;
}
