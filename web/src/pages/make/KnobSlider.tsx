import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components';
import { cx } from '../../ui/cx';
import { formatChosen, UNIT_SPACE } from '../../ui/format';
import type { Knob } from './knob';
import css from './make.module.css';

interface KnobSliderProps {
  readonly knob: Knob;
  readonly onChange: (value: number) => void;
}

export const KnobSlider = ({ knob, onChange }: KnobSliderProps) => (
  <Slider
    className={cx(css['slider'])}
    minValue={knob.min}
    maxValue={knob.max}
    step={knob.step}
    value={knob.value}
    onChange={onChange}
  >
    <Label>{knob.label}</Label>
    <SliderOutput>
      {formatChosen(knob.value)}
      {knob.unit === '' ? '' : `${UNIT_SPACE}${knob.unit}`}
    </SliderOutput>
    <SliderTrack className={cx(css['track'])}>
      {({ state }) => (
        <>
          <div className={css['fill']} style={{ width: `${state.getThumbPercent(0) * 100}%` }} />
          <SliderThumb className={cx(css['thumb'])} />
        </>
      )}
    </SliderTrack>
  </Slider>
);
