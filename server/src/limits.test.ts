import { describe, expect, it } from 'vitest';
import { serveConfig } from './config.ts';
import { Helpers } from './helpers.ts';
import { rateLimit } from './http/rate-limit.ts';
import { Limits, LimitWords, Size } from './limits.ts';
import { SharedAnswers } from './shared-answers.ts';

describe('the bounds of a server', () => {
  it.each([
    ['1000', 1000],
    ['20G', 20e9],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['512mib', 512 * 2 ** 20],
  ])('a size of %s', (text, bytes) => {
    expect(Size.parse(text)).toBe(bytes);
  });

  it('are said in words, and wrong ones are refused by their names', () => {
    const words = ['--max-data', '20G', '--limit', 'trace_bytes=1GiB', '--limit', 'helpers=3'];
    const config = serveConfig(words, { PACELINE_LIMITS: 'helpers=9,requests_per_s=7' });
    expect(config).toMatchObject({ maxData: 20e9, limits: { trace_bytes: 2 ** 30, helpers: 3, requests_per_s: 7 } });
    expect(() => serveConfig(['--max-data', 'much'], {})).toThrow('--max-data: wants a size');
    expect(() => serveConfig(['--limit', 'helpers'], {})).toThrow('--limit: wants name=number');
    expect(() => serveConfig(['--limit', 'nothing=1'], {})).toThrow(/--limit: .*nothing/);
    expect(() => serveConfig(['--limit', 'helpers=0.5'], {})).toThrow(/--limit: helpers/);
    expect(LimitWords.parse([])).toEqual(Limits.parse({}));
  });
});

describe('places for native programs', () => {
  const helpers = (): Helpers => new Helpers(Limits.parse({ helpers: 1, helpers_waiting: 2 }));
  const never = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));

  it('are given in the order in which they were asked for, also past those who have left', async () => {
    const places = helpers();
    const [first, second] = [new AbortController(), new AbortController()];
    const order: string[] = [];
    const one = places.run(first.signal, never).catch(() => order.push('one left'));
    const two = places.run(second.signal, () => Promise.resolve(order.push('two'))).catch(() => order.push('two left'));
    const three = places.run(undefined, () => Promise.resolve(order.push('three')));
    await expect(places.run(undefined, () => Promise.resolve(0))).rejects.toMatchObject({ code: 'TOO_BUSY' });
    second.abort();
    await two;
    first.abort();
    await Promise.all([one, three]);
    expect(order).toEqual(['two left', 'one left', 'three']);
    expect(await places.run(undefined, () => Promise.resolve('free'))).toBe('free');
  });
});

describe('an answer that many ask for', () => {
  it('is made once, and kept', async () => {
    const answers = new SharedAnswers<number>(2);
    let made = 0;
    const make = (): Promise<number> => Promise.resolve(++made);
    expect(await Promise.all([answers.ask('a', undefined, make), answers.ask('a', undefined, make)])).toEqual([1, 1]);
    expect(await answers.ask('a', undefined, make)).toBe(1);
  });

  it('is asked for again after it failed or nobody waited for it', async () => {
    const answers = new SharedAnswers<string>(2);
    await expect(answers.ask('a', undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const leave = new AbortController();
    const stopped: boolean[] = [];
    const asked = answers.ask('a', leave.signal, (signal) => {
      signal.addEventListener('abort', () => stopped.push(true));
      return new Promise(() => undefined);
    });
    leave.abort();
    await expect(asked).rejects.toThrow();
    expect(stopped).toEqual([true]);
    expect(await answers.ask('a', undefined, () => Promise.resolve('now'))).toBe('now');
  });
});

it('a client gets its requests back with time, and does not use up those of another', () => {
  let now = 0;
  const limit = rateLimit(Limits.parse({ requests_per_s: 2, requests_burst: 4 }), () => now);
  const asks = (remoteAddress: string): boolean => {
    try {
      void limit({ socket: { remoteAddress } } as never, { locals: {} } as never, () => undefined);
      return true;
    } catch {
      return false;
    }
  };
  const granted = (address: string, count: number): number =>
    Array.from({ length: count }, () => asks(address)).filter(Boolean).length;
  expect(granted('192.0.2.1', 10)).toBe(4);
  expect(granted('::ffff:192.0.2.1', 1)).toBe(0);
  expect(granted('192.0.2.2', 10)).toBe(4);
  expect(granted('127.0.0.1', 100)).toBe(40);
  expect(granted('2001:db8:0:1::1', 3) + granted('2001:db8:0:1::2', 3)).toBe(4);
  now += 1000;
  expect(granted('192.0.2.1', 10)).toBe(2);
});
