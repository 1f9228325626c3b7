// What live frames come through: a WebSocket to the server that the page came from, unless the page brings one of its own.
import { LIVE_SUBPROTOCOL } from '#protocol/live';

/** What the client needs of a WebSocket; tests bring their own. */
export type SocketFactory = () => WebSocket;

let own: SocketFactory | null = null;

export const connectThrough = (factory: SocketFactory): void => void (own = factory);

export const openSocket: SocketFactory = () => {
  if (own !== null) return own();
  const url = new URL('/api/v1/live', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url, LIVE_SUBPROTOCOL);
};
