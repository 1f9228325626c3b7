/**
 * `npm run storm [-- --kills N --tens N --realtime N --duration S --seed N]`: 500 kills of the server and its native programs over 200
 * runs. Every run must end `done`, those in virtual time byte for byte like those of a server that nobody disturbs. Exits 1 otherwise.
 */
import { parseArgs } from 'node:util';
import { storm } from '../server/src/testing/soak/storm.ts';

const number = (value: string): { readonly type: 'string'; readonly default: string } => ({
  type: 'string',
  default: value,
});
const { values } = parseArgs({
  options: {
    kills: number('500'),
    tens: number('19'),
    realtime: number('10'),
    duration: number('200'),
    seed: number('1'),
  },
});

const { runs, kills, overruns, wall_s, faults } = await storm({
  seed: Number(values.seed),
  virtualTens: Number(values.tens),
  realtime: Number(values.realtime),
  kills: Number(values.kills),
  duration_s: Number(values.duration),
  onProgress: (line) => {
    console.log(line);
  },
});
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(
  `${kills.server + kills.native} kills (${kills.server} of the server, ${kills.native} of native programs) over ${runs} runs in ` +
    `${wall_s.toFixed(0)} s: ${faults.length === 0 ? 'every run is done, those in virtual time byte-identical' : `${faults.length} faults`}` +
    (overruns === 0 ? '' : `; ${overruns} times a real-time run was made again, as the machine was too slow`),
);
if (faults.length > 0) process.exitCode = 1;
