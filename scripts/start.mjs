/**
 * `npm start [-- --port 0 …]`: sets up what is missing and runs the server; its exit code is ours. The server begins as soon as its
 * packages are there and it is bundled: until the rest is, its page says how far that is (server/src/building).
 */
import { spawn } from 'node:child_process';
import { endWithNpm } from './lib/end-with-npm.mjs';
import { endRunning } from './lib/run.mjs';
import { bundled, NODE_FLAGS } from './lib/server-bundle.mjs';
import { setupSteps } from './setup/steps.mjs';

/** A start that is quicker needs no word about it. */
const WORTH_SAYING_MS = 3000;

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;

function startServer() {
  const words = [...NODE_FLAGS, bundled('server/src/cli/start.ts'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('message', (url) => {
    const slow = setTimeout(() => console.log(`Paceline is being built: ${url} says how far it is`), WORTH_SAYING_MS);
    // It has heard all that it wants.
    child.on('disconnect', () => clearTimeout(slow));
  });
  child.on('exit', (code, signal) => {
    // Refused its words, found its port taken, was ended: nothing is built for it any more.
    endRunning();
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 143));
  });
  return child;
}

/** @param {NodeJS.Signals} signal @param {number} code */
function end(signal, code) {
  if (server === undefined) {
    endRunning();
    process.exit(code);
  }
  server.kill(signal);
}

endWithNpm();
process.on('SIGTERM', () => end('SIGTERM', 143));
process.on('SIGHUP', () => end('SIGHUP', 143));
// Ctrl-C reaches the server by itself, as part of the terminal's foreground group; we only wait for it to end.
process.on('SIGINT', () => {
  if (server === undefined) end('SIGINT', 130);
});

/** What went wrong, each said once. @type {Set<string>} */
const faults = new Set();

await setupSteps({
  told: (steps) => {
    for (const { why } of steps.values()) {
      if (why !== undefined && !faults.has(why)) console.error(why);
      if (why !== undefined) faults.add(why);
    }
    if (steps.get('server')?.state === 'done') server ??= startServer();
    // It may have ended, or have heard enough.
    if (server?.connected === true) server.send([...steps.values()], () => undefined);
  },
});
if (server === undefined) process.exitCode = 1;
