// A file of another program as series: what it is says its content, not its name. Everything in it is taken for hostile.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isFlent, readFlent } from '#analysis/flent';
import { ImportRefused } from '#analysis/imported-series';
import { importedMeasurement } from '#analysis/iperf3-series';
import { jsonFault, type JsonFault } from '#analysis/json-fault';
import { isNs3, Ns3Trace } from '#analysis/ns3';
import { isOmnetpp, OmnetppVectors } from '#analysis/omnetpp';
import { isQlog, isQlogHead, QlogSequence, readQlog } from '#analysis/qlog';
import type { TraceOptions } from '#bridge/traces';
import type { Imported } from '#protocol/imported';
import { AppError } from '../errors.ts';
import { readMeasurement } from '../read-iperf3.ts';

/** A qlog of ours may have 64 MB. */
export const MAX_IMPORT_BYTES = 64 * 2 ** 20;
/** What one piece of JSON may have: it is read in one go, and others wait. */
const MOST_DOCUMENT_BYTES = 16 * 2 ** 20;

const KINDS =
  'It can be a data file of flent, a qlog (JSON or JSON-SEQ), a report of iperf3 -J, an ASCII trace of ns-3 or output vectors of OMNeT++; each also packed with gzip.';
/** Before each record of a sequence (RFC 7464). */
const RECORD = '\u001e';
/** So many records, then others have a turn. */
const AT_ONCE = 2000;
const LINES_AT_ONCE = 500;

export interface ReadImport {
  /** Made from the content. */
  readonly id: string;
  readonly imported: Imported;
}

/** `where`: what whoever gave it calls it. Throws AppError. */
export async function readImport(file: string, where: string, options: TraceOptions = {}): Promise<ReadImport> {
  const { size } = await stat(file);
  if (size > MAX_IMPORT_BYTES) throw tooLarge(`it has ${size} bytes`, where);
  const bytes = await readFile(file);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  try {
    return { id, imported: await read(textOf(await unpacked(bytes, where), where), where, options) };
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    throw new AppError('MEASUREMENT_REFUSED', error.message, {
      where: error.where === null ? where : `${where}: ${error.where}`,
      hint: KINDS,
    });
  }
}

const tooLarge = (message: string, where: string): AppError =>
  new AppError('MEASUREMENT_REFUSED', `${message}; ${MAX_IMPORT_BYTES} are the most`, { where });

const unzip = promisify(gunzip);

/** No more of it is unpacked than may be. */
async function unpacked(bytes: Uint8Array, where: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: MAX_IMPORT_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge('unpacked it has more bytes than that', where);
    throw new AppError('MEASUREMENT_REFUSED', 'it begins as gzip does, and cannot be unpacked', { where });
  }
}

function textOf(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('MEASUREMENT_REFUSED', 'it is not a text', { where, hint: KINDS });
  }
}

async function read(text: string, where: string, options: TraceOptions): Promise<Imported> {
  if (text.trim() === '') throw new ImportRefused('it is empty');
  if (text.startsWith(RECORD)) return sequence(text, RECORD, options);
  if (isNs3(text)) return lines(text, new Ns3Trace(), options);
  if (isOmnetpp(text)) return lines(text, new OmnetppVectors(), options);
  const head = headOf(text);
  if (head !== null && isQlogHead(head)) return sequence(text, '\n', options);
  if (looksLikeIperf3(text)) return importedMeasurement(await readMeasurement({ text }, where, options));
  if (Buffer.byteLength(text) > MOST_DOCUMENT_BYTES)
    throw new ImportRefused(`as one piece of JSON it may have ${MOST_DOCUMENT_BYTES} bytes`);
  const value = parsed(text, '');
  if (typeof value === 'object' && value !== null) {
    if (isFlent(value)) return readFlent(value);
    if (isQlog(value)) return readQlog(value);
  }
  throw new ImportRefused('this is JSON, but nothing that is read here');
}

const FIRST_LINE = 64 * 1024;

/** The first line, if it is JSON by itself. */
function headOf(text: string): object | null {
  const end = text.slice(0, FIRST_LINE).indexOf('\n');
  if (end < 0) return null;
  try {
    const value = JSON.parse(text.slice(0, end)) as unknown;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Also of a report that was cut short, and is not JSON any more. */
const looksLikeIperf3 = (text: string): boolean =>
  /^\s*\{\s*"(start"\s*:\s*\{|event"\s*:\s*"start")/.test(text.slice(0, 1024));

async function sequence(text: string, separator: string, { signal }: TraceOptions): Promise<Imported> {
  let log: QlogSequence | null = null;
  let number = 0;
  for (let at = text.startsWith(separator) ? 1 : 0; at < text.length;) {
    const found = text.indexOf(separator, at);
    const end = found < 0 ? text.length : found;
    const record = text.slice(at, end);
    at = end + 1;
    if (record.trim() === '') continue;
    number++;
    if (record.length > MOST_DOCUMENT_BYTES) throw new ImportRefused('it is too long', `record ${number}`);
    // What was cut off in the middle of a record ends there.
    const value = found < 0 && number > 1 ? lastOf(record) : parsed(record, `record ${number}, `);
    if (value === undefined) break;
    const place = number;
    if (log === null) log = new QlogSequence(value);
    else log.add(value, () => `record ${place}`);
    if (number % AT_ONCE === 0) {
      signal?.throwIfAborted();
      await setImmediate();
    }
  }
  if (log === null) throw new ImportRefused('it holds no record');
  return log.done();
}

interface LineReader {
  readonly add: (line: string, where: () => string) => void;
  readonly done: () => Imported;
}

/** What is cut off within a line ends with the line before it. */
async function lines(text: string, reader: LineReader, { signal }: TraceOptions): Promise<Imported> {
  let number = 0;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    if (end < 0 && number > 0) break;
    const line = text.slice(at, end < 0 ? text.length : end);
    at += line.length + 1;
    const place = ++number;
    reader.add(line.endsWith('\r') ? line.slice(0, -1) : line, () => `line ${place}`);
    if (number % LINES_AT_ONCE === 0) {
      signal?.throwIfAborted();
      await setImmediate();
    }
  }
  return reader.done();
}

function lastOf(record: string): unknown {
  try {
    return JSON.parse(record) as unknown;
  } catch {
    return undefined;
  }
}

/** null: it is not to be found, in a text that is one endless word. */
function faultOf(text: string): JsonFault | null {
  try {
    return jsonFault(text);
  } catch {
    return null;
  }
}

function parsed(text: string, before: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const fault = faultOf(text);
    throw new ImportRefused(
      `it is not JSON: ${fault?.message ?? 'it cannot be read'}`,
      fault === null ? null : `${before}line ${fault.line}, column ${fault.column}`,
    );
  }
}
