import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHOSEN } from '../e2e/hands/chosen.ts';
import { MOUSE_ONLY } from '../e2e/hands/mouse-only.ts';

const FOLDER = new URL('../e2e/', import.meta.url);
const specs = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
);
const all = [...specs.values()].join('\n');

describe('steps that are about the mouse', () => {
  it.each(Object.entries(MOUSE_ONLY))('%s: one journey has it, and one does the same by keyboard', (name, reason) => {
    expect(all.split(`mouseOnly('${name}'`)).toHaveLength(2);
    const [file, text] = reason.byKeyboard;
    expect(specs.get(file)).toContain(text);
    expect(reason.why).toMatch(/\.$/);
  });

  it('are all on the list', () => {
    const found = [...all.matchAll(/mouseOnly\(\s*'([^']+)'/g)].map(([, name]) => name ?? '');
    expect(found.sort()).toEqual(Object.keys(MOUSE_ONLY).sort());
  });
});

it('the journeys that are made by keyboard each time are there', () => {
  for (const name of CHOSEN) expect([...specs.keys()]).toContain(`${name}.spec.ts`);
});
