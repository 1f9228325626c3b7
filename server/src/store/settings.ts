import type { z } from 'zod';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';

/** Small things that the server remembers, each with its own schema. */
export class SettingStore {
  readonly #get;
  readonly #set;

  constructor(db: Db) {
    this.#get = db.prepare('SELECT value FROM settings WHERE key = ?').pluck();
    this.#set = db.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
  }

  /** Null when it was never set or its form has changed since. */
  get<T>(key: string, schema: z.ZodType<T>): T | null {
    const text = this.#get.get(key);
    if (typeof text !== 'string') return null;
    const parsed = schema.safeParse(fromJson(text));
    return parsed.success ? parsed.data : null;
  }

  set(key: string, value: unknown): void {
    this.#set.run(key, JSON.stringify(value));
  }
}
