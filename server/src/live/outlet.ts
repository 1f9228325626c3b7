import type { LiveMessage } from '#protocol/api';

/** The way to one viewer. */
export interface Outlet {
  readonly send: (message: LiveMessage) => void;
  readonly sendText: (text: string) => void;
  readonly sendBinary: (bytes: Uint8Array) => void;
  /** So much is on its way already that nothing more should be sent now. */
  readonly isFull: () => boolean;
  /** What `work` sends leaves in one piece, not in one system call per frame. */
  readonly together: (work: () => void) => void;
  readonly observeLag: (seconds: number) => void;
}
