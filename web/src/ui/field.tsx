// What every form control says of itself: a sentence (help), what its value means here (effect), what is wrong with it (error).
import type { ReactNode } from 'react';
import { Text } from 'react-aria-components';
import { cx } from './cx';
import css from './field.module.css';

export interface FieldText {
  readonly label: string;
  readonly help?: ReactNode;
  readonly effect?: ReactNode;
  readonly error?: string | undefined;
}

export const Below = ({ help, effect, error }: Omit<FieldText, 'label'>) => (
  <>
    {effect === undefined ? null : <div className={css['effect']}>{effect}</div>}
    {help === undefined ? null : (
      <Text slot="description" className={cx(css['help'])}>
        {help}
      </Text>
    )}
    {error === undefined ? null : (
      <div className={css['error']} role="alert">
        {error}
      </div>
    )}
  </>
);
