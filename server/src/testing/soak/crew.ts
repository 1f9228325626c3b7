// Workers of a server and the Redis between them, of which now this and now that is killed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { ProcessEntry } from '#bridge/testing/fake-programs';
import { readCards } from '../../fleet/cards.ts';
import { TestProcess } from '../process.ts';
import { TestRedis } from '../redis.ts';
import { endsIn } from './ends-in.ts';
import { MARK, temporaryFiles } from './traces-of.ts';

export interface CrewOptions {
  readonly count: number;
  readonly folder: string;
  readonly mark: string;
  /** Whether some of them make runs over the kernel's TCP. */
  readonly kernel: boolean;
}

/** Of what is done to workers: the rest is told to end, and sees to the end what it has in hand. */
const [KILLED, STOPPED] = [0.6, 0.85];
/** Some are back before anybody misses them, others when the server has given up on them. */
const [SHORTEST_STOP_MS, LONGEST_STOP_MS] = [500, 15_000];
const LONGEST_AWAY_MS = 2000;
/** Redis is back at once as often as not. */
const AT_ONCE = 0.5;
/** Whoever has runs in hand when it is told to end sees them to their end. */
const DRAIN_MS = 60_000;
/** And whoever has none ends. */
const END_MS = 10_000;

/** One worker after the other, in the same place. */
class Post {
  readonly name: string;
  readonly #folder: string;
  readonly #words: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #process: TestProcess | null = null;
  /** Something is being done to it, or it is not there yet. */
  busy = false;

