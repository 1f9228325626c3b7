// Packets of a window as rows, for CSV and for those who cannot see the picture.
import type { Table } from '../charts/types';
import type { PacketPlotData } from './data';
import { flowsOf } from './flows';
import { getTheme } from '../theme/theme';

const known = (time: number | undefined): number | null => (time === undefined || time === Infinity ? null : time);

export function packetRows(data: PacketPlotData, hidden: ReadonlySet<string>): Table {
  const flows = flowsOf(data, new Map(), getTheme());
  const { packets } = data.facts;
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (let i = 0; i < packets.count; i++) {
      const flow = flows[packets.flow[i] ?? 0];
      if (flow === undefined || hidden.has(flow.key)) continue;
      yield [
        packets.sent[i] ?? null,
        flow.label,
        packets.sequence[i] ?? null,
        packets.kind[i] ?? null,
        packets.fate[i]?.replace('_', ' ') ?? null,
        packets.bytes[i] ?? null,
        known(packets.queued[i]),
        known(packets.departed[i]),
        known(packets.ended[i]),
      ];
    }
  }
  return {
    columns: ['sent_s', 'series', 'segment', 'kind', 'fate', 'bytes', 'queued_s', 'departed_s', 'ended_s'],
    rows: rows(),
  };
}
