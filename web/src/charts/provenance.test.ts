import { describe, expect, it } from 'vitest';
import { toCsv } from './csv';
import { asRecord, captionOf, engineFact, publicAddress, withEngine, withProvenance } from './provenance';

const facts = [
  { column: 'trace', value: 'LTE, by car', text: 'LTE, by car' },
  { column: 'base_rtt_ms', value: '20', text: 'base RTT 20 ms' },
];
const link = 'http://localhost:8080/e/abc?hide=cca:bbr';

describe('what a figure says of itself', () => {
  it('names the engine once: its own rather than the one that is installed', () => {
    expect(captionOf({ facts: withEngine(facts, '1.0') })).toBe('LTE, by car · base RTT 20 ms · engine 1.0');
    expect(asRecord({ facts: withEngine([...facts, engineFact('0.9')], '1.0'), link })).toEqual({
      trace: 'LTE, by car',
      base_rtt_ms: '20',
      engine_version: '0.9',
      permalink: link,
    });
    expect(withEngine(facts, null)).toEqual(facts);
  });

  it('keeps the view in the address, and lets nobody in by it', () => {
    expect(publicAddress('http://lab:8080/e/abc?token=secret&hide=x&t=1,2')).toBe(
      'http://lab:8080/e/abc?hide=x&t=1%2C2',
    );
    expect(publicAddress(link)).toBe(link);
  });

  it('adds columns to a table, none that it has, and keeps those it has where they were', () => {
    const table = { columns: ['trace', 'loss'], rows: [['a', 0.5] as const, ['b', null] as const] };
    expect(toCsv(withProvenance(table, { facts, link })).split('\r\n')).toEqual([
      'trace,loss,base_rtt_ms,permalink',
      `a,0.5,20,${link}`,
      `b,,20,${link}`,
      '',
    ]);
  });
});
