import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRunQuery, queryValue } from './run-query';

/** Terms without the field's whole description. */
const said = (query: string) =>
  parseRunQuery(query).terms.map((term) => ({
    ...term,
    ...('field' in term && { field: term.field.id }),
    place: undefined,
  }));

describe('queries of runs', () => {
  it('are fields with values, quoted where they have blanks, and a minus turns them round', () => {
    expect(said('cca:bbr,cubic -state:failed trace:"lte walk",5g buffer:"5 BDP"')).toMatchObject([
      { kind: 'values', field: 'cca', values: ['bbr', 'cubic'], not: false },
      { kind: 'values', field: 'state', values: ['failed'], not: true },
      { kind: 'values', field: 'trace', values: ['lte walk', '5g'] },
      { kind: 'values', field: 'buffer', values: ['5bdp'] },
    ]);
  });

  it('compare numbers, by ranges too', () => {
    expect(said('util<0.8 p95>=100 rtt0:20,40..60 rep:..3 -loss>1e-3')).toMatchObject([
      { kind: 'within', field: 'util', ranges: [{ low: -Infinity, high: 0.8, open: 'high' }] },
      { kind: 'within', field: 'p95', ranges: [{ low: 100, high: Infinity, open: 'none' }] },
      {
        kind: 'within',
        field: 'rtt0',
        ranges: [
          { low: 20, high: 20 },
          { low: 40, high: 60 },
        ],
      },
      { kind: 'within', field: 'rep', ranges: [{ low: -Infinity, high: 3 }] },
      { kind: 'within', field: 'loss', ranges: [{ low: 0.001, open: 'low' }], not: true },
    ]);
  });

  it('look for words without a field anywhere', () => {
    expect(said('walk -"two words" starred:yes since:2026-11')).toMatchObject([
      { kind: 'anywhere', text: 'walk', not: false },
      { kind: 'anywhere', text: 'two words', not: true },
      { kind: 'flag', field: 'starred', yes: true },
      { kind: 'date', field: 'since', day: '2026-11' },
    ]);
  });

  it.each([
    ['ccca:bbr', 0, 8, 'there is no field "ccca"'],
    ['cca:bbr util<much', 8, 17, 'util is a number (util<0.8), not "much"'],
    ['cca<3', 0, 5, 'cca is no number'],
    ['cca:', 0, 4, 'cca: wants a value'],
    ['p95:9..3', 0, 8, 'the first is greater'],
    ['starred:perhaps', 0, 15, 'starred is yes or no'],
    ['since:yesterday', 0, 15, 'since wants a day'],
    ['a "b c', 2, 6, 'this quotation mark has no other'],
    [`x${'y'.repeat(1000)}`, 1000, 1001, 'longer than 1000'],
  ])('%s is refused with its place', (query, from, to, detail) => {
    const [fault] = parseRunQuery(query).faults;
    expect(fault).toMatchObject({ from, to });
    expect(fault?.detail).toContain(detail);
  });

  it('never throw, and places lie within the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('abut:<>="-,. 0')), maxLength: 40 }), (query) => {
        for (const { from, to } of [
          ...parseRunQuery(query).faults,
          ...parseRunQuery(query).terms.map(({ place }) => place),
        ]) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(query.length);
        }
      }),
    );
  });

  it('read a value as it was before it was written into one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab ,:<')), minLength: 1, maxLength: 8 }),
        (value) => {
          fc.pre(value.trim() !== '');
          expect(said(`trace:${queryValue(value)}`)).toMatchObject([{ values: [value] }]);
        },
      ),
    );
  });
});
