import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { nextVersion, released, STAMPED } from './stamp.mjs';

describe('the version of a release', () => {
  it.each([
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['1.2.3', '1.10.0', '1.10.0'],
    // never released before
    ['0.1.0', '0.1.0', '0.1.0'],
  ])('%s, asked for %s, is %s', (old, wanted, version) => {
    expect(nextVersion(old, wanted)).toBe(version);
  });

  it.each(['1.2.2', '0.9.9', '1.1.9'])('is not an earlier one: %s', (wanted) => {
    expect(() => nextVersion('1.2.3', wanted)).toThrow(`${wanted} is earlier than 1.2.3`);
  });

  it.each(['1.2', 'next', 'v1.2.4', '1.2.4-rc', '1.2.4; rm'])('is none of %s', (wanted) => {
    expect(() => nextVersion('1.2.3', wanted)).toThrow(`${wanted} is no version`);
  });
});

describe('the changelog of a release', () => {
  const before =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [1.0.0] – 2026-01-01\n\n- The first.\n';

  it('closes what has gathered under the version and the day', () => {
    const text = released(before, '1.1.0', '2026-02-03');
    expect(text).toBe(before.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [1.1.0] – 2026-02-03\n'));
    expect(() => released(text, '1.2.0', '2026-02-04')).toThrow('nothing that is new');
    expect(() => released(before, '1.0.0', '2026-02-03')).toThrow('has 1.0.0 already');
    expect(() => released('# Changelog\n', '1.1.0', '2026-02-03')).toThrow('not one section');
  });

  it('can be made of the one that is there', () => {
    const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(released(text, '99.0.0', '2099-01-01').length).toBeGreaterThan(text.length);
  });
});

describe('the files that name the version', () => {
  it.each(Object.entries(STAMPED))('%s has it stamped, and nothing else changed', (file, stamp) => {
    const text = readFileSync(`${ROOT}/${file}`, 'utf8');
    const [before, after] = [text, stamp(text, '99.98.97')].map((one) => one.split('\n'));
    expect(after).toHaveLength(before?.length ?? -1);
    const changed = after?.filter((line, i) => line !== before?.[i]) ?? [];
    expect(changed.length).toBe(file === 'package-lock.json' ? 2 : 1);
    for (const line of changed) expect(line).toMatch(/^\s*"?version"?(:| =) "99\.98\.97",?$/);
    expect(() => stamp('{}', '1.0.0')).toThrow('no version where one is expected');
  });

  it('are all of the same version', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { version: string };
    for (const [file, stamp] of Object.entries(STAMPED)) {
      const text = readFileSync(`${ROOT}/${file}`, 'utf8');
      expect(`${file} ${stamp(text, version) === text}`).toBe(`${file} true`);
    }
  });
});
