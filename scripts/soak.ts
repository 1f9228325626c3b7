/**
 * `npm run soak [-- --repetitions N --seed N]`: kills a random process of a run at a random moment, 200 times, and looks for what
 * is left: processes, network namespaces, devices, mounts, settings, temporary files; and whether it was said what happened.
 * Prints a table; exits 1 when anything was left.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { oneShot } from '#bridge/one-shot';
import { quicHelper } from '#bridge/quic';
import { soak, type Kill } from '../server/src/testing/soak/soak.ts';
import { orphanedSockets } from '../server/src/testing/soak/traces-of.ts';

/** TCP tries eight times, ever more rarely, to take leave of a peer that is gone; two minutes or so. */
const ORPHAN_PATIENCE_S = 200;

const { values } = parseArgs({
  options: { repetitions: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});

const check = await oneShot('paceline-tun', ['--check']).then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
const quic = quicHelper();
if (check !== null) console.log(`without kernel TCP, QUIC, external programs and shells: ${check}`);
else if (quic.path === null) console.log(`without QUIC: ${quic.unavailable}`);

const orphansBefore = orphanedSockets();
const kills = await soak({
  repetitions: Number(values.repetitions),
  seed: Number(values.seed),
  tun: check === null,
  quic: quic.path !== null,
  onKill: ({ scene, victim, after_ms, outcome, faults }, i) => {
    console.log(
      `${String(i + 1).padStart(4)}  ${scene.padEnd(31)} ${victim.padEnd(18)} after ${String(after_ms).padStart(4)} ms  ${outcome.slice(0, 90)}`,
    );
    for (const fault of faults) console.log(`      FAULT ${fault}`);
  },
});

const groups = new Map<string, Kill[]>();
for (const kill of kills) {
  const key = `${kill.scene.padEnd(33)}${kill.victim}`;
  groups.set(key, [...(groups.get(key) ?? []), kill]);
}
console.log(`\n${'what went on'.padEnd(33)}${'killed'.padEnd(22)}times  with faults`);
for (const [key, all] of [...groups].sort(([a], [b]) => a.localeCompare(b)))
  console.log(
    `${key.padEnd(55)}${String(all.length).padStart(5)}  ${all.filter(({ faults }) => faults.length > 0).length}`,
  );
const orphans = orphanedSockets();
const overAt = Date.now();
while (orphanedSockets() > orphansBefore && Date.now() < overAt + ORPHAN_PATIENCE_S * 1000) await sleep(200);
const waited_s = (Date.now() - overAt) / 1000;
console.log(
  `\nconnections of killed programs that the kernel still closed: ${Math.max(0, orphans - orphansBefore)}, ` +
    (orphanedSockets() > orphansBefore
      ? `and still some after ${ORPHAN_PATIENCE_S} s`
      : `none after ${waited_s.toFixed(0)} s`),
);
const bad = kills.filter(({ faults }) => faults.length > 0).length;
console.log(`\n${kills.length} kills, ${bad} left something or did not say what happened`);
if (bad > 0) process.exitCode = 1;
