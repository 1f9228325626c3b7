import { describe, expect, it } from 'vitest';
import type { StreamInfo } from '#protocol/control';
import type { StreamData } from './data';
import type { Flow } from './flows';
import { internalPanels, internalsOf, variableKeys, variableStyle } from './internal-panels';

type Column = StreamInfo['columns'][number];
const column = (label: string, unit: string): Column => ({ name: label, label, unit, type: 'f32' });

function flow(index: number, colour: string, columns: Column[]): Flow {
  const info: StreamInfo = { stream: 16 + 2 * index, kind: 'sender', flow: index, cca: 'x', columns };
  const sender: StreamData = { info, rows: 0, time: new Float64Array(), column: () => undefined };
  return {
    index,
    key: `flow:${index}`,
    label: `flow ${index}`,
    cca: undefined,
    look: { colour, dash: [] } as unknown as Flow['look'],
    sender,
    receiver: undefined,
  };
}

const delay = [column('delay: trend', 'ms'), column('delay: threshold', 'ms')];

describe('panels of internals', () => {
  it('put together what has one group and unit, each line with a dash and a key of its own', () => {
    const panels = internalPanels(
      internalsOf([flow(0, '#111', [column('rate', 'Mbps'), ...delay, column('delay: slope', 's/s')])]),
    );
    expect(panels.map(({ heading, variables }) => [heading, [...variables.keys()]])).toEqual([
      ['rate', ['rate']],
      ['delay', ['delay: trend', 'delay: threshold']],
      ['delay: slope', ['delay: slope']],
    ]);
    const [alone, both] = panels;
    if (alone === undefined || both === undefined) throw new Error('two panels were expected');
    expect([variableStyle(alone, 0), variableKeys(alone, '#000')]).toEqual([{}, []]);
    expect(variableStyle(both, 0)).not.toEqual(variableStyle(both, 1));
    expect(variableKeys(both, '#000').map(({ label, dash }) => [label, dash])).toEqual([
      ['trend', variableStyle(both, 0).dash],
      ['threshold', variableStyle(both, 1).dash],
    ]);
  });

  it('lay the same variables of several flows over one another', () => {
    const panels = internalPanels(internalsOf([flow(0, '#111', delay), flow(1, '#222', delay)]));
    expect(panels).toHaveLength(1);
    expect([...(panels[0]?.variables.values() ?? [])].map((members) => members.length)).toEqual([2, 2]);
  });

  it('stay apart where two flows have one colour, since dashes then tell the flows apart', () => {
    const panels = internalPanels(internalsOf([flow(0, '#111', delay), flow(1, '#111', delay)]));
    expect(panels.map(({ heading }) => heading)).toEqual(['delay: trend', 'delay: threshold']);
  });

  it('shade many variables from strong to faint', () => {
    const forecasts = Array.from({ length: 8 }, (_, i) => column(`forecast: ${i + 1} ticks`, 'packets'));
    const [panel] = internalPanels(internalsOf([flow(0, '#111', forecasts)]));
    if (panel === undefined) throw new Error('a panel was expected');
    const strengths = forecasts.map((_, nth) => variableStyle(panel, nth).opacity ?? NaN);
    expect(strengths).toEqual([...strengths].sort((a, b) => b - a));
    expect(new Set(strengths).size).toBe(8);
    expect(variableKeys(panel, '#000').map(({ label }) => label)).toEqual(['1 ticks (strong) … 8 ticks (faint)']);
  });
});
