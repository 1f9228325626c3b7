import type { TraceRecord } from '#protocol/api';
import { traceFileUrl } from '../../api/actions';
import { MenuButton } from '../../ui/overlay';

/** The trace in every form that can hold it. */
export function DownloadAs({ trace: { id, info } }: { readonly trace: TraceRecord }) {
  const entries = [
    { id: 'ms-count', label: 'Trace, “ms count” text', href: traceFileUrl(id) },
    // A pause at the end cannot be written so.
    ...(info.last_ms === info.period_ms
      ? [{ id: 'mahimahi', label: 'Mahimahi', href: traceFileUrl(id, 'mahimahi') }]
      : []),
    { id: 'csv', label: 'CSV of rates, 10 ms', href: traceFileUrl(id, 'csv') },
    { id: 'csv-exact', label: 'CSV of rates, 1 ms: exact', href: traceFileUrl(id, 'csv', 1) },
    { id: 'netem', label: 'Script for tc netem, 100 ms', href: traceFileUrl(id, 'netem') },
  ];
  return (
    <MenuButton icon="download" entries={entries.map((entry) => ({ ...entry, download: true }))}>
      Download as
    </MenuButton>
  );
}
