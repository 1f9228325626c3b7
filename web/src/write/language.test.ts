import source from '../../../emulator-bridge/engine/own/language.d.ts?raw';
import { describe, expect, it } from 'vitest';
import { languageOf, type Word } from './language';

const types = languageOf(source);
const of = (name: string): readonly Word[] => types.find((type) => type.name === name)?.members ?? [];

describe('the language as its declaration tells it', () => {
  it('has every type, and every member of each', () => {
    const declared = [...source.matchAll(/^(?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(types.map(({ name }) => name)).toEqual(declared);
    const lines = source.split('\n').filter((line) => /^\s+(readonly )?\w+\??(\(.*\))?: /.test(line));
    const count = (words: readonly Word[]): number => words.reduce((sum, { members }) => sum + 1 + count(members), 0);
    expect(types.reduce((sum, { members }) => sum + count(members), 0)).toBe(lines.length);
  });

  it('says of what type each is and what it means', () => {
    expect(of('Ack').find(({ name }) => name === 'rtt_ms')).toEqual({
      name: 'rtt_ms',
      type: 'number | null',
      doc: 'Of the most recently sent packet newly acknowledged; null if ambiguous.',
      optional: false,
      members: [],
    });
    expect(of('Controller').find(({ name }) => name === 'onLoss')).toMatchObject({
      type: '(loss: Loss) => void',
      optional: true,
    });
    expect(
      of('Algorithm')
        .find(({ name }) => name === 'needs')
        ?.members.map(({ name }) => name),
    ).toContain('pacing');
    expect(types.find(({ name }) => name === 'Recovery')).toMatchObject({
      alias: expect.stringContaining("'entered'") as string,
      doc: expect.stringContaining('loss recovery') as string,
    });
  });
});
