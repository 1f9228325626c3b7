import type { QueueSpec } from '#protocol/spec';

/** What a queue discipline is called, with the parameters that were changed: `pie (target_ms 5)`. */
export function queueLabel({ id, params }: QueueSpec): string {
  const said = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  return said.length === 0 ? id : `${id} (${said.join(', ')})`;
}
