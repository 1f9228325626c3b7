// What the link of a run is now: what the manifest says, and each change that its telemetry tells of.
import { LinkChange, type RunEvent } from '#protocol/control';
import type { LinkSpec } from '#protocol/manifest';
import type { LinkOrder } from '../../api/actions';

export interface Link {
  /** null: the manifest's trace, or no limit at all. */
  readonly rate_mbps: number | null;
  readonly delay_ms: number;
  readonly loss: number;
  readonly limit_bytes: number | null;
}

export const planned = ({ capacity, delay_ms, loss, queue }: LinkSpec): Link => ({
  rate_mbps: capacity.kind === 'constant' ? capacity.rate_mbps : null,
  delay_ms,
  loss,
  limit_bytes: queue.limit_bytes,
});

/** The changes so far, in order. */
export function linkOrders(events: readonly RunEvent[]): readonly LinkOrder[] {
  return events.flatMap(({ event, detail }) => {
    if (event !== 'link_change' || detail === undefined) return [];
    const change = LinkChange.safeParse(parsed(detail));
    return change.success ? [change.data] : [];
  });
}

export const linkAfter = (link: Link, direction: LinkOrder['direction'], orders: readonly LinkOrder[]): Link =>
  orders
    .filter((order) => order.direction === direction)
    .reduce(
      (now, { rate_mbps, capacity, delay_ms, loss, limit_bytes }) => ({
        rate_mbps: rate_mbps ?? (capacity === 'trace' ? null : now.rate_mbps),
        delay_ms: delay_ms ?? now.delay_ms,
        loss: loss ?? now.loss,
        limit_bytes: limit_bytes === undefined ? now.limit_bytes : limit_bytes,
      }),
      link,
    );

/** Only what differs from what the link is now; null: nothing does. */
export function orderOf(direction: LinkOrder['direction'], now: Link, next: Link): LinkOrder | null {
  const order: LinkOrder = {
    direction,
    ...(next.rate_mbps === now.rate_mbps
      ? {}
      : next.rate_mbps === null
        ? { capacity: 'trace' as const }
        : { rate_mbps: next.rate_mbps }),
    ...(next.delay_ms === now.delay_ms ? {} : { delay_ms: next.delay_ms }),
    ...(next.loss === now.loss ? {} : { loss: next.loss }),
    ...(next.limit_bytes === now.limit_bytes ? {} : { limit_bytes: next.limit_bytes }),
  };
  return Object.keys(order).length === 1 ? null : order;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
