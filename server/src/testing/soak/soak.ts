// Kills a random process of a run at a random moment, again and again, and looks for what is left of it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessEntry } from '#bridge/testing/fake-programs';
import type { TestProcess } from '../process.ts';
import { generator } from './random.ts';
import { BYSTANDER, commandLine, configure, nextCommand, shell, SoakServer, type Path, type Place } from './scenes.ts';
import { differences, hostState, marked, networksOf, stillHeld, temporaryFiles, ticksNow } from './traces-of.ts';

/** The kernel takes a moment to clear away what was killed; a loaded machine takes longer. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** Processes of a run are there within this time, so moments before, at and after their start are hit. */
const LATEST_KILL_MS = 3000;

/** Of the living server, and nothing to a run in real time: it waits for the next one in virtual time. The kernel cuts names. */
const RESTING = 'paceline-simulate'.slice(0, 15);

/** How a shell names a program that was ended by Ctrl-C. */
const INTERRUPTED = 130;

export interface Kill {
  readonly scene: string;
  readonly victim: string;
  readonly after_ms: number;
  /** What was said of it, or done about it. */
  readonly outcome: string;
  /** What is left, or was not said; empty: nothing is wrong. */
  readonly faults: readonly string[];
}

export interface SoakOptions {
  readonly repetitions: number;
  readonly seed: number;
  /** Runs over TUN and shells are left out where they are not possible. */
  readonly tun: boolean;
  /** So are those over QUIC. */
  readonly quic: boolean;
  readonly onKill?: (kill: Kill, index: number) => void;
}

type Scene = (soak: Soak, path: Path) => Promise<Kill>;

const onServer: Scene = (soak, path) => soak.onServer(path);
const onCommandLine: Scene = (soak, path) => soak.onCommandLine(path);
const onShell: Scene = (soak) => soak.onShell();

/** Each pair: what goes on, and over which path. */
const SCENES: readonly { readonly path: Path; readonly play: Scene }[] = [
  { path: 'kernel TCP', play: onServer },
  { path: 'UDP', play: onServer },
  { path: 'external programs', play: onServer },
  { path: 'QUIC', play: onServer },
  { path: 'kernel TCP', play: onShell },
  { path: 'kernel TCP', play: onCommandLine },
  { path: 'UDP', play: onCommandLine },
  { path: 'external programs', play: onCommandLine },
  { path: 'QUIC', play: onCommandLine },
];

export async function soak(options: SoakOptions): Promise<readonly Kill[]> {
  const possible = ({ path }: { readonly path: Path }): boolean =>
    path === 'UDP' || (options.tun && (path !== 'QUIC' || options.quic));
  const scenes = SCENES.filter(possible);
  const work = new Soak(options.seed);
  const kills: Kill[] = [];
  try {
    for (let i = 0; i < options.repetitions; i++) {
      const scene = scenes[i % scenes.length];
      if (scene === undefined) break;
      const kill = await scene.play(work, scene.path);
      kills.push(kill);
      options.onKill?.(kill, i);
    }
  } finally {
    await work.close();
  }
  return kills;
}

class Soak {
  readonly #place: Place;
  readonly #host = hostState();
  readonly #random: () => number;
  #server: SoakServer | null = null;
  #seed = 0;

