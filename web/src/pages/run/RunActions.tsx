// What can be taken away from a run: its link, its data, its manifest, the command that repeats it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunState } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import type { ProgramLog } from '#protocol/program-logs';
import { captureUrl, EXPORT_FORMATS, exportUrl, linkLogUrl, logUrl, ns3TraceUrl, qlogUrl } from '../../api/actions';
import { runLogsQuery } from '../../api/queries';
import { ShareButton } from '../../share/ShareButton';
import { Button } from '../../ui/button';
import { CodeDialog } from '../../ui/code-dialog';
import { MenuButton } from '../../ui/overlay';

/** Flows of which a qlog is kept. */
const qlogFlows = ({ qlog, flows }: RunManifest, ccas: ReadonlyMap<string, CcaDescriptor>): number[] =>
  flows.flatMap(({ cca }, flow) => (qlog === true && ccas.get(cca.id)?.kind === 'quic' ? [flow] : []));

const WRITTEN = { stdout: 'Output', stderr: 'Error output' } as const;

function logLabel({ flow, end, what, file }: ProgramLog, flows: number): string {
  const of = flows === 1 ? `the ${end}` : `the ${end} of flow ${flow + 1}`;
  return what === 'file' ? `${file ?? ''} of ${of}` : `${WRITTEN[what]} of ${of}`;
}

interface RunActionsProps {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly manifest: RunManifest;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  /** It can be made again packet by packet. */
  readonly watchable: boolean;
  /** Repeats the run's cell on a terminal; null while its experiment is not known. */
  readonly command: string | null;
}

export function RunActions({ id, name, state, manifest, ccas, watchable, command }: RunActionsProps) {
  const [open, setOpen] = useState(false);
  const over = state !== 'queued' && state !== 'running';
  // Whether or not the operator still has them.
  const external = manifest.flows.some(({ cca }) => cca.revision !== undefined);
  const logs = useQuery({ ...runLogsQuery(id, state), enabled: over && external });
  return (
    <>
      <ShareButton name={name} going={!over} />
      <MenuButton
        icon="download"
        aria-label="Download"
        entries={[
          ...EXPORT_FORMATS.map((format) => ({
            id: format,
            label: `Samples as ${format === 'parquet' ? 'Parquet' : format.toUpperCase()}`,
            href: exportUrl('runs', id, format),
            download: true,
          })),
          { id: 'flent', label: 'Samples for flent', href: exportUrl('runs', id, 'flent'), download: true },
          {
            id: 'omnetpp',
            label: 'Samples as vectors for OMNeT++',
            href: exportUrl('runs', id, 'omnetpp'),
            download: true,
          },
          ...(watchable
            ? [
                { id: 'pcapng', label: 'Packets for Wireshark', href: captureUrl(id), download: true },
                { id: 'ns3', label: 'Packets as an ASCII trace of ns-3', href: ns3TraceUrl(id), download: true },
                { id: 'link-log', label: 'Log of the link for Mahimahi', href: linkLogUrl(id), download: true },
              ]
            : []),
          ...qlogFlows(manifest, ccas).map((flow) => ({
            id: `qlog${flow}`,
            label: `qlog${manifest.flows.length === 1 ? '' : ` of flow ${flow + 1}`}, for qvis`,
            href: qlogUrl(id, flow),
            download: true,
          })),
          ...(logs.data ?? []).map((log) => ({
            id: log.name,
            label: logLabel(log, manifest.flows.length),
            href: logUrl(id, log.name),
            download: true,
          })),
        ]}
      >
        Download
      </MenuButton>
      <Button icon="braces" onPress={() => setOpen(true)}>
        Manifest
      </Button>
      {open ? (
        <CodeDialog
          title="Manifest"
          text={JSON.stringify(manifest, null, 2)}
          command={command}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
