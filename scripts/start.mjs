/** `npm start [-- --port 0 …]`: sets up what is missing, then runs the server; its exit code is ours. */
import { spawn } from 'node:child_process';
import { ROOT } from './lib/paths.mjs';
import { setup } from './setup/steps.mjs';

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
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => server.kill(signal));
}
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
