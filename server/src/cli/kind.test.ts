// `paceline kind`: a spec for a question, which `paceline run` takes as it is.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AskedSpec } from '#protocol/spec';
import { shippedKinds } from '../kinds/read-kinds.ts';
import { explain } from './exit.ts';
import { kind } from './kind.ts';

afterEach(() => vi.restoreAllMocks());

async function printed(...words: string[]): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += String(piece);
    return true;
  });
  expect(await kind(words)).toBe(0);
  vi.restoreAllMocks();
  return text;
}
const specOf = async (...words: string[]): Promise<AskedSpec> =>
  AskedSpec.parse(JSON.parse(await printed(...words, '--no-stacks')));
const refusal = async (...words: string[]): Promise<string> => {
  const error: unknown = await kind(words).catch((fault: unknown) => fault);
  const { code, text } = explain(error);
  expect(code).toBe(2);
  return text;
};
const LINK = ['--rate-mbps', '12'];

describe('paceline kind', () => {
  it('lists what there is, for people and as JSON', async () => {
    for (const { id, question } of shippedKinds())
      expect(await printed('list')).toMatch(new RegExp(`^${id} +${question.slice(0, 20)}`, 'm'));
    expect(JSON.parse(await printed('list', '--json'))).toEqual({ kinds: shippedKinds() });
  });

  it.each(shippedKinds().map(({ id }) => id))('%s prints a spec that can be run', async (id) => {
    const spec = await specOf(id, '--ccas', 'cubic,bbr', '--trace', 'City drive, 5G', ...LINK);
    expect(spec.traces).toEqual([{ trace: 'City drive, 5G' }, { rate_mbps: 12 }]);
    expect(spec.ccas.map((cca) => cca.id)).toEqual(['cubic', 'bbr']);
  });

  it('takes the number of flows, who else is there, and what is swept', async () => {
    const turns = await specOf('intra-fairness', '--ccas', 'bbr', ...LINK, '--flows', '5', '--duration', '90');
    expect(turns.flows.map(({ start_s }) => start_s)).toEqual([0, 10, 20, 30, 40]);
    const beside = await specOf('inter-fairness', '--ccas', 'bbr', ...LINK, '--against', 'copa');
    expect(beside.flows[1]?.cca).toEqual({ id: 'copa', params: {} });
    const swept = await specOf('parameter', '--ccas', 'copa', ...LINK, '--sweep', 'ccas.copa.delta=0.1,1');
    expect(swept.sweep).toEqual({ path: 'ccas.copa.delta', values: [0.1, 1] });
  });

  it('refuses what it does not know, and what would say nothing', async () => {
    expect(await refusal('nothing', '--ccas', 'cubic')).toMatch(/there is no kind “nothing”; there are: solo, /);
    expect(await refusal('solo', ...LINK)).toMatch(/--ccas: is needed/);
    expect(await refusal('solo', '--ccas', 'cubic')).toMatch(/which link\?/);
    expect(await refusal('solo', '--ccas', 'cubik', ...LINK)).toMatch(/ccas\.0\.id: there is no CCA “cubik”/);
    expect(await refusal('solo', '--ccas', 'cubic', ...LINK, '--flows', '3')).toMatch(/--flows says nothing/);
    expect(await refusal('solo', '--ccas', 'cubic', ...LINK, '--against', 'bbr')).toMatch(/--against says nothing/);
    expect(await refusal('solo', '--ccas', 'cubic', ...LINK, '--sweep', 'a=1')).toMatch(/--sweep says nothing/);
    expect(await refusal('solo', '--ccas', 'cubic', '--rate-mbps=-1')).toMatch(/--rate-mbps: /);
    expect(await refusal('intra-fairness', '--ccas', 'cubic', ...LINK, '--flows', '65')).toMatch(/--flows: /);
    expect(await refusal('parameter', '--ccas', 'cubic', ...LINK, '--sweep', 'ccas.cubic.nope=1')).toMatch(
      /nothing called “ccas\.cubic\.nope” can be swept/,
    );
  });
});
