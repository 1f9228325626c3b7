// What this browser keeps of what was run, written and brought in on a site without a server.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Cell, RunRole, RunState, TraceRecord } from '#protocol/api';
import type { Labels } from '#protocol/labels';
import type { RunManifest } from '#protocol/manifest';
import type { OwnAlgorithm } from '#protocol/own-algorithm';
import type { ShareRecord } from '#protocol/share';
import type { ExperimentSpec } from '#protocol/spec';
import type { TraceDynamics } from '#protocol/trace';
import type { RunSummary } from '#protocol/summary';
import { ownName } from '../../ui/place';
import { heldByOlder, keptByNewer, noRoom, Refused } from '../refusals';

/** A run in its place in the matrix. */
export interface KeptPlace {
  readonly run: string;
  readonly cell: string;
  readonly role: RunRole;
  readonly repetition: number;
}

export interface KeptExperiment {
  readonly id: string;
  readonly created_at: string;
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  /** In the order of the matrix; equal manifests are one run. */
  readonly places: readonly KeptPlace[];
  readonly labels: Labels;
}

export interface KeptRun {
  readonly id: string;
  readonly manifest: RunManifest;
  readonly state: RunState;
  readonly reason: string | null;
  readonly time_s: number;
  readonly summary: RunSummary | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** The site has it, with its samples: nothing was run here. */
  readonly ofSite: boolean;
}

export interface KeptFrames {
  readonly run: string;
  readonly control: readonly unknown[];
  /** Sample frames one after the other, packed with gzip. */
  readonly samples: Uint8Array<ArrayBuffer>;
}

export interface KeptAlgorithm extends OwnAlgorithm {
  readonly text: string;
  readonly deleted_at: string | null;
}

export interface KeptTrace {
  readonly id: string;
  readonly record: TraceRecord;
  readonly dynamics: TraceDynamics | null;
  /** Canonical (docs/traces.md), packed with gzip. */
  readonly text: Uint8Array<ArrayBuffer>;
}

/** What its page had read (protocol/share.ts), as JSON, packed with gzip. */
export interface KeptShareAnswers {
  readonly slug: string;
  readonly answers: Uint8Array<ArrayBuffer>;
}

/** Of a run that it shows: whatever becomes of the run, and of the site. */
export interface KeptShareFrames extends KeptFrames {
  readonly slug: string;
}

interface Schema extends DBSchema {
  experiments: { key: string; value: KeptExperiment };
  runs: { key: string; value: KeptRun };
  frames: { key: string; value: KeptFrames };
  algorithms: { key: string; value: KeptAlgorithm };
  traces: { key: string; value: KeptTrace };
  shares: { key: string; value: ShareRecord };
  share_answers: { key: string; value: KeptShareAnswers };
  share_frames: { key: [string, string]; value: KeptShareFrames };
}
export type Database = IDBPDatabase<Schema>;

const NAME = ownName('paceline');
/** Shares came with version 2. What a browser has kept before stays as it is: a version only adds. */
const VERSION = 2;
const KEY_PATHS = {
  experiments: 'id',
  runs: 'id',
  frames: 'run',
  algorithms: 'id',
  traces: 'id',
  shares: 'slug',
  share_answers: 'slug',
  share_frames: ['slug', 'run'],
} as const;

let opened: Promise<Database> | null = null;

function open(): Promise<Database> {
  return new Promise((resolve, reject) => {
    let refused = false;
    const opening = openDB<Schema>(NAME, VERSION, {
      upgrade(db) {
        for (const [store, keyPath] of Object.entries(KEY_PATHS))
          if (!db.objectStoreNames.contains(store as keyof typeof KEY_PATHS))
            db.createObjectStore(store as keyof typeof KEY_PATHS, {
              keyPath: typeof keyPath === 'string' ? keyPath : [...keyPath],
            });
      },
      // A page from before holds it open, and does not know that it is asked to let go.
      blocked() {
        refused = true;
        reject(new Refused(heldByOlder()));
      },
      // A page of a later version waits for this one.
      blocking(_current, _wanted, event) {
        opened = null;
        (event.target as IDBDatabase).close();
      },
      terminated: () => void (opened = null),
    });
    opening.then(
      (db) => {
        if (!refused) {
          resolve(db);
          return;
        }
        db.close();
        opened = null;
      },
      (error: unknown) => {
        opened = null;
        reject(
          error instanceof DOMException && error.name === 'VersionError'
            ? new Refused(keptByNewer())
            : (error as Error),
        );
      },
    );
  });
}

/**
 * Rejects where the browser keeps nothing (private windows of some). While an older page is open it goes on rejecting: one that asks once more would
 * wait behind the first, and be told nothing.
 */
export function database(): Promise<Database> {
  opened ??= open();
  return opened;
}

/** What was to be kept and does not fit is refused as what it is. */
export async function kept<T>(work: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await work(await database());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') throw new Refused(noRoom());
    throw error;
  }
}
