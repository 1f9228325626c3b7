import { baseRttMs } from '#protocol/base-rtt';
import type { ControlFrame } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { SourceManifest } from '#protocol/source';
import { ProgramMissing } from './programs.ts';
import { helperCca, WINDOW_RULE_OFF } from './quic-ccas.ts';
import { quicHelper } from './quic.ts';

/** Of a flow: some 180 000 packets, about as many as qvis opens without effort. */
const QLOG_LIMIT_MB = 64;

/** The two programs of a flow over QUIC, as paceline-tun starts them; {receiver} and {port} are its to fill in. */
export interface QuicFlow {
  readonly flow: number;
  /** As in the manifest; the helper has another name for it. */
  readonly cca: string;
  readonly client: readonly string[];
  readonly server: readonly string[];
}

/** What the helper calls a source. */
function sourceWords(source: SourceManifest, index: number): string {
  switch (source.kind) {
    case 'bulk':
      return 'bulk';
    case 'rate':
      return `rate:${source.rate_mbps}`;
    case 'on_off':
      return `on-off:${[source.on_s, source.off_s, source.durations, ...(source.rate_mbps === undefined ? [] : [source.rate_mbps])].join(',')}`;
    default:
      throw new Error(`flow ${index}: over QUIC an application cannot write ${source.kind}`);
  }
}

/** null: the flow is not one over QUIC. */
export function quicFlow(manifest: RunManifest, index: number, qlog: string | null): QuicFlow | null {
  const flow = manifest.flows[index];
  if (flow === undefined) throw new RangeError(`the run has no flow ${index}`);
  const cca = helperCca(flow.cca.id);
  if (cca === null) return null;
  const { path, unavailable } = quicHelper();
  if (path === null) throw new ProgramMissing(`flow ${index} needs QUIC, which is unavailable: ${unavailable}`);

  const { [WINDOW_RULE_OFF.name]: ruleOff = false, ...params } = flow.cca.params;
  const option = (name: string, value: number | string | null): string[] =>
    value === null ? [] : [name, String(value)];
  // Without ECN unless the flow asks for it, like all others: a discipline that marks would treat it better.
  const common = [
    ...option('--flow', index),
    ...option('--duration', manifest.duration_s),
    ...option('--sample-ms', manifest.sample_period_ms),
    ...(flow.ecn === true ? [] : ['--no-ecn']),
    '--guest',
  ];
  const source = sourceWords(flow.source, index);
  return {
    flow: index,
    cca: flow.cca.id,
    client: [
      path,
      'client',
      ...option('--connect', '{receiver}:{port}'),
      ...option('--cca', cca),
      ...Object.entries(params).flatMap(([name, value]) => option('--param', `${name}=${String(value)}`)),
      ...(ruleOff === true ? ['--grow-underutilised'] : []),
      ...option('--source', source),
      ...option('--start', flow.start_s),
      ...option('--stop', flow.stop_s),
      ...option('--base-rtt-ms', baseRttMs(manifest, flow)),
      ...option('--seed', manifest.seed + index),
      ...(qlog === null ? [] : ['--qlog', qlog, ...option('--qlog-limit-mb', QLOG_LIMIT_MB)]),
      ...common,
    ],
    server: [
      path,
      'server',
      ...option('--listen', '{receiver}:{port}'),
      ...option('--window-limit', flow.window_limit_bytes ?? null),
      ...common,
    ],
  };
}

/** What a client says, in the words of the run. */
export function ofClient({ cca }: QuicFlow, control: ControlFrame): ControlFrame {
  switch (control.type) {
    case 'hello':
      return { ...control, streams: control.streams.map((stream) => ({ ...stream, cca })) };
    case 'summary':
      return { ...control, senders: control.senders.map((sender) => ({ ...sender, cca })) };
    default:
      return control;
  }
}

/** The link knows better what arrived, and when: of a server only how well it kept up is of use. */
export function ofServer(control: ControlFrame): ControlFrame {
  switch (control.type) {
    case 'hello':
      return { ...control, streams: [] };
    case 'summary':
      return { ...control, receivers: [] };
    default:
      return control;
  }
}
