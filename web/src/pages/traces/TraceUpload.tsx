// Drop files or pick them. What is accepted is said before; a refusal names the line, shows it, and says what to do.
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { DropZone, FileTrigger, type FileDropItem } from 'react-aria-components';
import type { TraceRecord } from '#protocol/api';
import type { ApiError } from '../../api/client';
import { UPLOAD_FORMATS } from '../../api/upload';
import { Button, IconButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { formatBytes } from '../../ui/format';
import { Notice, ProblemNotice } from '../../ui/notice';
import { ProgressBar } from '../../ui/progress';
import { dismissUpload, startUpload, uploads, type UploadItem } from './uploads';
import css from './upload.module.css';

export interface TraceUploadProps {
  readonly onDone: (trace: TraceRecord) => void;
  readonly compact?: boolean;
}

export function TraceUpload({ onDone, compact = false }: TraceUploadProps) {
  const queries = useQueryClient();
  const items = useSyncExternalStore(uploads.subscribe, uploads.get);
  const start = (files: readonly File[]): void => {
    for (const file of files) startUpload(queries, file, onDone);
  };
  return (
    <div>
      <DropZone
        className={cx(css['zone'], compact && css['compact'])}
        aria-label="Drop trace files here"
        onDrop={(event) => {
          const files = event.items.filter((item): item is FileDropItem => item.kind === 'file');
          void Promise.all(files.map((item) => item.getFile())).then(start);
        }}
      >
        <FileTrigger allowsMultiple onSelect={(list) => start([...(list ?? [])])}>
          <Button icon="upload">Upload a trace</Button>
        </FileTrigger>
        <div>
          {compact ? null : <p>…or drop files here.</p>}
          <small>
            {compact ? 'or drop files here: ' : ''}
            {UPLOAD_FORMATS}.
          </small>
        </div>
      </DropZone>
      <ul className={css['list']}>
        {items
          .filter((item) => item.state !== 'done')
          .map((item) => (
            <li key={item.id} className={css['item']}>
              {item.error === null ? <Sending item={item} /> : <Refused item={item} error={item.error} />}
            </li>
          ))}
      </ul>
    </div>
  );
}

function Sending({ item }: { readonly item: UploadItem }) {
  return (
    <>
      <div className={css['row']}>
        <span>
          {item.name}{' '}
          {item.state === 'checking'
            ? 'arrived; checking every line …'
            : `${formatBytes(item.sent)} of ${formatBytes(item.size)}`}
        </span>
        <IconButton icon="close" size="small" label={`Cancel the upload of ${item.name}`} onPress={item.cancel} />
      </div>
      <ProgressBar label={`Upload of ${item.name}`} value={item.size === 0 ? 1 : item.sent / item.size} />
    </>
  );
}

function Refused({ item, error }: { readonly item: UploadItem; readonly error: ApiError }) {
  const fault = error.problem.trace;
  const dismiss = <IconButton icon="close" size="small" label="Dismiss" onPress={() => dismissUpload(item.id)} />;
  if (fault === undefined) return <ProblemNotice error={error} actions={dismiss} />;
  return (
    <Notice
      kind="problem"
      title={fault.line === null ? `${item.name} was refused` : `${item.name}, line ${String(fault.line)}`}
      actions={dismiss}
    >
      <div>{fault.message}</div>
      {fault.text === null ? null : (
        <div className={css['line']}>
          <b>{fault.line}</b>
          {fault.text}
        </div>
      )}
      {fault.hint === null ? null : <div>{fault.hint}</div>}
    </Notice>
  );
}
