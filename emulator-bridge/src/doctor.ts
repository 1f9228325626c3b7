import { execFile } from 'node:child_process';
import { access, constants, readFile, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { DoctorCheck } from '#protocol/api';
import type { BpfObject } from './bpf.ts';
import { listCcas } from './ccas.ts';
import { CONTAINER_COMMAND, CONTAINER_REMEDY, inContainer } from './container.ts';
import { oneShot } from './one-shot.ts';
import { PROGRAMS, SETUP_COMMAND, type Program } from './programs.ts';
import { QUIC_REMEDY, quicHelper } from './quic.ts';

const GIB = 2 ** 30;
/** Below this an experiment of some size would fill the disk. */
const LOW_DISK_BYTES = 2 * GIB;

/** What this machine can do. Each check answers for itself: one that cannot be made says so and spoils no other. */
export async function examine(dataDir: string, bpf: readonly BpfObject[] = []): Promise<DoctorCheck[]> {
  const slow = await Promise.all([
    clockSource(),
    freeDisk(dataDir),
    ...PROGRAMS.map((program) => nativeProgram(program)),
    quic(),
    userNamespaces(),
    tunDevice(),
    kernelCcas(),
    kernelTcp(),
    bpfCcas(bpf),
  ]);
  return [cores(), ...slow];
}

/** What to do, and the command in it where there is one: only that is to be copied. */
interface Remedy {
  readonly words: string;
  readonly command: string | null;
}
const say = (words: string): Remedy => ({ words, command: null });
const run = (command: string, words = command): Remedy => ({ words, command });
const IN_CONTAINER = run(CONTAINER_COMMAND, CONTAINER_REMEDY);

const check = (id: string, label: string, ok: boolean, detail: string, remedy: Remedy | null = null): DoctorCheck => ({
  id,
  label,
  ok,
  detail,
  remedy: ok ? null : (remedy?.words ?? null),
  command: ok ? null : (remedy?.command ?? null),
});

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What one of our programs said when it failed, without the words around it. */
const saidBy = (program: Program, error: unknown): string =>
  reasonOf(error).replace(new RegExp(`^${program} ended with exit code \\d+: ${program}: `), '');

/** The file's text, or null when it cannot be read. */
async function textOf(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return null;
  }
}

function cores(): DoctorCheck {
  const count = availableParallelism();
  const model = cpus()[0]?.model ?? 'unknown processor';
  return check(
    'cores',
    'Processor cores',
    count >= 2,
    `${count} (${model}), ${(totalmem() / GIB).toFixed(1)} GiB memory, Linux ${release()}`,
    say('Real-time runs want two cores to themselves; virtual time is unaffected.'),
  );
}

async function clockSource(): Promise<DoctorCheck> {
  const source = await textOf('/sys/devices/system/clocksource/clocksource0/current_clocksource');
  return check(
    'clock',
    'Clock source',
    source === 'tsc' || source === 'arch_sys_counter' || source === 'kvm-clock',
    source ?? 'unknown',
    say(
      'Reading the time costs a system call here, which makes real-time runs less exact; virtual time is unaffected.',
    ),
  );
}

async function freeDisk(dataDir: string): Promise<DoctorCheck> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const detail = `${(free / GIB).toFixed(1)} GiB free in ${dataDir}`;
    return check(
      'disk',
      'Free disk',
      free >= LOW_DISK_BYTES,
      detail,
      say('Free some space or choose another --data-dir.'),
    );
  } catch (error) {
    return check(
      'disk',
      'Free disk',
      false,
      reasonOf(error),
      say('Choose a --data-dir that exists and can be written to.'),
    );
  }
}

async function nativeProgram(program: Program): Promise<DoctorCheck> {
  const remedy = run(SETUP_COMMAND);
  try {
    const { code, stdout, stderr } = await oneShot(program, ['--version'], { timeoutMs: 5000 });
    return check(program, program, code === 0, (code === 0 ? stdout : stderr).trim(), remedy);
  } catch (error) {
    return check(program, program, false, reasonOf(error), remedy);
  }
}

