// What helps to find one's way.
import { startTour } from '../../settings/tour';
import { Button } from '../../ui/button';
import { keyLabel } from '../../ui/commands';
import { Section } from '../../ui/page';
import frame from '../frame/frame.module.css';
import css from './settings.module.css';

export const HelpSettings = () => (
  <Section title="Help">
    <div className={css['fields']}>
      <div>
        <Button onPress={startTour}>Take the tour</Button>
        <p className={css['help']}>Five steps over the real pages; it offers itself once and never again.</p>
      </div>
      <p className={css['help']}>
        <kbd className={frame['kbd']}>{keyLabel('mod+k')}</kbd> finds every page and command;{' '}
        <kbd className={frame['kbd']}>?</kbd> lists the keys, which can be switched off there.
      </p>
    </div>
  </Section>
);
