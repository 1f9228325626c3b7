// What the README and docs/studies.md say of the studies is of the studies that are shipped: claim by claim, in their words.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { StoredStudies } from '#protocol/study';
import { shippedStudies } from '../server/src/studies/read-studies.ts';

const stored = StoredStudies.parse(JSON.parse(readFileSync(new URL('../docs/studies.json', import.meta.url), 'utf8')));

const texts = (studies: readonly { readonly id: string; readonly figures: readonly Figure[] }[]): string[] =>
  studies.flatMap(({ id, figures }) =>
    figures.flatMap((figure) => figure.claims.map((claim) => `${id} ${figure.id} ${claim.id}: ${claim.text}`)),
  );
interface Figure {
  readonly id: string;
  readonly claims: readonly { readonly id: string; readonly text: string }[];
}

describe('docs/studies.json', () => {
  it('has every claim of every study, and no other (npm run studies writes it)', () => {
    expect(texts(stored.studies)).toEqual(texts(shippedStudies()));
  });

  it('is of runs that were made', () => {
    const verdicts = stored.studies.flatMap(({ figures }) =>
      figures.flatMap(({ claims }) => claims.map(({ outcome }) => outcome.verdict)),
    );
    expect(verdicts).not.toContain('open');
    expect(verdicts.length).toBeGreaterThan(90);
  });

  it('gives no reason that no run shows', () => {
    const unshown = stored.studies.flatMap(({ id, figures }) =>
      figures.flatMap(({ claims }) =>
        claims.flatMap(({ id: claim, reason }) => (reason !== null && reason.shown !== true ? [`${id}/${claim}`] : [])),
      ),
    );
    expect(unshown).toEqual([]);
  });
});