  constructor(seed: number) {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-soak-'));
    this.#place = { folder, mark: randomUUID(), tmp: join(folder, 'tmp') };
    mkdirSync(this.#place.tmp);
    configure(this.#place);
    this.#random = generator(seed);
  }

  async close(): Promise<void> {
    await this.#server?.process.kill('SIGTERM');
    for (const { pid } of marked(this.#place.mark)) process.kill(pid, 'SIGKILL');
    rmSync(this.#place.folder, { recursive: true, force: true });
  }

  /** The server, the run's programs; the server is started again when it was the one. */
  async onServer(path: Path): Promise<Kill> {
    const server = (this.#server ??= await SoakServer.start(this.#place));
    const own = new Set(marked(this.#place.mark).map(({ pid }) => pid));
    const run = await server.submit(path, ++this.#seed);
    const hit = await this.#hit(server.process);
    const faults: string[] = [];
    let outcome: string;
    if (hit.pid === server.process.pid) {
      await server.process.ended();
      faults.push(...(await this.#leftOf(hit, new Set())));
      this.#server = await SoakServer.start(this.#place);
      const { state } = await this.#server.run(run);
      outcome = `server restarted, run ${state} again`;
      if (state !== 'queued' && state !== 'running') faults.push(`after the restart the run is ${state}`);
      if (!/a run was interrupted and will run again/.test(this.#server.process.stderr))
        faults.push('the restarted server does not say that the run was interrupted');
      const stopped = await this.#server.stop(run);
      if (stopped.state !== 'cancelled') faults.push(`the run that was stopped is ${stopped.state}`);
      const here = new Set(
        marked(this.#place.mark)
          .filter(isServers)
          .map(({ pid }) => pid),
      );
      faults.push(...(await this.#leftOf(hit, here)));
    } else if (hit.name === BYSTANDER || hit.name === RESTING) {
      const { state } = await server.stop(run);
      outcome = `the run went on; then ${state}`;
      if (state !== 'cancelled') faults.push(`the run that was stopped is ${state}`);
      faults.push(...(await this.#leftOf(hit, own)));
    } else {
      const { state, reason, setback } =
        (await until(async () => {
          const record = await server.run(run);
          return (record.setback ?? null) === null && record.state === 'running' ? null : record;
        })) ?? (await server.run(run));
      outcome = `${state}: ${setback?.reason ?? reason ?? ''}`;
      if ((state !== 'queued' && state !== 'running') || !names(setback?.reason ?? '', hit))
        faults.push(`the run is not made again, or does not say what happened: ${outcome}`);
      const stopped = await server.stop(run);
      if (stopped.state !== 'cancelled') faults.push(`the run that was stopped is ${stopped.state}`);
      faults.push(...(await this.#leftOf(hit, own)));
    }
    faults.push(...this.#temporary());
    return { scene: `server, ${path}`, victim: hit.name, after_ms: hit.after_ms, outcome, faults };
  }

  async onCommandLine(path: Path): Promise<Kill> {
    const server = new Set(marked(this.#place.mark).map(({ pid }) => pid));
    const root = commandLine(this.#place, path, ++this.#seed);
    const hit = await this.#hit(root, LATEST_KILL_MS);
    const faults: string[] = [];
    let outcome = 'killed';
    if (hit.name === BYSTANDER) {
      outcome = 'the run went on; then stopped';
    } else if (hit.pid !== root.pid) {
      const said = await until(() => /^run \w+: (.*); try 2 of \d+ follows$/m.exec(root.stderr));
      outcome = said?.[1] ?? '';
      if (!names(outcome, hit)) faults.push(`it does not say what happened: ${root.stderr}`);
    }
    if (hit.pid !== root.pid) root.child.kill('SIGTERM');
    const { code } = await root.ended();
    if (hit.pid !== root.pid && code !== INTERRUPTED) faults.push(`exit code ${code ?? '?'} after SIGTERM`);
    faults.push(...(await this.#leftOf(hit, server)));
    // Its own folder is left when it was killed; whoever comes next removes it.
    if (hit.pid === root.pid) await nextCommand(this.#place);
    faults.push(...this.#temporary());
    return { scene: `paceline run, ${path}`, victim: hit.name, after_ms: hit.after_ms, outcome, faults };
  }

  async onShell(): Promise<Kill> {
    const server = new Set(marked(this.#place.mark).map(({ pid }) => pid));
    const root = shell(this.#place);
    const hit = await this.#hit(root);
    // A child that the command does not wait for ends alone; then the shell is told to.
    const alone = await until(() => ((root.child.exitCode ?? root.child.signalCode) === null ? null : true), 1500);
    if (alone === null) root.child.kill('SIGTERM');
    const { code } = await root.ended();
    const outcome = alone === null ? 'it went on; then stopped' : `exit code ${code ?? 'none'}`;
    const faults = [...(await this.#leftOf(hit, server)), ...this.#temporary()];
    return { scene: 'paceline shell', victim: hit.name, after_ms: hit.after_ms, outcome, faults };
  }

  /** Waits for a random moment and kills a random process: the root, or one of the native programs or what they have started. */
  async #hit(root: TestProcess, later = 0): Promise<Hit> {
    const after_ms = Math.round(this.#random() * LATEST_KILL_MS) + (this.#random() < 0.5 ? later : 0);
    await sleep(after_ms);
    const tree = treeOf(root.pid, marked(this.#place.mark));
    const victims = tree.filter(({ pid, name }) => pid === root.pid || name !== 'esbuild');
    const victim = victims[Math.floor(this.#random() * victims.length)];
    if (victim === undefined) throw new Error('it has ended by itself before it could be killed');
    const networks = networksOf(tree.map(({ pid }) => pid));
    const at = ticksNow();
    process.kill(victim.pid, 'SIGKILL');
    const name = victim.pid === root.pid ? 'the root (node)' : victim.name;
    return { pid: victim.pid, name, after_ms, networks, at };
  }

  /** Processes with our mark but these, the networks they were in, and what has changed on the host. */
  async #leftOf(hit: Hit, mayStay: ReadonlySet<number>): Promise<string[]> {
    const look = (): string[] => [
      ...marked(this.#place.mark)
        .filter(
          ({ pid, name, parent }) => !mayStay.has(pid) && !(name === RESTING && parent === this.#server?.process.pid),
        )
        .map(({ pid, name }) => `process ${pid} (${name}) is left`),
      ...stillHeld(hit.networks, hit.at).map((network) => `network namespace ${network} is left`),
      ...differences(this.#host, hostState()),
    ];
    let left: string[] = [];
    await until(() => {
      left = look();
      return left.length === 0 ? true : null;
    });
    return left;
  }

  #temporary(): string[] {
    return temporaryFiles(this.#place.tmp).map((name) => `temporary file ${name} is left`);
  }
}

interface Hit {
  readonly pid: number;
  readonly name: string;
  readonly after_ms: number;
  readonly networks: ReadonlySet<string>;
  /** When it was killed, in ticksNow(). */
  readonly at: number;
}

/** A program is named by its command, and its guard, the first process of its namespace, by the program. */
const names = (reason: string, { name }: Hit): boolean =>
  reason.includes(name.slice(0, 12)) ||
  /the (sender|receiver) of flow 0, \S+, was ended by the signal Killed/.test(reason);

const isServers = ({ name }: ProcessEntry): boolean => !name.startsWith('paceline-');

/** The process and its descendants. */
function treeOf(root: number, among: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const found = new Set([root]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const { pid, parent } of among) if (found.has(parent)) found.add(pid);
  }
  return among.filter(({ pid }) => found.has(pid));
}

/** What `look` gives once it is something; null when it never was. */
async function until<T>(look: () => T | null | Promise<T | null>, patienceMs = PATIENCE_MS): Promise<T | null> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== null || Date.now() > end) return found;
    await sleep(LOOK_EVERY_MS);
  }
}
