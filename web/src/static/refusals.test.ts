import { expect, it } from 'vitest';
import { whatFor } from './refusals';

it.each(['packets', 'capture', 'link-log', 'ns3-trace', 'queue-by-flow'])(
  'says of %s that a program of a server makes the run once more',
  (what) => {
    expect(whatFor(`/runs/${'a'.repeat(20)}/${what}`)).toMatch(
      /^What each packet did is told by a program of a server/,
    );
  },
);

it('says of a file what it says of files', () => {
  expect(whatFor(`/experiments/${'a'.repeat(20)}/report`)).toBe('Files like this one are written by a server.');
});
