// What a run that goes on has sent so far, for those who look on and for those who keep it.
import type { ControlFrame } from '#protocol/control';
import type { FrameHeader } from '#protocol/frames';

export type Told =
  | { readonly kind: 'control'; readonly seq: number; readonly frame: ControlFrame }
  | { readonly kind: 'samples'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

export class Recording {
  readonly control: ControlFrame[] = [];
  readonly samples: Uint8Array[] = [];
  timeS = 0;
  isOver = false;
  readonly #listeners = new Set<(told: Told) => void>();

  add(bytes: Uint8Array, header: FrameHeader, control: ControlFrame | null): void {
    if (control === null) this.samples.push(bytes);
    else this.control.push(control);
    if (control?.type === 'progress' || control?.type === 'end') this.timeS = control.time_s;
    this.#tell(control === null ? { kind: 'samples', bytes } : { kind: 'control', seq: header.seq, frame: control });
  }

  end(): void {
    this.isOver = true;
    this.#tell({ kind: 'end' });
  }

  listen(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async packed(): Promise<{ readonly control: readonly ControlFrame[]; readonly samples: Uint8Array<ArrayBuffer> }> {
    const stream = new Blob(this.samples as Uint8Array<ArrayBuffer>[])
      .stream()
      .pipeThrough(new CompressionStream('gzip'));
    return { control: this.control, samples: new Uint8Array(await new Response(stream).arrayBuffer()) };
  }

  #tell(told: Told): void {
    for (const listener of this.#listeners) listener(told);
  }
}

/** Of the runs that go on in this page. */
export const recordings = new Map<string, Recording>();
