import { formatChosen, UNIT_SPACE } from '../../ui/format';
import { LabelledSlider } from '../../ui/slider';
import type { Knob } from './knob';

interface KnobSliderProps {
  readonly knob: Knob;
  readonly onChange: (value: number) => void;
}

export const KnobSlider = ({ knob, onChange }: KnobSliderProps) => (
  <LabelledSlider
    label={knob.label}
    output={`${formatChosen(knob.value)}${knob.unit === '' ? '' : `${UNIT_SPACE}${knob.unit}`}`}
    minValue={knob.min}
    maxValue={knob.max}
    step={knob.step}
    value={knob.value}
    onChange={onChange}
  />
);
