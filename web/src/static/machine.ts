// What the reader's browser can do of what a server's machine would, as the doctor tells it.
import type { Doctor, DoctorCheck } from '#protocol/api';
import { formatBytes } from '#analysis/format';
import { engines, lanes } from '../engine/engines';
import { database } from './kept/database';
import { aboutSite } from './site-paths';

const check = (id: string, label: string, ok: boolean, detail: string, remedy: string | null = null): DoctorCheck => ({
  id,
  label,
  ok,
  detail,
  remedy: ok ? null : remedy,
  command: null,
});

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function engine(): Promise<DoctorCheck> {
  const label = 'Engine in virtual time';
  try {
    await engines();
    return check('engine', label, true, `WebAssembly, ${lanes()} run${lanes() === 1 ? '' : 's'} at a time`);
  } catch (error) {
    return check('engine', label, false, reasonOf(error), 'Use a browser of the last three years.');
  }
}

async function room(): Promise<DoctorCheck> {
  const label = 'Room for what is run here';
  try {
    await database();
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return check('room', label, true, `${formatBytes(usage)} of ${formatBytes(quota)} are used`);
  } catch (error) {
    return check('room', label, false, reasonOf(error), 'Leave the private window: in it this browser keeps nothing.');
  }
}

const NEEDED =
  'kernel TCP, QUIC and any program over a live link, and runs in real time, are for a machine that has Paceline installed';

export async function doctor(): Promise<Doctor> {
  const { version } = await aboutSite();
  // Browsers have none where the site came over plain HTTP.
  const offline = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
  return {
    version,
    checks: [
      await engine(),
      await room(),
      check(
        'offline',
        'Without a connection',
        offline,
        offline ? 'what this site has is kept in this browser' : 'this browser has not kept the site yet',
        'Open the site once over HTTPS, and reload it.',
      ),
      check('real', 'Real stacks', false, NEEDED, 'Install Paceline on a Linux machine and start it there.'),
    ],
  };
}
