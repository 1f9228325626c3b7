// While a run goes: how far it is, how long it will take, Stop. When it is over: play, speed, scrubber.
import { useCallback, useMemo, useState } from 'react';
import { Slider, SliderThumb, SliderTrack, ToggleButton } from 'react-aria-components';
import type { TimeView } from '../../charts/time-view';
import type { Direction, Replay, ReplayState, Span } from '../../live/replay';
import { useReplayHead } from '../../live/use-replay';
import { Button, buttonClass, IconButton } from '../../ui/button';
import { type Command, useCommands } from '../../ui/commands';
import { cx } from '../../ui/cx';
import { Select } from '../../ui/choice';
import { formatDuration, formatMeasured, UNIT_SPACE } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { ProgressBar } from '../../ui/progress';
import { eventWords } from './event-words';
import { type ReplayChange, SPEEDS, type Speed } from './use-shared-replay';
import css from './run.module.css';

const STEP_S = 0.1;

/** As exact as an address needs it. */
const round = (timeS: number): number => Number(timeS.toFixed(3));
const seconds = (value: number): string => value.toFixed(value < 1000 ? 1 : 0);

interface LiveBarProps {
  readonly timeS: number;
  readonly durationS: number;
  readonly etaS: number | null;
  readonly waiting: boolean;
  readonly stopping: boolean;
  readonly onStop: () => void;
}

export function LiveBar({ timeS, durationS, etaS, waiting, stopping, onStop }: LiveBarProps) {
  return (
    <div className={css['transport']} role="group" aria-label="Progress">
      <Button icon="stop" kind="danger" onPress={onStop} isDisabled={stopping}>
        {stopping ? 'Stopping …' : 'Stop'}
      </Button>
      <div className={css['bar']}>
        <ProgressBar label="Progress of the run" value={durationS === 0 ? 0 : timeS / durationS} />
      </div>
      <span className={css['time']}>
        {waiting ? (
          'waiting for its turn'
        ) : (
          <>
            <b>{seconds(timeS)}</b> / {seconds(durationS)}
            {UNIT_SPACE}s{etaS === null ? '' : ` · ${formatDuration(etaS)} left`}
          </>
        )}
      </span>
    </div>
  );
}

interface ReplayBarProps {
  readonly replay: Replay;
  readonly state: ReplayState;
  readonly view: TimeView;
  readonly speed: Speed;
  /** The part that is played over and over; null: all, once. */
  readonly loop: Span | null;
  readonly onChange: ReplayChange;
  /** What the flows of each run are called. */
  readonly flows: readonly (readonly string[])[];
}

export function ReplayBar({ replay, state, view, speed, loop, onChange, flows }: ReplayBarProps) {
  const at = useReplayHead(replay);
  const end = replay.endS;
  const [event, setEvent] = useState<{ words: string; at: number } | null>(null);
  const toEvent = useCallback(
    (direction: Direction) => {
      const found = replay.stepEvent(direction);
      if (found !== null) setEvent({ words: eventWords(found.event, flows[found.run] ?? []), at: replay.getHead() });
    },
    [replay, flows],
  );
  const looped = loop !== null;
  const toggleLoop = useCallback(
    () => onChange({ loop: looped ? null : [round(view.range[0]), round(view.range[1])] }),
    [onChange, looped, view],
  );
  const commands = useMemo<readonly Command[]>(
    () =>
      [
        { id: 'play', title: 'Play or pause the replay', keys: 'space', run: () => replay.toggle() },
        { id: 'sample-back', title: 'A sample back', keys: 'ArrowLeft', run: () => replay.stepSamples('back') },
        { id: 'sample-on', title: 'A sample on', keys: 'ArrowRight', run: () => replay.stepSamples('on') },
        {
          id: 'step-back',
          title: 'Ten samples back',
          keys: 'shift+ArrowLeft',
          run: () => replay.stepSamples('back', 10),
        },
        { id: 'step-on', title: 'Ten samples on', keys: 'shift+ArrowRight', run: () => replay.stepSamples('on', 10) },
        { id: 'event-back', title: 'To the event before', keys: ',', run: () => toEvent('back') },
        { id: 'event-on', title: 'To the next event', keys: '.', run: () => toEvent('on') },
        { id: 'loop', title: 'Loop what is in sight, or no more', keys: 'o', run: toggleLoop },
      ].map((command) => ({ ...command, group: 'Replay' })),
    [replay, toEvent, toggleLoop],
  );
  useCommands(commands);
  const last = Math.max(end, STEP_S);
  const percent = (timeS: number): number => (Math.min(timeS, last) / last) * 100;
  return (
    <div className={cx(css['transport'], css['replaying'])} role="group" aria-label="Replay">
      <div className={css['steps']}>
        <IconButton icon="eventBack" label="To the event before ( , )" onPress={() => toEvent('back')} />
        <IconButton icon="sampleBack" label="A sample back ( ← )" onPress={() => replay.stepSamples('back')} />
        <IconButton
          kind="plain"
          icon={state.playing ? 'pause' : 'play'}
          label={state.playing ? 'Pause' : 'Play'}
          onPress={() => replay.toggle()}
        />
        <IconButton icon="sampleOn" label="A sample on ( → )" onPress={() => replay.stepSamples('on')} />
        <IconButton icon="eventOn" label="To the next event ( . )" onPress={() => toEvent('on')} />
      </div>
      <div className={css['speed']}>
        <Select
          label="Speed"
          hideLabel
          value={speed}
          options={SPEEDS.map((id) => ({ id, label: `${id}×` }))}
          onChange={(chosen) => onChange({ speed: chosen })}
        />
      </div>
      <ToggleButton className={buttonClass({ kind: 'quiet' }, css['loop'])} isSelected={looped} onChange={toggleLoop}>
        <Icon name="loop" />
        {loop === null ? 'Loop' : `${seconds(loop[0])}–${seconds(loop[1])}${UNIT_SPACE}s`}
      </ToggleButton>
      <Slider
        className={cx(css['scrub'])}
        aria-label="Position in the run"
        minValue={0}
        maxValue={last}
        step={STEP_S / 10}
        value={at}
        onChange={(to) => replay.seek(to)}
      >
        <SliderTrack className={cx(css['track'])}>
          {({ state: slider }) => (
            <>
              {loop === null ? null : (
                <div
                  className={css['looped']}
                  style={{ left: `${percent(loop[0])}%`, width: `${percent(loop[1]) - percent(loop[0])}%` }}
                />
              )}
              <div className={css['done']} style={{ width: `${slider.getThumbPercent(0) * 100}%` }} />
              <SliderThumb className={cx(css['thumb'])} aria-label="Position in the run" />
            </>
          )}
        </SliderTrack>
      </Slider>
      <span className={css['event']} role="status">
        {event !== null && event.at === at ? event.words : ''}
      </span>
      <span className={css['time']}>
        <b>{seconds(at)}</b> / {formatMeasured(end)}
        {UNIT_SPACE}s
      </span>
    </div>
  );
}