  constructor(number: number, url: string, { folder, mark, kernel }: CrewOptions) {
    this.name = `worker ${number}`;
    this.#folder = join(folder, `worker-${number}`);
    mkdirSync(join(this.#folder, 'tmp'), { recursive: true });
    const capabilities = ['virtual', 'realtime', ...(kernel && number % 2 === 0 ? ['kernel'] : [])];
    this.#words = [
      ...['worker', '--name', this.name, '--cores', String(2 - (number % 2))],
      ...['--capabilities', capabilities.join(','), '--cache-dir', join(this.#folder, 'cache')],
    ];
    const own = { TMPDIR: join(this.#folder, 'tmp'), PACELINE_REDIS_URL: url, PACELINE_LOG: 'warn' };
    this.#env = { ...process.env, ...own, [MARK]: mark };
  }

  async start(): Promise<void> {
    this.#process = new TestProcess('server/src/cli/main.ts', this.#words, this.#folder, this.#env);
    await this.#process.says(/^The worker is ready/m);
  }

  natives(): ProcessEntry[] {
    return this.busy ? [] : (this.#process?.natives() ?? []);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.child.kill(signal);
  }

  async kill(): Promise<void> {
    await this.#process?.kill('SIGKILL');
  }

  /** Told to end; gives what is wrong with how it does. */
  async end(withinMs: number): Promise<string[]> {
    if (this.#process === null) return [`${this.name} is not there`];
    const ended = await endsIn(this.#process, 'SIGTERM', withinMs);
    if (ended === null)
      return [`${this.name} was told to end and does not within ${withinMs} ms: ${this.#process.stderr}`];
    return ended.code === 0 ? [] : [`${this.name} was told to end and did with ${ended.code}: ${ended.stderr}`];
  }

  /** How it has ended when nobody had asked it to. */
  get endedByItself(): string | null {
    const { exitCode = null, signalCode = null } = this.#process?.child ?? {};
    const how = exitCode ?? signalCode;
    return this.busy || how === null ? null : `${this.name} ended by itself (${how}): ${this.#process?.stderr ?? ''}`;
  }

  temporaryFiles(): string[] {
    return temporaryFiles(join(this.#folder, 'tmp'));
  }
}

export class Crew {
  readonly faults: string[] = [];
  readonly #redis: TestRedis;
  readonly #client: Redis;
  readonly #posts: Post[];
  /** What is being done to whom. */
  readonly #going = new Set<Promise<void>>();
  /** Runs that each worker has made, by its own word. */
  readonly #made = new Map<string, number>();
  #redisIsAway = false;

  private constructor(redis: TestRedis, options: CrewOptions) {
    this.#redis = redis;
    this.#client = redis.client();
    this.#posts = Array.from({ length: options.count }, (_, i) => new Post(i, redis.url, options));
  }

  static async start(options: CrewOptions): Promise<Crew> {
    const redis = await TestRedis.start({ ...process.env, [MARK]: options.mark });
    const crew = new Crew(redis, options);
    try {
      await Promise.all(crew.#posts.map((post) => post.start()));
    } catch (error) {
      await crew.dispose();
      throw error;
    }
    return crew;
  }

  get url(): string {
    return this.#redis.url;
  }

  /** Native programs that workers have started. */
  natives(): ProcessEntry[] {
    return this.#posts.flatMap((post) => post.natives());
  }

  /** How many runs workers have made so far: those that a killed worker made last it could not tell any more. */
  get made(): number {
    return [...this.#made.values()].reduce((sum, done) => sum + done, 0);
  }

  /** What workers say of themselves, and whether all are there. */
  async look(): Promise<void> {
    for (const post of this.#posts) {
      const fault = post.endedByItself;
      if (fault === null) continue;
      this.faults.push(fault);
      this.#begin(post, () => Promise.resolve());
    }
    if (this.#redisIsAway) return;
    for (const { id, done } of await readCards(this.#client))
      this.#made.set(id, Math.max(done, this.#made.get(id) ?? 0));
  }

  /** Kills a worker, stops it for a while, or lets it end; false: something is being done to all. */
  hitWorker(random: () => number): boolean {
    const [which, how, howLong] = [random(), random(), random()];
    const there = this.#posts.filter(({ busy }) => !busy);
    const post = there[Math.floor(which * there.length)];
    // One that has ended by itself is a fault, which is not to be covered up.
    if (post === undefined || post.endedByItself !== null) return false;
    if (how < KILLED)
      this.#begin(post, async () => {
        await post.kill();
        await sleep(howLong * LONGEST_AWAY_MS);
      });
    else if (how < STOPPED) {
      post.busy = true;
      post.signal('SIGSTOP');
      this.#go(async () => {
        await sleep(SHORTEST_STOP_MS + howLong * (LONGEST_STOP_MS - SHORTEST_STOP_MS));
        post.signal('SIGCONT');
        post.busy = false;
      });
    } else
      this.#begin(post, async () => {
        this.faults.push(...(await post.end(DRAIN_MS)));
      });
    return true;
  }

  /** Everything in Redis is lost; false: it is away just now. */
  hitRedis(random: () => number): boolean {
    const [how, howLong] = [random(), random()];
    if (this.#redisIsAway) return false;
    this.#redisIsAway = true;
    this.#go(async () => {
      await this.#redis.kill();
      if (how > AT_ONCE) await sleep(howLong * LONGEST_AWAY_MS);
      await this.#redis.again();
      this.#redisIsAway = false;
    });
    return true;
  }

  /** Until all are there again, and nothing is done to them any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#going);
    await this.look();
    await Promise.all(this.#going);
  }

  /** All are told to end, and then there is no Redis. */
  async end(): Promise<void> {
    await this.settle();
    for (const post of this.#posts) post.busy = true;
    for (const faults of await Promise.all(this.#posts.map((post) => post.end(END_MS)))) this.faults.push(...faults);
    for (const post of this.#posts)
      this.faults.push(...post.temporaryFiles().map((name) => `${post.name} has left the temporary file ${name}`));
    await this.dispose();
  }

  /** Whoever is still there is killed. */
  async dispose(): Promise<void> {
    this.#client.disconnect();
    await Promise.all(this.#posts.map((post) => post.kill()));
    await this.#redis.dispose();
  }

  /** Does something that ends the worker; then there is another one. */
  #begin(post: Post, ending: () => Promise<void>): void {
    post.busy = true;
    this.#go(async () => {
      await ending();
      await post.start();
      post.busy = false;
    });
  }

  #go(work: () => Promise<void>): void {
    const going = work()
      .catch((error: unknown) => {
        this.faults.push(error instanceof Error ? error.message : String(error));
      })
      .finally(() => this.#going.delete(going));
    this.#going.add(going);
  }
}
