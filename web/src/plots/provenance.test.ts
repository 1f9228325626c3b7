import { describe, expect, it } from 'vitest';
import { asRecord, captionOf } from '../charts/provenance';
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { LISTING } from '../gallery/ccas';
import { experimentFixture } from '../gallery/experiment-fixture';
import { RunFixture } from '../gallery/run-fixture';
import { traceFixture } from '../gallery/trace-fixture';
import { ownerFacts, provenanceOf } from './provenance';

const trace = traceFixture('lte', 18, 1);
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('the figures of', () => {
  it('an experiment name trace, algorithms, limits and engine', () => {
    const facts = provenanceOf('experiment', {
      record: experimentFixture({ traces: [trace], ccas: ['curve', 'delaying'], repetitions: 3 }),
      engineVersion: '1.2.3+abc',
      ccas: LISTING,
      traces: new Map(),
      visibility: new Visibility(),
      selected: new Set(),
      onSelect: () => undefined,
    });
    const caption = plain(captionOf({ facts }));
    for (const part of [trace.name, 'queue limit 1 BDP, 5 BDP, 10 BDP, ∞', 'base RTT', 'engine 1.2.3+abc'])
      expect(caption).toContain(part);
    expect(facts.find(({ column }) => column === 'cca')?.value).toBe(
      ['curve', 'delaying'].map((id) => LISTING.get(id)?.label).join(', '),
    );
  });

  it('a run name the run and its own engine', () => {
    const samples = new RunFixture({ flows: [{ cca: 'curve' }], duration_s: 5 }).finish();
    const facts = provenanceOf('run', {
      id: 'r1',
      manifest: samples.manifest,
      samples,
      ccas: LISTING,
      view: new TimeView({ extent: [0, 5] }),
      visibility: new Visibility(),
    });
    expect(facts.map(({ column }) => column)).toEqual([
      'run',
      'trace',
      'cca',
      'queue_limit',
      'queue',
      'base_rtt_ms',
      'engine_version',
    ]);
    expect(facts.at(-1)?.value).toBe(samples.manifest.engine_version);
  });

  it('a trace name its content', () => {
    const facts = provenanceOf('comparison', {
      traces: [{ trace, loadPreview: () => Promise.reject(new Error('no')), dynamics: null }],
      view: new TimeView({ extent: [0, 1] }),
      visibility: new Visibility(),
    });
    expect(facts.map(({ value }) => value)).toEqual([trace.name, trace.id]);
  });
});

describe('whose a trace is', () => {
  const licence = 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/ – A. Owner';
  const source = 'traces/recordings/lte.txt\nA. Owner: “Measured”, 2020';
  const owner = { id: trace.id, name: trace.name, licence, source };

  it('stands in the caption, with its source in the file', () => {
    const facts = ownerFacts([owner]);
    expect(captionOf({ facts })).toBe(`trace ${licence}`);
    expect(asRecord({ facts, link: 'x' })).toEqual({ trace_licence: licence, trace_source: source, permalink: 'x' });
    expect(ownerFacts([])).toEqual([]);
  });

  it('is said of each where there are several', () => {
    const facts = ownerFacts([owner, { ...owner, id: 'b', name: 'other', licence: 'MIT, B. Owner' }]);
    expect(captionOf({ facts })).toBe(`trace lte: ${licence}; trace other: MIT, B. Owner`);
  });

  it('is said by the figures of a trace, if it is not the house’s own', () => {
    const said = (record: typeof trace) =>
      captionOf({
        facts: provenanceOf('comparison', {
          traces: [{ trace: record, loadPreview: () => Promise.reject(new Error('no')), dynamics: null }],
          view: new TimeView({ extent: [0, 1] }),
          visibility: new Visibility(),
        }),
      });
    expect(said({ ...trace, licence, source })).toContain(`trace ${licence}`);
    expect(said({ ...trace, origin: 'file', licence: 'CC0', source: '' })).toContain('trace CC0');
    expect(said({ ...trace, licence: 'MIT (Paceline)', source: 'traces/recipes/lte.json' })).not.toContain('MIT');
    expect(said(trace)).not.toContain('licence');
  });
});
