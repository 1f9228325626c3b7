import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { findProgram } from './find.mjs';
import { ROOT } from './paths.mjs';

/** How much of a failed command's output is worth showing. */
const TAIL_LINES = 40;

/** A command that did not exit with 0; the message holds the end of what it printed. */
export class CommandFailed extends Error {
  /**
   * @param {string} command
   * @param {string} how
   * @param {string} output
   */
  constructor(command, how, output) {
    const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
    super(`\`${command}\` ${how}${tail === '' ? '' : `\n${tail}`}`);
    this.output = output;
  }
}

/**
 * @typedef {'low' | 'idle' | undefined} Priority `low`: others come first; `idle`: nothing but time that no other process wants
 * @param {Priority} priority
 * @returns {readonly string[]} what to put before a command
 */
function withPriority(priority) {
  if (priority === undefined) return [];
  if (priority === 'idle' && inHurry) return [];
  const chrt = priority === 'idle' ? findProgram('chrt') : undefined;
  return chrt === undefined ? ['nice', '-n', priority === 'idle' ? '19' : '10'] : [chrt, '--idle', '0'];
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** Those of them that have idle time only, unless they are waited for. @type {Set<import('node:child_process').ChildProcess>} */
const idle = new Set();
/** Those of them that can stand still. @type {Set<import('node:child_process').ChildProcess>} */
const patient = new Set();
let inHurry = false;
let atRest = false;

/** @param {number} pid @returns {readonly number[]} it and all that it has started, and those */
function family(pid) {
  const children = textOf(`/proc/${pid}/task/${pid}/children`);
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(family)];
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return ''; // it has ended
  }
}

/**
 * Where Linux groups processes by session (sched_autogroup), a session gets its share however modest all its processes are: what has idle
 * time only has a session of its own, and that one stands back. Best effort: others have no such file.
 * @param {number} pid of a session's leader
 * @param {boolean} standsBack
 */
function sessionStandsBack(pid, standsBack) {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, standsBack ? '19' : '0');
  } catch {
    // It has ended, or there are no such groups.
  }
}

/**
 * Somebody waits for what works in idle time, or does no more: on a machine that others keep busy there may be no idle time.
 * @param {boolean} isWaitedFor
 */
export function hurry(isWaitedFor) {
  inHurry = isWaitedFor;
  for (const { pid } of idle) if (pid !== undefined) sessionStandsBack(pid, !isWaitedFor);
  const chrt = findProgram('chrt');
  if (chrt === undefined) return;
  for (const { pid } of idle)
    for (const one of pid === undefined ? [] : family(pid))
      spawnSync(chrt, ['--all-tasks', isWaitedFor ? '--other' : '--idle', '--pid', '0', String(one)]);
}

/**
 * What has idle time only stands still, with all that it has started and will start, or goes on.
 * @param {boolean} standsStill
 */
export function rest(standsStill) {
  if (standsStill === atRest) return;
  atRest = standsStill;
  for (const child of patient) tellAll(child, atRest ? 'SIGSTOP' : 'SIGCONT');
}

/**
 * A session of its own hears of no Ctrl-C: all of it is told.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function tellAll({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** Ends what is being done: whoever asked for it no longer wants it. */
export function endRunning() {
  for (const child of running) {
    if (!idle.has(child)) child.kill('SIGTERM');
    // What stands still ends when it goes on.
    else for (const signal of /** @type {const} */ (['SIGTERM', 'SIGCONT'])) tellAll(child, signal);
  }
}

/**
 * Runs a program and gives back what it printed on both streams; throws CommandFailed otherwise.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, timeoutMs?: number, heard?: (text: string) => void,
 *   priority?: Priority, seeksLeaks?: boolean }} [options]
 * `echo` also shows the output as it comes, `heard` is given each piece of it; `priority`: see `withPriority`; `seeksLeaks`: its programs
 * look for leaks when they end. To do so a program stops itself by a debugger's means, and waits for ever if a SIGCONT comes just then,
 * so these are never made to stand still
 * @returns {Promise<string>}
 */
export function run(
  program,
  args,
  { cwd = ROOT, env = process.env, echo = false, timeoutMs, heard, priority, seeksLeaks = false } = {},
) {
  const command = [program, ...args].join(' ');
  const [started = '', ...words] = [...withPriority(priority), program, ...args];
  return new Promise((resolve, reject) => {
    const detached = priority === 'idle';
    const child = spawn(started, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, detached });
    running.add(child);
    if (detached) {
      idle.add(child);
      if (child.pid !== undefined && !inHurry) sessionStandsBack(child.pid, true);
      if (!seeksLeaks) patient.add(child);
      if (!seeksLeaks && atRest) tellAll(child, 'SIGSTOP');
    }
    /** @type {Buffer[]} */
    const chunks = [];
    for (const [from, to] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      from.on('data', (/** @type {Buffer} */ chunk) => {
        chunks.push(chunk);
        if (echo) to.write(chunk);
        heard?.(chunk.toString());
      });
    }
    const forget = () => {
      running.delete(child);
      idle.delete(child);
      patient.delete(child);
    };
    child.on('error', (error) => {
      forget();
      reject(new CommandFailed(command, `could not be started: ${error.message}`, ''));
    });
    child.on('close', (code, signal) => {
      forget();
      const output = Buffer.concat(chunks).toString();
      if (code === 0) resolve(output);
      else
        reject(
          new CommandFailed(command, signal === null ? `failed (exit code ${code})` : `ended by ${signal}`, output),
        );
    });
  });
}

/**
 * The same, as a yes or no.
 * @param {string} program
 * @param {readonly string[]} args
 */
export async function succeeds(program, args) {
  try {
    await run(program, args);
    return true;
  } catch {
    return false;
  }
}
