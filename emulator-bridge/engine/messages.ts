// What a pool and its workers say to each other.
import type { ControlFrame } from '#protocol/control';
import type { FrameHeader } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import type { OwnDescription } from '#protocol/own-algorithm';
import type { EngineOutcome } from './engine.ts';

/** Which of the texts that were kept a run names. */
export type Kind = 'traces' | 'weights' | 'programs';

export type Question =
  | { readonly kind: 'module'; readonly module: WebAssembly.Module }
  | { readonly kind: 'keep'; readonly what: Kind; readonly sha256: string; readonly text: Uint8Array }
  | {
      readonly kind: 'run';
      readonly manifest: RunManifest;
      readonly named: Readonly<Record<Kind, readonly string[]>>;
      readonly samples: boolean;
    }
  | { readonly kind: 'describe'; readonly text: string }
  | { readonly kind: 'cancel' };

export type Answer =
  | {
      readonly kind: 'frame';
      readonly bytes: Uint8Array;
      readonly header: FrameHeader;
      readonly control: ControlFrame | null;
    }
  | { readonly kind: 'progress'; readonly timeS: number; readonly durationS: number }
  | { readonly kind: 'described'; readonly description: OwnDescription }
  /** Of a description: it could not be made at all. */
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'over'; readonly outcome: EngineOutcome };

/** A worker, the inside of one, or an end of a channel. */
export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  /** Of a worker: it could not be started, or threw. */
  onerror?: ((event: ErrorEvent) => void) | null;
  /** Of a worker: it ends at once, whatever it does. */
  terminate?(): void;
}
