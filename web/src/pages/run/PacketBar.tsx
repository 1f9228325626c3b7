// Play, step by packet, speed and place of the picture of packets.
import { useMemo, useSyncExternalStore } from 'react';
import { Slider } from 'react-aria-components';
import { momentsOf, type PacketFacts } from '../../packets/facts';
import type { Playhead } from '../../packets/playhead';
import { Select } from '../../ui/choice';
import { IconButton } from '../../ui/button';
import { type Command, useCommands } from '../../ui/commands';
import { cx } from '../../ui/cx';
import { UNIT_SPACE } from '../../ui/format';
import { SliderRail } from '../../ui/slider';
import { SLOWNESS, type Slowness } from './packet-search';
import css from './packets.module.css';

interface PacketBarProps {
  readonly playhead: Playhead;
  readonly facts: PacketFacts;
  readonly speed: Slowness;
  readonly onSpeed: (speed: Slowness) => void;
}

/** `1/500`: nobody reads 0.002. */
const slowness = (speed: string): string => (speed === '1' ? 'real time' : `1/${Math.round(1 / Number(speed))}`);

export function PacketBar({ playhead, facts, speed, onSpeed }: PacketBarProps) {
  const at = useSyncExternalStore(playhead.subscribeAt, playhead.getAt);
  const { playing } = useSyncExternalStore(playhead.subscribeState, playhead.getState);
  const moments = useMemo(() => momentsOf(facts), [facts]);
  const commands = useMemo<readonly Command[]>(
    () =>
      [
        { id: 'packets-play', title: 'Play or pause the packets', keys: 'p', run: () => playhead.toggle() },
        {
          id: 'packets-back',
          title: 'To what a packet did before',
          keys: '[',
          run: () => playhead.step(moments, 'back'),
        },
        { id: 'packets-on', title: 'To what a packet does next', keys: ']', run: () => playhead.step(moments, 'on') },
      ].map((command) => ({ ...command, group: 'Packets' })),
    [playhead, moments],
  );
  useCommands(commands);
  return (
    <div className={css['bar']} role="group" aria-label="Packets over time">
      <IconButton
        icon="sampleBack"
        label="To what a packet did before ( [ )"
        onPress={() => playhead.step(moments, 'back')}
      />
      <IconButton
        kind="plain"
        icon={playing ? 'pause' : 'play'}
        label={playing ? 'Pause the packets ( p )' : 'Play the packets ( p )'}
        onPress={() => playhead.toggle()}
      />
      <IconButton
        icon="sampleOn"
        label="To what a packet does next ( ] )"
        onPress={() => playhead.step(moments, 'on')}
      />
      <div className={css['speed']}>
        <Select
          label="Speed of the packets"
          hideLabel
          value={speed}
          options={SLOWNESS.map((id) => ({ id, label: slowness(id) }))}
          onChange={onSpeed}
        />
      </div>
      <Slider
        className={cx(css['scrub'])}
        aria-label="Moment in the window"
        minValue={playhead.from_s}
        maxValue={playhead.to_s}
        step={(playhead.to_s - playhead.from_s) / 1000}
        value={at}
        onChange={(to) => {
          playhead.pause();
          playhead.seek(to);
        }}
      >
        <SliderRail />
      </Slider>
      <span className={css['time']}>
        {at.toFixed(5)}
        {UNIT_SPACE}s
      </span>
    </div>
  );
}
