import { existsSync } from 'node:fs';

/** Whether this is the inside of a container, as Docker, Podman and systemd-nspawn tell it. */
export const inContainer = (): boolean =>
  existsSync('/.dockerenv') || existsSync('/run/.containerenv') || (process.env['container'] ?? '') !== '';

/** What a container must be given for runs over TUN; docker/compose.tun.yaml gives it. */
export const CONTAINER_COMMAND = 'docker compose -f docker/compose.yaml -f docker/compose.tun.yaml up --build';
export const CONTAINER_REMEDY =
  `${CONTAINER_COMMAND}, or docker run --user root ` +
  '--device /dev/net/tun --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add SYS_NICE ' +
  '--security-opt systempaths=unconfined --security-opt apparmor=unconfined …';
