// Sliders: a value with its name and what it says, or the rail alone for a slider that says more.
import type { ReactNode } from 'react';
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack, type SliderProps } from 'react-aria-components';
import { cx } from './cx';
import css from './slider.module.css';

type ValueProps = Pick<
  SliderProps<number>,
  'minValue' | 'maxValue' | 'step' | 'value' | 'formatOptions' | 'onChange' | 'onChangeEnd'
>;

interface LabelledProps extends ValueProps {
  readonly label: ReactNode;
  readonly output: ReactNode;
  /** Somebody has gone elsewhere. */
  readonly onBlur?: () => void;
}

export function LabelledSlider({ label, output, onBlur, ...value }: LabelledProps) {
  return (
    <Slider className={cx(css['slider'])} {...value}>
      <Label>{label}</Label>
      <SliderOutput>{output}</SliderOutput>
      <SliderRail onBlur={onBlur} />
    </Slider>
  );
}

/** Filled up to the only thumb, or between two; `thumbs`: their names where the slider's own is not enough. */
export const SliderRail = ({
  thumbs = [undefined],
  onBlur,
}: {
  readonly thumbs?: readonly (string | undefined)[];
  readonly onBlur?: (() => void) | undefined;
}) => (
  <SliderTrack className={cx(css['track'])}>
    {({ state }) => {
      const share = (thumb: number): number => state.getThumbPercent(thumb) * 100;
      const [from, to] = thumbs.length === 1 ? [0, share(0)] : [share(0), share(1)];
      return (
        <>
          <div className={css['fill']} style={{ left: `${from}%`, right: `${100 - to}%` }} />
          {thumbs.map((name, index) => (
            <SliderThumb
              key={name ?? index}
              index={index}
              className={cx(css['thumb'])}
              {...(onBlur === undefined ? {} : { onBlur })}
              {...(name === undefined ? {} : { 'aria-label': name })}
            />
          ))}
        </>
      );
    }}
  </SliderTrack>
);
