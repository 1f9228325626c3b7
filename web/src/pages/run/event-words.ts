// What happened to a flow or a link, in words.
import type { RunEvent } from '#protocol/control';
import { formatMeasured, UNIT_SPACE } from '../../ui/format';

const WORDS: Record<RunEvent['event'], string> = {
  flow_start: 'starts',
  connected: 'is connected',
  flow_stop: 'stops',
  loss_episode: 'loses packets',
  recovered: 'has recovered',
  rto: 'times out',
  marked: 'is told of congestion',
  phase: 'changes its phase',
  overrun: 'the machine was late',
  unmodelled_loss: 'packets were lost outside the link',
  link_change: 'the link is changed',
  message: 'has a message through',
};

const about = ({ event, detail, value }: RunEvent): string => {
  if (event === 'phase') return detail === undefined ? '' : `: ${detail}`;
  if (event === 'loss_episode') return value === undefined ? '' : `: ${value}`;
  if (event === 'connected') return value === undefined ? '' : ` after ${formatMeasured(value)}${UNIT_SPACE}ms`;
  return event === 'overrun' && detail !== undefined ? `: ${detail}` : '';
};

/** `flows`: what each is called. */
export function eventWords(event: RunEvent, flows: readonly string[]): string {
  const who = event.flow === null ? undefined : flows[event.flow];
  return `${who === undefined ? '' : `${who} `}${WORDS[event.event]}${about(event)}`;
}
