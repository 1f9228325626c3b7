import { describe, expect, it } from 'vitest';
import { CatalogueFault, readCatalogue } from './catalogue.ts';
import { NotAMessage, plainText, read, written } from './message.ts';
import { formOf } from './plural-rule.ts';
import { pseudoCatalogue } from './pseudo.ts';
import type { Text } from './texts.ts';

const text = (id: string, many?: string): [string, Text] => [
  id,
  { id, ...(many === undefined ? {} : { many, counts: '{1}' }), files: new Set(['web/src/A.tsx']), holds: [] },
];
const TEXTS = {
  byId: new Map([
    text('Traces'),
    text('Step {0} of {1}'),
    text('Read <0>the docs of {1}</0> first <2/>'),
    text('{0} of {1} run', '{0} of {1} runs'),
    text('util < 0.8'),
  ]),
};
const HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n';
const quoted = (words: string): string => JSON.stringify(words);
const po = (id: string, ...forms: string[]): string =>
  forms.length === 1
    ? `${HEADER}msgid ${quoted(id)}\nmsgstr ${quoted(forms[0]!)}\n`
    : `${HEADER}msgid ${quoted(id)}\nmsgid_plural "x"\n${forms.map((form, i) => `msgstr[${i}] ${quoted(form)}\n`).join('')}`;
const from = (content: string) => readCatalogue('web/texts/de.po', content, 'de', TEXTS);

describe('a message', () => {
  it('is read as it is written, whatever the order of its parts', () => {
    for (const id of ['', 'a', '{1} von {0}', '<0>a {2} <1>b</1></0> c <3/>', 'a < b > c {x} <b>'])
      expect(written(read(id))).toBe(id);
    expect(read('<0>a {1}</0>')).toEqual([{ mark: 0, inside: [{ text: 'a ' }, { slot: 1 }] }]);
  });

  it('has marks that are closed in order', () => {
    for (const bad of ['<0>a', 'a</0>', '<0><1>a</0></1>']) expect(() => read(bad)).toThrow(NotAMessage);
  });
});

describe('a file of translations', () => {
  it('may reorder, and lacks what it lacks', () => {
    const { messages, missing, unused } = from(`${po('Step {0} of {1}', '{1} in Schritt {0}')}
msgid "Gone"
msgstr "Fort"

#, fuzzy
msgid "Traces"
msgstr "Spuren?"
`);
    expect(messages.get('Step {0} of {1}')?.map(written)).toEqual(['{1} in Schritt {0}']);
    expect([missing, unused]).toEqual([4, 1]);
  });

  it('has as many forms as its language, of which one may do without its count', () => {
    const { messages } = from(po('{0} of {1} run', '{0} von einem Lauf', '{0} von {1} Läufen'));
    expect(messages.get('{0} of {1} run')).toHaveLength(2);
  });

  it.each([
    ['Step {0} of {1}', ['Schritt {0}'], '{1} is missing'],
    ['Step {0} of {1}', ['Schritt {0} von {1}, {1}'], '{1} is there 2 times'],
    ['Step {0} of {1}', ['Schritt {0} von {1} {2}'], '{2} is not in the English'],
    ['Step {0} of {1}', ['Schritt {0 von {1}'], 'it has a “{” that belongs to no placeholder'],
    ['Traces', ['<script>alert(1)</script>'], 'it has a “<” that belongs to no placeholder'],
    ['Traces', ['<img src=x onerror=alert(1)>'], 'it has a “<” that belongs to no placeholder'],
    ['Traces', ['${process.exit()}'], 'it has a “{” that belongs to no placeholder'],
    ['Traces', ['Spu\u202eren'], 'it has a control character in it'],
    ['Read <0>the docs of {1}</0> first <2/>', ['<0>Doku von {1} zuerst <2/>'], '<0> is not closed'],
    ['Read <0>the docs of {1}</0> first <2/>', ['Doku von {1} <2/>'], '<0> is missing'],
    ['{0} of {1} run', ['{0} von {1} Lauf', '{1} Läufe'], '{0} is missing'],
    ['{0} of {1} run', ['{0} von {1}', '{0} von {1}', '{0} von {1}'], 'it has 3 forms, and should have 2'],
    ['{0} of {1} run', ['{0} von {1}', ''], 'a form is empty'],
  ])('is refused with its name, the message and what is wrong: %s as %j', (id, forms, fault) => {
    expect(() => from(po(id, ...forms))).toThrow(CatalogueFault);
    expect(() => from(po(id, ...forms))).toThrow(`web/texts/de.po cannot be used:\n  “${id}”: ${fault}`);
  });

  it('is refused where it is none', () => {
    for (const content of ['{"Traces": "Spuren"}', 'msgid "a', 'msgid "Traces"\nmsgstr "Spuren"\n'])
      expect(() => from(content)).toThrow('web/texts/de.po cannot be used');
  });

  it('tells all faults at once', () => {
    expect(() => from(po('Traces', '{0}') + po('Step {0} of {1}', 'Schritt').slice(HEADER.length))).toThrow(
      /“Traces”: \{0\} is not in the English\n.*“Step \{0\} of \{1\}”: \{0\} is missing/,
    );
  });
});

describe('the forms of counts', () => {
  it('are read as gettext writes them', () => {
    const russian =
      'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);';
    expect(formOf(russian)).toMatchObject({ forms: 3 });
    expect(formOf('nplurals=1; plural=0;')).toEqual({ forms: 1, expression: '0' });
  });

  it.each([
    '',
    'nplurals=2; plural=process.exit()',
    'nplurals=2; plural=(n != 1) + constructor;',
    'nplurals=2; plural=n;',
    'nplurals=2; plural=(n !=;',
    'nplurals=99; plural=0;',
    'nplurals=2; plural=n / 0;',
  ])('are not run when they are something else: %s', (header) => {
    expect(formOf(header)).toHaveProperty('fault');
  });
});

it('the language that nobody speaks has no plain letter, keeps every placeholder, and is a third longer', () => {
  const { messages } = pseudoCatalogue(TEXTS);
  for (const [id, forms] of messages)
    for (const form of forms.map(written)) {
      expect(form).not.toMatch(/[A-Za-z]/);
      expect(plainText(read(form)).length).toBeGreaterThanOrEqual(plainText(read(id)).length * 1.3);
      expect(form.match(/[{<]\/?\d/g)?.length).toBe(id.match(/[{<]\/?\d/g)?.length);
    }
});
