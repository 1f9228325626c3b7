// The structures of the header, the arrays of the host and the words of the language are three views of the same fields.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACK, ACKED_PACKET, CONTROL, LOSS, LOST_PACKET, SENT, SETUP, TIMEOUT, type Field } from './layout.ts';

const HEADER = readFileSync(join(import.meta.dirname, '../../native/plugin/paceline_plugin.h'), 'utf8');
const LANGUAGE = readFileSync(join(import.meta.dirname, 'language.d.ts'), 'utf8');

const structure = (name: string): string[] => {
  const body = new RegExp(`struct ${name} \\{([^}]*)\\}`).exec(HEADER)?.[1] ?? '';
  const bare = body.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...bare.matchAll(/(?:u?int64_t|double) (\w+);/g)].map(([, field = '']) => field);
};
const words = (name: string): string[] => {
  const body = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(LANGUAGE)?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(([, word = '']) => word);
};

/** What the language says of another way than by a field. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  Setup: ['params', 'transport'],
  Ack: ['packets'],
  Loss: ['packets'],
};

const VIEWS: readonly (readonly [struct: string, word: string, fields: readonly Field[]])[] = [
  ['paceline_ack', 'Ack', ACK],
  ['paceline_loss', 'Loss', LOSS],
  ['paceline_timeout', 'Timeout', TIMEOUT],
  ['paceline_sent', 'Sent', SENT],
  ['paceline_acked_packet', 'AckedPacket', ACKED_PACKET],
  ['paceline_lost_packet', 'LostPacket', LOST_PACKET],
  ['paceline_setup', 'Setup', SETUP],
];

describe('what an own algorithm is told', () => {
  it.each(VIEWS)('%s is read in its order', (struct, _word, fields) => {
    expect(structure(struct).length).toBeGreaterThan(5);
    expect(fields.map(({ field }) => field)).toEqual(structure(struct));
  });

  it.each(VIEWS)('%s is %s in the language, and nothing else', (_struct, word, fields) => {
    const said = fields.flatMap(({ name }) => (name === null ? [] : [name]));
    expect(words(word).toSorted()).toEqual([...said, ...(ELSEWHERE[word] ?? [])].toSorted());
  });

  it('is answered in the order of the header', () => {
    expect(CONTROL.map(({ field }) => field)).toEqual(structure('paceline_control'));
    expect(words('Controller')).toEqual(expect.arrayContaining(CONTROL.map(({ name }) => name)));
  });
});
