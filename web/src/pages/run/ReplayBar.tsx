// While a run goes: how far it is, how long it will take, Stop. When it is over: play, speed, scrubber.
import { useMemo } from 'react';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components';
import type { Replay, ReplayState } from '../../live/replay';
import { useReplayHead } from '../../live/use-replay';
import { Button, IconButton } from '../../ui/button';
import { type Command, useCommands } from '../../ui/commands';
import { cx } from '../../ui/cx';
import { Select } from '../../ui/fields';
import { formatDuration, formatMeasured, UNIT_SPACE } from '../../ui/format';
import { ProgressBar } from '../../ui/progress';
import { SPEEDS, type Speed } from './use-shared-replay';
import css from './run.module.css';

const STEP_S = 0.1;

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

export function ReplayBar({
  replay,
  state,
  speed,
  onSpeed,
}: {
  readonly replay: Replay;
  readonly state: ReplayState;
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
}) {
  const at = useReplayHead(replay);
  const end = replay.endS;
  const commands = useMemo<readonly Command[]>(
    () => [
      { id: 'play', title: 'Play or pause the replay', group: 'Replay', keys: 'space', run: () => replay.toggle() },
      {
        id: 'step-back',
        title: 'A step back',
        group: 'Replay',
        keys: 'ArrowLeft',
        run: () => replay.seek(replay.atS - STEP_S),
      },
      {
        id: 'step-on',
        title: 'A step on',
        group: 'Replay',
        keys: 'ArrowRight',
        run: () => replay.seek(replay.atS + STEP_S),
      },
    ],
    [replay],
  );
  useCommands(commands);
  return (
    <div className={css['transport']} role="group" aria-label="Replay">
      <IconButton
        kind="plain"
        icon={state.playing ? 'pause' : 'play'}
        label={state.playing ? 'Pause' : 'Play'}
        onPress={() => replay.toggle()}
      />
      <div className={css['speed']}>
        <Select
          label="Speed"
          hideLabel
          value={speed}
          options={SPEEDS.map((id) => ({ id, label: `${id}×` }))}
          onChange={onSpeed}
        />
      </div>
      <Slider
        className={cx(css['scrub'])}
        aria-label="Position in the run"
        minValue={0}
        maxValue={Math.max(end, STEP_S)}
        step={STEP_S / 10}
        value={at}
        onChange={(to) => replay.seek(to)}
      >
        <SliderTrack className={cx(css['track'])}>
          {({ state: slider }) => (
            <>
              <div className={css['done']} style={{ width: `${slider.getThumbPercent(0) * 100}%` }} />
              <SliderThumb className={cx(css['thumb'])} aria-label="Position in the run" />
            </>
          )}
        </SliderTrack>
      </Slider>
      <span className={css['time']}>
        <b>{seconds(at)}</b> / {formatMeasured(end)}
        {UNIT_SPACE}s
      </span>
    </div>
  );
}
