import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { translated } from '../../web/translated.ts';
import { TEMPLATE, template } from './catalogue.ts';
import { faultsOf } from './checked.ts';
import { htmlIn } from './html.ts';
import { read } from './message.ts';
import { PSEUDO } from './pseudo.ts';
import { findTexts, rewritten, type Texts } from './texts.ts';
import { keptTranslation, translate } from './translation.ts';

const CONFIG = { compilerOptions: { jsx: 'react-jsx', module: 'preserve', strict: true }, include: ['src'] };
const SOURCES: Readonly<Record<string, string>> = {
  'web/tsconfig.json': JSON.stringify(CONFIG),
  'web/index.html': '<html lang="en"><style>p { color: red }</style><body><p>Loading the page</p></body></html>',
  'web/src/plural.ts':
    'export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;',
  'web/src/names.ts': `
    export type State = 'done' | 'failed';
    export const STATES: Record<State, string> = { done: 'all done', failed: 'went wrong' };
    export const unused = 'Nobody reads this';
    export function describe(state: State, id: string): string {
      if (id === 'queue') return 'The queue itself';
      return \`\${STATES[state]} for \${id}\`;
    }`,
  'web/src/Page.tsx': `
    import { describe, type State } from './names';
    import { plural } from './plural';
    const KINDS = [{ id: 'first', label: 'The first' }];
    const Row = (props: { readonly words: string; readonly kind: 'small' | 'large' }) => <p>{props.words}</p>;
    export const Page = ({ state, n, name }: { state: State; n: number; name: string }) => (
      <section className="wide" aria-label="All of it">
        <p title={name}>
          Read <a href="/docs">the docs of {name}</a> first,
          then <code>npm start</code>.
        </p>
        <Row words={n > 1 ? 'Several of them' : describe(state, 'queue')} kind="small" />
        {KINDS.map(({ id, label }) => <i key={id}>{label}</i>)}
        <b>{\`\${name}: \${plural(n, 'run')} of them\`}</b>
        <em>{plural(n, 'cell')} {n === 1 ? 'is' : 'are'} left</em>
        <u>{n} ms</u>
      </section>
    );`,
};

let root: string;
let texts: Texts;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'paceline-texts-'));
  for (const [name, content] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  texts = findTexts(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the texts of a page', () => {
  it('are those that come to the screen, whole sentences with what stands in them, and nothing else', () => {
    expect([...texts.byId.values()].map(({ id, many }) => (many === undefined ? id : [id, many]))).toEqual([
      'Loading the page',
      'The first',
      'All of it',
      'Read <0>the docs of {1}</0> first, then <2/>.',
      'Several of them',
      ['{0}: {1} run of them', '{0}: {1} runs of them'],
      ['{0} cell {1} left', '{0} cells {1} left'],
      'is',
      'are',
      'all done',
      'went wrong',
      'The queue itself',
      '{0} for {1}',
    ]);
  });

  it('stay what they are, to the letter, where there is no translation', () => {
    const same = rewritten(texts, () => undefined, '0', 'de');
    expect([...same.keys()].map((file) => file.slice(root.length + 1)).sort()).toEqual([
      'web/src/Page.tsx',
      'web/src/names.ts',
    ]);
    for (const [file, text] of same) expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('are put in where they stood, with what stands in them in the order of the language', () => {
    const german = new Map([
      ['Read <0>the docs of {1}</0> first, then <2/>.', ['Erst `"<2/>`", dann <0>{1}s Doku</0>.']],
      ['{0}: {1} run of them', ['ein Lauf bei {0}', '{1} Läufe bei {0}']],
      ['{0} cell {1} left', ['Es {1} {0} Zelle', 'Es {1} {0} Zellen']],
      ['All of it', ['Al"les']],
    ]);
    const page = rewritten(texts, (id) => german.get(id)?.map(read), 'n != 1', 'de').get(`${root}/web/src/Page.tsx`);
    expect(page).toContain(
      String.raw`{"Erst ${'`'}\""}<code>npm start</code>{"${'`'}\", dann "}<a href="/docs">{name}{"s Doku"}</a>{"."}`,
    );
    expect(page).toContain('aria-label={"Al\\"les"}');
    expect(page).toContain('{$form(n, [`ein Lauf bei ${name}`, `${$count(n)} Läufe bei ${name}`])}');
    expect(page).toContain(`{$form(n, [<>{"Es "}{n === 1 ? 'is' : 'are'}{" "}{$count(n)}{" Zelle"}</>, `);
    expect(page).toContain('forms[Number(n != 1)]');
  });

  it('are found again only where something has changed', () => {
    let made = 0;
    const kept = (): string => {
      const make = () => {
        made += 1;
        return translate(root, PSEUDO);
      };
      return keptTranslation(root, PSEUDO, make).sources['web/src/names.ts'] ?? '';
    };
    const first = kept();
    expect(first).toContain('ŵéñţ ŵŕóñĝ');
    expect([kept(), made]).toEqual([first, 1]);
    const file = join(root, 'web/src/names.ts');
    const before = SOURCES['web/src/names.ts'] ?? '';
    writeFileSync(file, `${before}\n`);
    expect([kept(), made]).toEqual([`${first}\n`, 2]);
    writeFileSync(file, before);
  });

  it('of the first moment are put into the page itself, as words and not as mark-up', () => {
    const html = htmlIn(SOURCES['web/index.html']!, 'de', () => 'Die <Seite> kommt');
    expect(html).toBe(
      '<html lang="de"><style>p { color: red }</style><body><p>Die &lt;Seite&gt; kommt</p></body></html>',
    );
  });
});

it('a build that is asked for no language has nothing of it', () => expect(translated('')).toEqual([]));

// Finding the texts takes the compiler a minute: once for all.
describe('the texts of this page', () => {
  let whole: Texts;
  beforeAll(() => {
    whole = findTexts(ROOT);
  }, 600_000);

  it('are in the file for translators as they are in the sources', () => {
    const current = readFileSync(join(ROOT, TEMPLATE), 'utf8') === template(whole);
    expect(current, `${TEMPLATE} is out of date; run \`npm run generate\` and commit it`).toBe(true);
  });

  it('are never names for the program: in the language that nobody speaks all types still hold', () => {
    // Kept for the journey that looks at it.
    const { sources } = keptTranslation(ROOT, PSEUDO, () => translate(ROOT, PSEUDO, whole));
    const others = new Map(Object.entries(sources).map(([name, text]) => [`${ROOT}/${name}`, text]));
    expect(whole.byId.size).toBeGreaterThan(1500);
    expect(faultsOf(ROOT, others)).toEqual([]);
    const file = `${ROOT}/web/src/pages/experiment/ExperimentPage.tsx`;
    const wrong = others.get(file)?.replace("case 'queued'", "case 'ɋúéúéđ'") ?? '';
    expect(faultsOf(ROOT, new Map([...others, [file, wrong]])).join()).toContain('not comparable');
  }, 600_000);
});
