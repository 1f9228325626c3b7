// A figure as its menu saves it, without a window: the same page draws it, and the same menu is pressed.
import { extname, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { checked, parseWords, UsageError } from '../config.ts';
import { openChromium } from './chromium.ts';
import { EXIT } from './exit.ts';
import { figureServer } from './figure-server.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline figure ID --of X --out FILE.pdf|.svg|.png|.csv|.tex [options]
       paceline figure --list --of X

Saves a figure of a run, an experiment or a trace, byte for byte as the menu at the figure does. It takes Chromium, which draws it.

  ID                    the figure, as frontier; --list names those that there are
  --of X                the id of a run or an experiment, or the id or the name of a trace
  --out FILE            its ending says what it is: PDF, SVG, PNG at double size, CSV, or a LaTeX table
  --option KEY=VALUE    an option of the figure, as in its address: scale=log; as often as needed
  --view KEY=VALUE      what else its address says, as t=2,6 (seconds in sight) or hide=cubic; as often as needed
  --theme light|dark    (default light)
  --width PIXELS        how wide the picture is (default 1000)
  --data-dir DIR        where X is (default: $PACELINE_DATA_DIR, else ./data); no server may be using it
  --url URL             ask this running server instead; $PACELINE_TOKEN has its token
  --address URL         where the figure says it is found, without --url (default http://127.0.0.1:8080)
`;

/** How the menu calls each. */
const MENU = { pdf: /^PDF$/, svg: /^SVG/, png: /^PNG/, csv: /^CSV/, tex: /^LaTeX table/ } as const;
type Ending = keyof typeof MENU;
const ENDINGS = Object.keys(MENU) as [Ending, ...Ending[]];

const READY_MS = 120_000;
/** A figure of a long run has many samples to load. */
const SAVE_MS = 120_000;

const Pair = z.string().regex(/^[A-Za-z0-9_.-]{1,64}=/, 'wants KEY=VALUE');
const Origin = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin);

const Options = z.object({
  of: z.string({ error: 'is needed: a figure of what?' }).min(1).max(200),
  out: z.string().min(1).optional(),
  list: z.boolean().default(false),
  option: z.array(Pair).default([]),
  view: z.array(Pair).default([]),
  theme: z.enum(['light', 'dark']).default('light'),
  width: z.coerce.number().int().min(240).max(4000).default(1000),
  dataDir: z.string().optional(),
  url: Origin.optional(),
  address: z
    .url({ protocol: /^http$/, error: 'wants an address that begins with http://' })
    .transform((text) => new URL(text))
    .default(new URL('http://127.0.0.1:8080')),
});
type Options = z.output<typeof Options>;

const NAMES: Readonly<Record<string, string>> = { dataDir: '--data-dir' };

export async function figure(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      of: { type: 'string' },
      out: { type: 'string' },
      list: { type: 'boolean' },
      option: { type: 'string', multiple: true },
      view: { type: 'string', multiple: true },
      theme: { type: 'string' },
      width: { type: 'string' },
      'data-dir': { type: 'string' },
      url: { type: 'string' },
      address: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { 'data-dir': dataDir, ...given } = values;
  const options = checked(Options, { ...given, dataDir }, (key) => NAMES[key] ?? `--${key.split('.')[0] ?? key}`);
  const [id, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`figure: one at a time: ${more.join(' ')}`);
  if (!options.list && id === undefined) throw new UsageError('figure: which? --list names those that there are');
  if (id !== undefined && !/^[a-z0-9-]{1,64}$/.test(id))
    throw new UsageError(`there is no figure ${JSON.stringify(id)}`);
  const ending = options.list ? null : endingOf(options.out);
  return inPage(options, async (page, where) => {
    const { base } = where;
    const place = await placeOf(where, options.of);
    if (ending === null || id === undefined) {
      process.stdout.write(table([['figure', 'title'], ...(await figuresAt(page, `${base}/embed/${place}/none`))]));
      return EXIT.ok;
    }
    const file = resolve(options.out ?? '');
    await save(page, `${base}/embed/${place}/${id}?${queryOf(id, options)}`, { id, ending, file, options });
    process.stdout.write(`${options.out ?? ''}\n`);
    return EXIT.ok;
  });
}

function endingOf(out: string | undefined): Ending {
  const ending = z.enum(ENDINGS).safeParse(
    extname(out ?? '')
      .slice(1)
      .toLowerCase(),
  );
  if (out === undefined || !ending.success)
    throw new UsageError(`--out: wants a file that ends in .${ENDINGS.join(', .')}`);
  return ending.data;
}

interface Where {
  /** As the browser and the figure call the server. */
  readonly base: string;
  /** As it is reached from here. */
  readonly api: string;
  readonly token: string;
}

/** A page of a browser at a server that shows X; both are closed afterwards. */
async function inPage(options: Options, use: (page: Page, where: Where) => Promise<number>): Promise<number> {
  const dataDir = resolve(options.dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const { address } = options;
  const own = options.url === undefined ? await figureServer(dataDir, address.hostname) : null;
  try {
    // The figure names the address at which it will be found, whatever port this server was given.
    const host = `${address.hostname}:${address.port === '' ? '80' : address.port}`;
    const flags = own === null ? [] : [`--host-resolver-rules=MAP ${host} 127.0.0.1:${own.port}`];
    const browser = await openChromium(flags);
    try {
      const page = await browser.newPage({
        viewport: { width: options.width, height: 900 },
        deviceScaleFactor: 1,
        colorScheme: options.theme,
      });
      const base = options.url ?? address.origin;
      const token = own === null ? (process.env['PACELINE_TOKEN'] ?? '') : '';
      if (token !== '') await page.goto(`${base}/?token=${encodeURIComponent(token)}`);
      return await use(page, { base, api: own === null ? base : `http://127.0.0.1:${own.port}`, token });
    } finally {
      await browser.close();
    }
  } finally {
    await own?.close();
  }
}

