import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { TestRedis, withoutRedis } from '../testing/redis.ts';
import { Cache, NotLent } from './cache.ts';
import { KEYS } from './keys.ts';

const folder = testFolder();
const nameOf = (text: string): string => `${createHash('sha256').update(text).digest('hex')}.trace`;

describe.skipIf(withoutRedis !== null)('the files of a worker', () => {
  let server: TestRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await TestRedis.start();
    redis = server.client();
  });
  beforeEach(() => redis.flushall());
  afterAll(async () => {
    redis.disconnect();
    await server.dispose();
  });
  const lend = async (text: string): Promise<string> => {
    await redis.set(KEYS.file(nameOf(text)), text);
    return nameOf(text);
  };

  it('are fetched once, and are there although Redis has them no more', async () => {
    const cache = new Cache(folder(), redis, 1000);
    const name = await lend('1 2\n');
    await Promise.all([cache.fetch([name]), cache.fetch([name])]);
    await redis.flushall();
    await cache.fetch([name]);
    expect(readFileSync(join(cache.folder, name), 'utf8')).toBe('1 2\n');
    expect(readdirSync(cache.folder)).toEqual([name]);
  });

  it('are what their names say, or are not taken', async () => {
    const cache = new Cache(folder(), redis, 1000);
    await redis.set(KEYS.file(nameOf('wanted')), 'another');
    await expect(cache.fetch([nameOf('wanted')])).rejects.toThrow('something else');
    await expect(cache.fetch([nameOf('never lent')])).rejects.toThrow(NotLent);
    for (const name of ['../../etc/passwd', `${'0'.repeat(64)}/../x.trace`, ''])
      await expect(cache.fetch([name])).rejects.toThrow();
    expect(readdirSync(cache.folder)).toEqual([]);
  });

  it('that were not wanted longest go when there is no room', async () => {
    const cache = new Cache(folder(), redis, 250);
    const [old, used, fresh] = [await lend('a'.repeat(100)), await lend('b'.repeat(100)), await lend('c'.repeat(100))];
    await cache.fetch([old, used]);
    for (const [name, age] of [
      [old, 200],
      [used, 300],
    ] as const)
      utimesSync(join(cache.folder, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
    await cache.fetch([used]);
    await cache.fetch([fresh]);
    expect([old, used, fresh].map((name) => existsSync(join(cache.folder, name)))).toEqual([false, true, true]);
  });

  it('are not half ones of a worker that was killed', () => {
    const [old, young] = ['old.part', 'young.part'].map((name) => join(folder(), name));
    for (const path of [old, young]) writeFileSync(path ?? '', 'half');
    utimesSync(old ?? '', Date.now() / 1000 - 7200, Date.now() / 1000 - 7200);
    expect(readdirSync(new Cache(folder(), redis, 1000).folder)).toEqual(['young.part']);
  });

  it('leave alone what is none of them', () => {
    const strange = join(folder(), 'notes.txt');
    writeFileSync(strange, 'x'.repeat(5000));
    expect(existsSync(join(new Cache(folder(), redis, 10).folder, 'notes.txt'))).toBe(true);
  });
});
