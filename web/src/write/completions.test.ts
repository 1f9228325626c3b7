import source from '../../../emulator-bridge/engine/own/language.d.ts?raw';
import { describe, expect, it } from 'vitest';
import { offersAt } from './completions';
import { languageOf } from './language';

const language = languageOf(source);
const at = (text: string) => offersAt(text, text, language, [{ name: 'decrease', label: 'Left after a loss' }]);
const labels = (text: string): string[] => (at(text)?.offers ?? []).map(({ label }) => label);

describe('what can be written at a place', () => {
  it('is what an event tells, behind its dot', () => {
    expect(labels('onAck(ack) { if (ack.')).toEqual(expect.arrayContaining(['acked_bytes', 'rate_mbps', 'recovery']));
    expect(labels('onAck(ack) { if (ack.')).not.toContain('cwnd_bytes');
    expect(at('loss.new_e')).toMatchObject({ typed: 5 });
    expect(labels('for (const packet of ack.packets) packet.')).toEqual(
      expect.arrayContaining(['rtt_ms', 'lost_at_send_bytes']),
    );
  });

  it('is what a controller has, whatever it is called, and the parameters of the text', () => {
    expect(labels('const c: Controller = {}; c.')).toContain('pacing_mbps');
    expect(labels('this.')).toContain('cwnd_bytes');
    expect(at('params.')?.offers).toEqual([expect.objectContaining({ label: 'decrease', info: 'Left after a loss' })]);
    expect(at('Math.')).toBeNull();
  });

  it('is every part of an algorithm where nothing is before it, with what functions take', () => {
    const offers = at('  onL')?.offers ?? [];
    expect(offers.find(({ label }) => label === 'onLoss')).toMatchObject({ kind: 'function', takes: ['loss'] });
    expect(labels('  p')).toEqual(expect.arrayContaining(['pacing', 'params', 'prr', 'Recovery']));
    expect(at('  1')).toBeNull();
    expect(at('')).toBeNull();
  });
});
