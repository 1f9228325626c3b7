// Drop files or pick them. What is accepted is said before; what is not a trace yet is looked at with the person.
import { useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { DropZone, FileTrigger, type FileDropItem } from 'react-aria-components';
import type { TraceRecord } from '#protocol/api';
import type { ApiError } from '../../api/client';
import { hasServer } from '../../api/ask';
import { FORMATS_HERE, UPLOAD_FORMATS } from '../../api/upload';
import { Button, IconButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { formatBytes } from '../../ui/format';
import { ProblemNotice } from '../../ui/notice';
import { ProgressBar } from '../../ui/progress';
import { PrivateSwitch } from '../Private';
import { SourceProblem } from './SourceProblem';
import { SourceReview } from './SourceReview';
import { dismissUpload, startUpload, uploads, type UploadItem } from './uploads';
import css from './upload.module.css';

export interface TraceUploadProps {
  readonly onDone: (trace: TraceRecord) => void;
  readonly compact?: boolean;
}

export function TraceUpload({ onDone, compact = false }: TraceUploadProps) {
  const queries = useQueryClient();
  const items = useSyncExternalStore(uploads.subscribe, uploads.get);
  const [isPrivate, setPrivate] = useState(false);
  const start = (files: readonly File[]): void => {
    for (const file of files) startUpload(queries, file, { onDone, isPrivate });
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
            {hasServer() ? UPLOAD_FORMATS : FORMATS_HERE}.
          </small>
        </div>
      </DropZone>
      <PrivateSwitch value={isPrivate} onChange={setPrivate} />
      <ul className={css['list']}>
        {items
          .filter((item) => item.state !== 'done')
          .map((item) => (
            <li key={item.id} className={css['item']}>
              <Item item={item} />
            </li>
          ))}
      </ul>
    </div>
  );
}

function Item({ item }: { readonly item: UploadItem }) {
  const { error, source, state } = item;
  if (error !== null) return <Refused item={item} error={error} />;
  if (source === null || state === 'sending' || state === 'checking') return <Sending item={item} />;
  return <SourceReview item={item} source={source} />;
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
  return <SourceProblem name={item.name} problem={fault} actions={dismiss} />;
}