async function quic(): Promise<DoctorCheck> {
  const label = 'QUIC (quinn)';
  const words = `${QUIC_REMEDY.charAt(0).toUpperCase()}${QUIC_REMEDY.slice(1)}; everything but QUIC works without.`;
  const remedy = words.includes(SETUP_COMMAND) ? run(SETUP_COMMAND, words) : say(words);
  const helper = quicHelper();
  if (helper.path === null) return check('quic', label, false, `unavailable: ${helper.unavailable}`, remedy);
  try {
    const { stdout } = await promisify(execFile)(helper.path, ['--version'], { timeout: 5000 });
    return check('quic', label, true, stdout.trim());
  } catch (error) {
    return check('quic', label, false, reasonOf(error).split('\n')[0] ?? '', remedy);
  }
}

/** In a container the machine's own commands are of no use. */
const outside = (remedy: Remedy): Remedy => (inContainer() ? IN_CONTAINER : remedy);

async function userNamespaces(): Promise<DoctorCheck> {
  const label = 'User and network namespaces';
  const remedy = outside(run('sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000'));
  try {
    await promisify(execFile)('unshare', ['--user', '--map-root-user', '--net', 'true'], { timeout: 5000 });
    return check('namespaces', label, true, 'can be made without privileges');
  } catch (error) {
    return check('namespaces', label, false, reasonOf(error).split('\n')[0] ?? '', remedy);
  }
}

async function tunDevice(): Promise<DoctorCheck> {
  try {
    await access('/dev/net/tun', constants.R_OK | constants.W_OK);
    return check('tun', 'TUN device', true, '/dev/net/tun can be opened');
  } catch (error) {
    const remedy = outside(run('sudo modprobe tun && sudo chmod 0666 /dev/net/tun'));
    return check('tun', 'TUN device', false, reasonOf(error), remedy);
  }
}

/** Tries it: permissions come from too many places to be guessed. */
async function kernelTcp(): Promise<DoctorCheck> {
  const label = 'Runs of the kernel’s TCP';
  const remedy = outside(say('Give access to /dev/net/tun and to user namespaces (above), or run as root.'));
  try {
    await oneShot('paceline-tun', ['--check'], { timeoutMs: 5000 });
    return check('kernel-tcp', label, true, 'possible here');
  } catch (error) {
    return check('kernel-tcp', label, false, saidBy('paceline-tun', error), remedy);
  }
}

/** Whether real stacks run on this machine. */
export const stacksRun = async (): Promise<boolean> => (await kernelTcp()).ok;

/** Whether compiled algorithms can be loaded, and what became of those that the operator names. */
async function bpfCcas(objects: readonly BpfObject[]): Promise<DoctorCheck> {
  const label = 'BPF congestion control';
  const remedy = inContainer()
    ? run(CONTAINER_COMMAND, `${CONTAINER_REMEDY}, with --cap-add BPF --cap-add PERFMON as well`)
    : say('Everything else works without. What it takes: docs/tun.md, “Compiled algorithms”.');
  try {
    await oneShot('paceline-tun', ['--check-bpf'], { timeoutMs: 5000 });
    const missing =
      objects.length === 0 ? [] : (await listCcas(objects)).unavailable.filter(({ id }) => id !== undefined);
    const offered = objects.map(({ name }) => name).join(', ');
    const detail = missing.length > 0 ? missing.map(({ reason }) => reason).join('; ') : offered;
    return check('bpf', label, missing.length === 0, detail === '' ? 'possible here; none is named' : detail, remedy);
  } catch (error) {
    return check('bpf', label, false, saidBy('paceline-tun', error), remedy);
  }
}

async function kernelCcas(): Promise<DoctorCheck> {
  const available = await textOf('/proc/sys/net/ipv4/tcp_available_congestion_control');
  const chosen = await textOf('/proc/sys/net/ipv4/tcp_congestion_control');
  return check(
    'kernel-ccas',
    'Congestion control in the kernel',
    available !== null && available.split(' ').length > 1,
    available === null ? 'cannot be read' : `${available.split(' ').join(', ')} (default ${chosen ?? 'unknown'})`,
    run('sudo modprobe tcp_bbr'),
  );
}
