import type { EndpointsEntry } from './external.ts';
import { ofClient, ofServer, type QuicFlow } from './quic-flow.ts';
import { hostedVoice, type Voice } from './voice.ts';

const FIRST_DESCRIPTOR = 3;

/** The entry of a flow whose programs tell their own story. */
interface TellingEntry {
  readonly sender: { readonly argv: readonly string[]; readonly pipes: Descriptors };
  readonly receiver: { readonly argv: readonly string[]; readonly pipes: Descriptors };
  readonly telemetry: 'own';
}

type Descriptors = Parameters<typeof hostedVoice>[2];

/** What runs inside paceline-tun, as its file of endpoints says it. */
export interface HostedPrograms {
  /** By flow; null: the kernel's TCP. */
  readonly entries: readonly (EndpointsEntry | TellingEntry | null)[];
  /** Descriptors beyond the usual three that it passes on. */
  readonly pipes: number;
  /** The programs that speak for themselves, once their host has started. */
  readonly voices: (host: Voice) => readonly Voice[];
}

/** A flow over QUIC takes four descriptors: the two of either program. */
export function hostedPrograms(flows: readonly (QuicFlow | EndpointsEntry | null)[]): HostedPrograms {
  const voices: ((host: Voice) => readonly Voice[])[] = [];
  const entries = flows.map((flow): HostedPrograms['entries'][number] => {
    if (flow === null || !('client' in flow)) return flow;
    const first = FIRST_DESCRIPTOR + 4 * voices.length;
    const [client, server] = [
      { stdin: first, stdout: first + 1 },
      { stdin: first + 2, stdout: first + 3 },
    ];
    voices.push((host) => voicesOf(flow, host, client, server));
    return {
      sender: { argv: flow.client, pipes: client },
      receiver: { argv: flow.server, pipes: server },
      telemetry: 'own',
    };
  });
  return { entries, pipes: 4 * voices.length, voices: (host) => voices.flatMap((of) => of(host)) };
}

const voicesOf = (quic: QuicFlow, host: Voice, client: Descriptors, server: Descriptors): readonly Voice[] => [
  hostedVoice(
    { label: `the QUIC client of flow ${quic.flow}`, role: 'sender', flow: quic.flow },
    host,
    client,
    (control) => (control === null ? null : ofClient(quic, control)),
  ),
  hostedVoice(
    { label: `the QUIC server of flow ${quic.flow}`, role: 'receiver', flow: quic.flow },
    host,
    server,
    (control) => (control === null ? 'nothing' : ofServer(control)),
  ),
];
