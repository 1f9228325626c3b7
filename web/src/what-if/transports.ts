// The transports that a flow of ours may have, as people call them.
import type { TransportProfile } from '#protocol/spec';

export const TRANSPORTS = [
  { id: 'tcp', label: 'TCP' },
  { id: 'quic', label: 'QUIC' },
  { id: 'quic-grow-underutilised', label: 'QUIC, unused windows grow' },
] as const satisfies readonly { readonly id: TransportProfile; readonly label: string }[];