const Named = z.object({ id: z.string(), name: z.string() });

/** `e/ID`, `r/ID` or `t/ID`: whatever there is of that name. */
async function placeOf({ api, token }: Where, of: string): Promise<string> {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${api}/api/v1/${path}`, { headers }).catch(() => {
      throw new UsageError(`${api} does not answer`);
    });
    if (answer.status === 401) throw new UsageError(`${api} asks for its token: set $PACELINE_TOKEN`);
    // What does not have the form of such an id is none.
    return answer.ok ? answer.json() : null;
  };
  for (const [kind, path] of [
    ['e', 'experiments'],
    ['r', 'runs'],
    ['t', 'traces'],
  ] as const) {
    const found = z.object({ id: z.string() }).safeParse(await ask(`${path}/${encodeURIComponent(of)}?unknown=null`));
    if (found.success) return `${kind}/${found.data.id}`;
  }
  const { traces } = z.object({ traces: z.array(Named) }).parse((await ask('traces')) ?? { traces: [] });
  const named = traces.filter(({ name }) => name === of);
  const [trace] = named;
  if (trace === undefined) throw new UsageError(`there is no run, experiment or trace ${JSON.stringify(of)}`);
  if (named.length > 1)
    throw new UsageError(`${JSON.stringify(of)} are ${named.length} traces: ${named.map(({ id }) => id).join(', ')}`);
  return `t/${trace.id}`;
}

function queryOf(id: string, { option, view, theme }: Options): string {
  const query = new URLSearchParams({ theme });
  const set = (pair: string, prefix: string): void => {
    const at = pair.indexOf('=');
    query.set(prefix + pair.slice(0, at), pair.slice(at + 1));
  };
  for (const pair of view) set(pair, '');
  for (const pair of option) set(pair, `${id}.`);
  return query.toString();
}

/** Goes there and waits until all is there that the figure shows. */
async function arrive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('[data-embed="ready"]').waitFor({ timeout: READY_MS });
  // What a figure loads by itself when it knows its size: previews of traces. In the half second of silence it is drawn, too.
  await page.waitForLoadState('networkidle');
}

/** Those that there are, as the page says where it is asked for none of them. */
async function figuresAt(page: Page, address: string): Promise<string[][]> {
  await arrive(page, address);
  return listed(page);
}

const listed = async (page: Page): Promise<string[][]> =>
  Promise.all(
    (await page.locator('[data-plot-id]').all()).map(async (link) => [
      (await link.getAttribute('data-plot-id')) ?? '',
      (await link.innerText()).trim(),
    ]),
  );

interface Saving {
  readonly id: string;
  readonly ending: Ending;
  readonly file: string;
  readonly options: Options;
}

async function save(page: Page, address: string, { id, ending, file, options }: Saving): Promise<void> {
  await arrive(page, address);
  const figure = page.locator('[data-options]');
  if ((await figure.count()) === 0) {
    const others = await listed(page);
    const there = others.length === 0 ? '' : `: there are ${others.map(([name]) => name).join(', ')}`;
    throw new UsageError(`there is no figure ${id} of ${options.of}${there}`);
  }
  const known = ((await figure.getAttribute('data-options')) ?? '').split(' ').filter((key) => key !== '');
  for (const pair of options.option) {
    const [key = ''] = pair.split('=');
    if (!known.includes(key))
      throw new UsageError(`${id} has no option ${key}${known.length === 0 ? '' : `: it has ${known.join(', ')}`}`);
  }
  const [saved] = await Promise.all([
    page.waitForEvent('download', { timeout: SAVE_MS }),
    (async () => {
      await page.getByRole('button', { name: /^Save or share: / }).click();
      await page.getByRole('menuitem', { name: MENU[ending] }).click();
    })(),
  ]);
  await saved.saveAs(file);
}
