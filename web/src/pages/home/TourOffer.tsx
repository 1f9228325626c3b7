// The tour offers itself to who has not met it: once, and out of the way.
import { meetTour, startTour, useHasMetTour } from '../../settings/tour';
import { Button, IconButton } from '../../ui/button';
import css from './home.module.css';

export function TourOffer() {
  if (useHasMetTour()) return null;
  return (
    <p className={css['offer']}>
      <span>New here?</span>
      <Button size="small" onPress={startTour}>
        Take the tour: five steps
      </Button>
      <IconButton icon="close" size="small" label="No tour, thank you" onPress={meetTour} />
    </p>
  );
}
