import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '#bridge/programs';
import { z } from 'zod';
import { findProgram } from '../../lib/find.mjs';
import type { Measurement } from '../bench.ts';
import { bdpBytes, RTT_MS } from './links.ts';

const RATES_MBPS = [100, 400, 1000, 2000];
const DURATION_S = 5;
const DELAY_MS = RTT_MS / 2;
/** Of the iperf3 server on this machine's side of the link. */
const PORT = 5301;
/** Until it listens. */
const SERVER_START_MS = 300;

/** Another emulator, or ours, with the same link and the same iperf3 through it. */
interface Tool {
  readonly name: string;
  /** What stands in its way here, and what to do; null when it can be used. */
  readonly obstacle: (cca: string) => string | null;
  /** Command line that runs a shell's words behind a link of this rate; $BASE in them is the other end. */
  readonly wrap: (mbps: number, words: string, folder: string) => readonly string[];
}

/** Mahimahi's programs refuse root, and are installed with the right to become it. */
const asUser = (): readonly string[] =>
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

const TOOLS: readonly Tool[] = [
  {
    name: 'paceline-shell',
    obstacle: () => (process.getuid?.() === 0 ? null : 'its other end is this machine, which needs root'),
    wrap: (mbps, words) => [
      programPath('paceline-shell'),
      ...['--uplink-rate-mbps', String(mbps), '--delay-ms', String(DELAY_MS)],
      ...['--uplink-queue', 'droptail', '--uplink-queue-args', `bytes=${bdpBytes(mbps)}`],
      ...['--', 'sh', '-c', words.replaceAll('$BASE', '$PACELINE_BASE')],
    ],
  },
  {
    name: 'mm-link',
    obstacle: (cca) => {
      if (findProgram('mm-link') === undefined || findProgram('mm-delay') === undefined)
        return 'not installed (apt-get install mahimahi, or build github.com/ravinet/mahimahi)';
      if (readFileSync('/proc/sys/net/ipv4/ip_forward', 'utf8').trim() !== '1')
        return 'it wants sysctl -w net.ipv4.ip_forward=1';
      const allowed = readFileSync('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8').trim().split(' ');
      if (!allowed.includes(cca))
        return `it runs no root: sysctl -w net.ipv4.tcp_allowed_congestion_control="${[...allowed, cca].join(' ')}"`;
      return null;
    },
    wrap: (mbps, words, folder) => [
      ...asUser(),
      ...['mm-delay', String(DELAY_MS), 'mm-link', constantTrace(mbps, folder), constantTrace(4000, folder)],
      ...['--uplink-queue=droptail', `--uplink-queue-args=bytes=${bdpBytes(mbps)}`],
      ...['--', 'sh', '-c', words.replaceAll('$BASE', '$MAHIMAHI_BASE')],
    ],
  },
  {
    name: 'rattan',
    obstacle: () =>
      findProgram('rattan') === undefined ? 'not installed (cargo install rattan; it needs root)' : null,
    wrap: (mbps, words) => [
      ...['rattan', 'link', '--uplink-bandwidth', `${mbps}Mbps`, '--uplink-delay', `${DELAY_MS}ms`],
      ...['--downlink-delay', `${DELAY_MS}ms`],
      ...['--uplink-queue', 'droptail', '--uplink-queue-args', JSON.stringify({ byte_limit: bdpBytes(mbps) })],
      ...['--', 'sh', '-c', words.replaceAll('$BASE', '$RATTAN_BASE')],
    ],
  },
];

/** A trace of one period of whole milliseconds. */
function constantTrace(mbps: number, folder: string): string {
  const file = join(folder, `constant-${mbps}.trace`);
  const packets = mbps / 12;
  // Whole packets in whole milliseconds: 1 s is a multiple of every rate used here.
  const stamps = Array.from({ length: Math.round(packets * 1000) }, (_, i) => Math.ceil((i + 1) / packets));
  writeFileSync(file, `${stamps.join('\n')}\n`);
  return file;
}

const Report = z.object({ end: z.object({ sum_received: z.object({ bits_per_second: z.number() }) }) });

/** Goodput in Mbps, or why there is none. */
async function goodput(tool: Tool, mbps: number, cca: string, folder: string): Promise<string> {
  const server = spawn('iperf3', ['-s', '-1', '-p', String(PORT)], { stdio: 'ignore' });
  try {
    await new Promise((resolve) => setTimeout(resolve, SERVER_START_MS));
    const words = `iperf3 -c $BASE -p ${PORT} -C ${cca} -t ${DURATION_S} -O 1 -J`;
    const [command = '', ...args] = tool.wrap(mbps, words, folder);
    const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: (DURATION_S + 20) * 1000 });
    const report = Report.safeParse(parsed(stdout));
    if (report.success) return `${(report.data.end.sum_received.bits_per_second / 1e6).toFixed(0)} Mbps`;
    return `failed (${(stderr.trim().split('\n').at(-1) ?? '').slice(0, 120)})`;
  } finally {
    server.kill();
  }
}

/** iperf3's report; a tool may print words of its own before it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return null;
  }
}

/** The same links through the original Mahimahi and through Rattan, as far as they are installed. */
export async function peers(ccas: readonly string[], folder: string): Promise<readonly Measurement[]> {
  const title = 'iperf3 beside other emulators';
  if (findProgram('iperf3') === undefined)
    return [{ what: title, measured: 'not measured: iperf3 is not installed (apt-get install iperf3)' }];
  // Mahimahi runs as somebody else and reads its traces there.
  chmodSync(folder, 0o755);
  const rows: Measurement[] = [];
  const missing = new Set<string>();
  for (const mbps of RATES_MBPS)
    for (const cca of ccas) {
      const found: string[] = [];
      for (const tool of TOOLS) {
        const obstacle = tool.obstacle(cca);
        if (obstacle === null) found.push(`${tool.name} ${await goodput(tool, mbps, cca, folder)}`);
        else missing.add(`${tool.name}: ${obstacle}`);
      }
      rows.push({
        what: `iperf3 with ${cca}, ${mbps} Mbps, ${RTT_MS} ms, 1 BDP`,
        measured: `${found.join(', ')}; ${(0.965 * mbps).toFixed(0)} Mbps of goodput are possible`,
      });
    }
  return [...rows, ...[...missing].map((why) => ({ what: title, measured: `not measured: ${why}` }))];
}
