import { describe, expect, it } from 'vitest';
import type { EngineListing } from '#protocol/cca';
import { AskedSpec } from '#protocol/spec';
import type { Template } from '#protocol/template';
import { costText } from '../templates/cost';
import type { Draft } from './draft';
import { draftOfTemplate } from './template-draft';

const listing = (...ids: readonly (readonly [string, string])[]): EngineListing =>
  ({ ccas: ids.map(([id, kind]) => ({ id, kind })) }) as unknown as EngineListing;
const OURS = [
  ['bbr', 'sender'],
  ['cubic', 'sender'],
] as const;
const spec = AskedSpec.parse({ traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 7 });
const template: Template = { id: 't', title: 'T', answers: '', shipped: true, created_at: null, keeps: [], spec };
const draft: Draft = {
  ...spec,
  name: 'mine',
  note: 'n',
  traces: [{ rate_mbps: 50 }],
  ccas: [{ id: 'bbr', params: {} }],
  duration_s: 99,
};

describe('a template fills the form', () => {
  it('with all that it has, in place of what was there', () => {
    const filled = draftOfTemplate(template, draft, listing(...OURS));
    expect(filled).toMatchObject({
      name: '',
      note: '',
      duration_s: 7,
      traces: [{ rate_mbps: 12 }],
      ccas: [{ id: 'cubic' }],
    });
  });

  it('by its name, where it is somebody’s own', () =>
    expect(draftOfTemplate({ ...template, shipped: false }, draft, listing(...OURS)).name).toBe('T'));

  it('but for traces that it leaves to whoever uses it', () => {
    const keeps = { ...template, keeps: ['traces'] } satisfies Template;
    expect(draftOfTemplate(keeps, draft, listing(...OURS)).traces).toEqual([{ rate_mbps: 50 }]);
    expect(draftOfTemplate(keeps, { ...draft, traces: [] }, listing(...OURS)).traces).toEqual([{ rate_mbps: 12 }]);
  });

  it('and for algorithms: those that are chosen, or programs of one’s own, beside those of the template', () => {
    const keeps = { ...template, keeps: ['ccas'] } satisfies Template;
    const ids = (asked: Draft, ...more: (readonly [string, string])[]): string[] =>
      draftOfTemplate(keeps, asked, listing(...OURS, ...more)).ccas.map(({ id }) => id);
    expect(ids(draft)).toEqual(['bbr', 'cubic']);
    expect(ids({ ...draft, ccas: [{ id: 'cubic', params: {} }] })).toEqual(['cubic']);
    expect(ids(draft, ['mine', 'external'])).toEqual(['cubic', 'mine']);
  });
});

it('says what it costs', () => {
  const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');
  expect(plain(costText({ runs: 1200, cached: 0, estimate_s: { low: 40, high: 70 } }))).toBe('1 200 runs · 40–70 s');
  expect(plain(costText({ runs: 1, cached: 1, estimate_s: { low: 0, high: 0 } }))).toBe('1 run, measured already');
});
