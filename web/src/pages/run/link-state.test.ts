// What the controls of a link show after changes that this page, or another, has made.
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '#protocol/control';
import { linkAfter, linkOrders, orderOf, type Link } from './link-state';

const START: Link = { rate_mbps: null, delay_ms: 10, loss: 0, limit_bytes: 60_000 };

const changed = (detail: string): RunEvent => ({ type: 'event', time_s: 1, flow: null, event: 'link_change', detail });

describe('the link as the telemetry tells it', () => {
  it('has every change of its direction, in order', () => {
    const orders = linkOrders([
      changed('{"type":"set","direction":"forward","rate_mbps":5,"delay_ms":40}'),
      { type: 'event', time_s: 1, flow: 0, event: 'rto' },
      changed('{"type":"set","direction":"reverse","loss":0.1}'),
      changed('{"type":"set","direction":"forward","rate_mbps":7,"limit_bytes":null}'),
    ]);
    expect(linkAfter(START, 'forward', orders)).toEqual({ rate_mbps: 7, delay_ms: 40, loss: 0, limit_bytes: null });
    expect(linkAfter(START, 'reverse', orders)).toEqual({ ...START, loss: 0.1 });
  });

  it('goes back to the trace', () => {
    const orders = linkOrders([
      changed('{"type":"set","direction":"forward","rate_mbps":5}'),
      changed('{"type":"set","direction":"forward","capacity":"trace"}'),
    ]);
    expect(linkAfter(START, 'forward', orders)).toEqual(START);
  });

  it('is not disturbed by what is no change', () => {
    expect(linkOrders([changed('nonsense'), changed('{"type":"set"}')])).toEqual([]);
  });
});

describe('the order for a change', () => {
  it('holds what differs, and is none when nothing does', () => {
    expect(orderOf('forward', START, START)).toBeNull();
    expect(orderOf('forward', START, { ...START, rate_mbps: 5 })).toEqual({ direction: 'forward', rate_mbps: 5 });
    expect(orderOf('forward', { ...START, rate_mbps: 5 }, START)).toEqual({ direction: 'forward', capacity: 'trace' });
  });
});
