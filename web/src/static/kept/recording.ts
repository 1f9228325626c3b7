// What a run that goes on has sent so far, for those who look on and for those who keep it.
import type { ControlFrame } from '#protocol/control';
import type { FrameHeader } from '#protocol/frames';
import { packed } from './packing';

export type Told =
  | { readonly kind: 'control'; readonly seq: number; readonly frame: ControlFrame }
  | { readonly kind: 'samples'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

export class Recording {
  readonly control: ControlFrame[] = [];
  readonly samples: Uint8Array<ArrayBuffer>[] = [];
  timeS = 0;
  isOver = false;
  readonly #listeners = new Set<(told: Told) => void>();

  add(bytes: Uint8Array, header: FrameHeader, control: ControlFrame | null): void {
    if (control === null) this.samples.push(bytes as Uint8Array<ArrayBuffer>);
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
    return { control: this.control, samples: await packed(...this.samples) };
  }

  #tell(told: Told): void {
    for (const listener of this.#listeners) listener(told);
  }
}

/** Of the runs that go on in this page. */
export const recordings = new Map<string, Recording>();
