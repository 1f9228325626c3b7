import { describe, expect, it } from 'vitest';
import { fileArrows, nativeArrows, rustArrows, scriptArrows } from './arrows.mjs';
import { circleIn, differences, drawingBelow } from './drawing.mjs';

const drawing = drawingBelow(
  '# Page\n\n## House\n\n```mermaid\ngraph TD\n  roof["roof: of tiles"] --> walls["walls"]\n  walls --> ground\n```\n',
  '## House',
);
const arrows = (...pairs: [string, string][]): Map<string, Map<string, string>> => {
  const all = new Map<string, Map<string, string>>();
  for (const [from, to] of pairs) {
    all.set(from, (all.get(from) ?? new Map<string, string>()).set(to, `${from}.cc:1`));
    all.set(to, all.get(to) ?? new Map<string, string>());
  }
  return all;
};
const AS_DRAWN = [
  ['roof', 'walls'],
  ['walls', 'ground'],
] satisfies [string, string][];

describe('a drawing of rooms', () => {
  it('agrees with what takes as it has it, also over several arrows', () => {
    expect(differences(drawing, arrows(...AS_DRAWN, ['roof', 'ground']))).toEqual([]);
  });

  it('tells what takes against the arrows, with the place', () => {
    expect(differences(drawing, arrows(...AS_DRAWN, ['ground', 'walls']))).toEqual([
      'ground.cc:1: ground may not take from walls: no arrow leads there',
    ]);
  });

  it('tells rooms that are not drawn, and arrows that nothing follows', () => {
    expect(differences(drawing, arrows(['walls', 'ground'], ['cellar', 'ground']))).toEqual([
      'cellar is not drawn',
      'an arrow from roof to walls is drawn, and nothing takes that way',
    ]);
  });

  it('has no circle', () => {
    expect(circleIn(arrows(...AS_DRAWN))).toBeUndefined();
    expect(circleIn(arrows(...AS_DRAWN, ['ground', 'roof']))).toEqual(['roof', 'walls', 'ground', 'roof']);
  });

  it('is missed where it should be', () => {
    expect(() => drawingBelow('## House\n', '## House')).toThrow(/no drawing below "## House"/);
  });
});

it('the imports of all three languages are found', () => {
  expect(nativeArrows().get('cca')?.get('core')).toMatch(/^emulator-bridge\/native\/cca\/.*:\d+$/);
  expect(scriptArrows().get('server')?.has('bridge')).toBe(true);
  expect(scriptArrows().get('page')?.has('analysis')).toBe(true);
  expect(rustArrows().get('client')?.has('telemetry')).toBe(true);
  const run = fileArrows().get('emulator-bridge/src/run');
  expect(run?.get('emulator-bridge/src/virtual')).toMatch(/^emulator-bridge\/src\/run\.ts:\d+$/);
  expect(fileArrows().get('server/analysis/results')?.has('emulator-bridge/protocol/api')).toBe(true);
});
