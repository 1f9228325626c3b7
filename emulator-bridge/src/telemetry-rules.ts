import { columnsOf } from '#protocol/samples';
import { ControlFrame, type Hello } from '#protocol/control';
import { FRAME_KIND_CONTROL, FrameError } from '#protocol/frames';
import { PROTOCOL_VERSION } from '#protocol/columns';
import { payloadOf, type Frame } from './frame-decoder.ts';

const SHOWN_CHARACTERS = 120;
const TEXT = new TextDecoder();

/**
 * What a well-behaved child's telemetry keeps to: `hello` before samples and fixed for the stream's life, rows without a gap, control
 * frames numbered from 0, nothing after `end`. Whoever reads a run later relies on it, so a child that breaks a rule has failed.
 */
export class TelemetryRules {
  readonly #nextRow = new Map<number, number>();
  readonly #columns = new Map<number, number>();
  #nextControl = 0;
  #hello: Hello | null = null;
  #ended = false;

  get hello(): Hello | null {
    return this.#hello;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The control frame's message, or null for samples. Throws FrameError naming the rule that was broken. */
  check(frame: Frame): ControlFrame | null {
    if (this.#ended) throw new FrameError('telemetry went on after `end`');
    if (frame.header.kind === FRAME_KIND_CONTROL) return this.#control(frame);
    this.#samples(frame);
    return null;
  }

  #control(frame: Frame): ControlFrame {
    const { seq } = frame.header;
    if (seq !== this.#nextControl) throw new FrameError(`control frame ${seq} where ${this.#nextControl} was due`);
    this.#nextControl += 1;
    const message = parseControl(payloadOf(frame));
    if (message.type === 'hello') this.#greet(message);
    else if (this.#hello === null && message.type !== 'ready' && message.type !== 'error')
      throw new FrameError(`\`${message.type}\` before \`hello\``);
    if (message.type === 'end') this.#ended = true;
    return message;
  }

  #greet(hello: Hello): void {
    if (this.#hello !== null) throw new FrameError('a second `hello`');
    if (hello.protocol !== PROTOCOL_VERSION)
      throw new FrameError(`the program speaks protocol ${hello.protocol}, this server ${PROTOCOL_VERSION}`);
    this.#hello = hello;
    for (const { stream, columns } of hello.streams) {
      if (this.#columns.has(stream)) throw new FrameError(`stream ${stream} is announced twice`);
      this.#columns.set(stream, columns.length - 1);
      this.#nextRow.set(stream, 0);
    }
  }

  #samples(frame: Frame): void {
    const { stream, seq, rows } = frame.header;
    const columns = this.#columns.get(stream);
    const next = this.#nextRow.get(stream);
    if (columns === undefined || next === undefined)
      throw new FrameError(`samples of stream ${stream}, which \`hello\` did not announce`);
    if (seq !== next) throw new FrameError(`stream ${stream} goes on at row ${seq}, row ${next} was due`);
    const found = columnsOf({ firstRow: seq, rows, payload: payloadOf(frame) });
    if (found !== columns)
      throw new FrameError(`stream ${stream} has ${found} columns beside the time, not ${columns}`);
    this.#nextRow.set(stream, next + rows);
  }
}

function parseControl(payload: Uint8Array): ControlFrame {
  const text = TEXT.decode(payload);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new FrameError(`a control frame that is not JSON: ${text.slice(0, SHOWN_CHARACTERS)}`);
  }
  const parsed = ControlFrame.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new FrameError(
    `an unknown control frame (${where}: ${issue?.message ?? ''}): ${text.slice(0, SHOWN_CHARACTERS)}`,
  );
}
