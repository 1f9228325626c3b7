// From the text of an iperf3 report to one object: whole, cut short by a crash or Ctrl-C, or written line by line as it went
// (--json-stream).

export interface ReadReport {
  /** Null: not JSON, not even its beginning. */
  readonly value: object | null;
  readonly complete: boolean;
  /** More than one report, as a server writes them one after the other. */
  readonly several: boolean;
}

export function readReport(text: string): ReadReport {
  const source = text.replace(/^\uFEFF/, '').trim();
  const whole = parsed(source);
  if (whole !== null && !isEvent(whole)) return { value: whole, complete: true, several: false };
  const lines = eventLines(source);
  if (lines !== null) return lines;
  const { end, lastInterval } = scan(source);
  if (end !== null) {
    const first = parsed(source.slice(0, end));
    if (first !== null) return { value: first, complete: true, several: source.slice(end).trim().startsWith('{') };
  }
  // Everything up to the last interval that is whole.
  const value = lastInterval === null ? null : parsed(`${source.slice(0, lastInterval)}]}`);
  return { value, complete: false, several: false };
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}
const isEvent = (value: object): value is StreamEvent =>
  'event' in value && typeof value.event === 'string' && 'data' in value;

/** `{"event": "interval", "data": …}` a line; null when it is not of that kind. */
function eventLines(source: string): ReadReport | null {
  const events: StreamEvent[] = [];
  let starts = 0;
  for (const line of source.split('\n')) {
    const value = parsed(line);
    if (value === null || !isEvent(value)) {
      if (events.length === 0) return null;
      continue; // the last line of a file that was cut, a warning in between
    }
    if (value.event === 'start') starts++;
    events.push(value);
  }
  const data = (event: string): unknown => events.find((one) => one.event === event)?.data;
  const end = data('end');
  const value = {
    start: data('start'),
    intervals: events.filter((one) => one.event === 'interval').map((one) => one.data),
    ...(end === undefined ? {} : { end }),
    ...(typeof data('error') === 'string' ? { error: data('error') } : {}),
  };
  return { value, complete: end !== undefined, several: starts > 1 };
}

/** Where the first object ends, and where the last element of an array directly inside it does (only `intervals` is one). */
function scan(source: string): { readonly end: number | null; readonly lastInterval: number | null } {
  const open: string[] = [];
  let lastInterval: number | null = null;
  for (let at = 0; at < source.length; at++) {
    const c = source[at];
    if (c === '"') at = endOfString(source, at);
    else if (c === '{' || c === '[') open.push(c);
    else if (c === '}' || c === ']') {
      open.pop();
      if (open.length === 0) return { end: at + 1, lastInterval };
      if (open.length === 2 && open[0] === '{' && open[1] === '[') lastInterval = at + 1;
    }
  }
  return { end: null, lastInterval };
}

function endOfString(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '"') return at;
  }
  return source.length;
}
