/** `npm start [-- --port 0 …]`: sets up what is missing, then runs the server; its exit code is ours. */
import { spawn } from 'node:child_process';
import { endWithNpm } from './lib/end-with-npm.mjs';
import { ROOT } from './lib/paths.mjs';
import { setup } from './setup/steps.mjs';

endWithNpm();
try {
  await setup();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const tsx = import.meta.resolve('tsx');
const server = spawn(process.execPath, ['--import', tsx, `${ROOT}/server/src/main.ts`, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.on('SIGTERM', () => server.kill('SIGTERM'));
process.on('SIGHUP', () => server.kill('SIGHUP'));
// Ctrl-C reaches the server by itself, as part of the terminal's foreground group; we only wait for it to end.
process.on('SIGINT', () => undefined);
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
