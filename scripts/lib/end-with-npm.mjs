const INTERVAL_MS = 500;

/**
 * npm and npx start a program through `sh -c` and pass a SIGTERM to that shell only, which leaves the program behind. So a
 * program started by npm ends when its shell has gone. One started directly may outlive its parent (`nohup`, `disown`).
 */
export function endWithNpm() {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  timer.unref();
}
