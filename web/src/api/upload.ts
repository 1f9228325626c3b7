// Sends a trace file as the raw body of one request. XMLHttpRequest, because fetch cannot tell how much has been sent.
import { TraceSourceRecord } from '#protocol/api';
import { API, askApi, hasServer } from './ask';
import { ApiError, problemOf } from './client';

export const MAX_UPLOAD_BYTES = 1024 ** 3;
export const UPLOAD_FORMATS =
  'Mahimahi, “ms count”, tables of rates (CSV), G-NetTrack, Lumos5G, iperf3 JSON, packet captures, recorder logs; also gzip or zstd; up to 1 GiB';
/** Where the page reads them itself (static/kept/traces.ts). */
export const FORMATS_HERE =
  'Mahimahi, “ms count”, tables of rates (CSV), G-NetTrack, Lumos5G, iperf3 JSON, packet captures, recorder logs; also gzip; up to 256 MiB; they stay in this browser';

export interface Upload {
  readonly done: Promise<TraceSourceRecord>;
  readonly cancel: () => void;
}

export function uploadTrace(file: File, onProgress: (sent: number, total: number) => void): Upload {
  if (!hasServer()) return sentAtOnce(file);
  const request = new XMLHttpRequest();
  const done = new Promise<TraceSourceRecord>((resolve, reject) => {
    if (file.size > MAX_UPLOAD_BYTES) {
      reject(tooLarge(file));
      return;
    }
    request.open('POST', `${API}/trace-sources?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded, file.size));
    request.addEventListener('load', () => {
      if (request.status >= 300) {
        reject(problemOf(request.status, request.responseText, `upload of ${file.name}`));
        return;
      }
      const parsed = TraceSourceRecord.safeParse(JSON.parse(request.responseText));
      if (parsed.success) resolve(parsed.data);
      else reject(problemOf(request.status, request.responseText, `upload of ${file.name}`));
    });
    request.addEventListener('error', () => reject(broken(file)));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

/** Where nothing has to travel. */
function sentAtOnce(file: File): Upload {
  const abort = new AbortController();
  const send = async (): Promise<TraceSourceRecord> => {
    const path = `/trace-sources?name=${encodeURIComponent(file.name)}`;
    const answer = await askApi(path, { method: 'POST', body: file, signal: abort.signal });
    const text = await answer.text();
    if (!answer.ok) throw problemOf(answer.status, text, `upload of ${file.name}`);
    return TraceSourceRecord.parse(JSON.parse(text));
  };
  return { done: send(), cancel: () => abort.abort() };
}

const tooLarge = (file: File): ApiError =>
  new ApiError({
    type: 'about:blank',
    title: 'The file is too large',
    status: 413,
    code: 'UPLOAD_TOO_LARGE',
    detail: `${file.name} has ${(file.size / 1024 ** 3).toFixed(2)} GiB; a trace may have up to 1 GiB.`,
    hint: 'Compress it with gzip, or cut the part you need.',
  });

const broken = (file: File): ApiError =>
  new ApiError({
    type: 'about:blank',
    title: 'The upload was interrupted',
    status: 0,
    code: 'UPLOAD_INTERRUPTED',
    detail: `The connection ended before ${file.name} was sent.`,
    hint: 'Check that the server is running, then drop the file again.',
  });
