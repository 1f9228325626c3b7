/**
 * `npm run chaos [-- --kills N --seed N]`: three campaigns against a server at work, over runs in virtual time, in real time and over the
 * kernel's TCP. First 1,000 kills of the server and its native programs; then kills over a disk that fails at random; then kills of the
 * workers that make its runs and of the Redis between them, too. No result may be lost, doubled or changed, no process, device, mount
 * or file left, and the data folder is whole. Exits 1 otherwise.
 */
import { parseArgs } from 'node:util';
import { oneShot } from '#bridge/one-shot';
import { withoutRedis } from '../server/src/testing/redis.ts';
import { storm, type StormOptions } from '../server/src/testing/soak/storm.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isInteger(kills) || kills < 4 || !Number.isInteger(seed))
  throw new Error('--kills wants a whole number of 4 or more, --seed a whole number');

const refusal = await oneShot('paceline-tun', ['--check']).then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
if (refusal !== null) console.log(`without kernel TCP: ${refusal}`);
const measured = { realtime: 5, tun: refusal === null ? 5 : 0 };

async function campaign(title: string, options: StormOptions): Promise<void> {
  console.log(title);
  const onProgress = (line: string): void => console.log(`  ${line}`);
  const done = await storm({ ...options, onProgress });
  for (const fault of done.faults) console.log(`  FAULT ${fault}`);
  const { server, native, worker, redis } = done.kills;
  const ofWorkers = options.workers === undefined ? '' : `${worker} of workers, ${redis} of Redis, `;
  const byWorkers = options.workers === undefined ? '' : `, ${done.made} of them and of their tries made by workers,`;
  console.log(
    `  ${server} kills of the server, ${native} of native programs, ${ofWorkers}${done.refused} calls refused by the disk, ` +
      `${done.runs} runs${byWorkers} in ${done.wall_s.toFixed(0)} s: ` +
      (done.faults.length === 0 ? 'every run is done, the same, and nothing is left' : `${done.faults.length} faults`),
  );
  const killed = options.workers === undefined ? server + native : worker + redis;
  if (killed === 0) console.log('  FAULT nothing was killed');
  if (done.faults.length > 0 || killed === 0) process.exitCode = 1;
}

await campaign('Kills', { seed, virtualTens: 19, duration_s: 200, kills, ...measured });
await campaign('Kills over a disk that fails at random', {
  ...{ seed: seed + 1, virtualTens: 19, duration_s: 200, kills: Math.round(kills / 4), disk: Math.round(kills / 5) },
  ...measured,
});
if (withoutRedis !== null) console.log(`without workers: ${withoutRedis}`);
else
  await campaign('Kills of workers and Redis, too', {
    ...{ seed: seed + 2, virtualTens: 19, duration_s: 200, kills: Math.max(20, Math.round(kills / 4)), workers: 3 },
    ...measured,
  });
