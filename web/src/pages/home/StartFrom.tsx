// Where somebody may begin who has nothing yet: the templates that are shipped, a click away from the form.
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { Section } from '../../ui/page';
import css from './home.module.css';

/** It comes when the page is there; its room is kept. */
const fetchCards = () => import('../templates/ShippedCards');
const ShippedCards = lazyPart(async () => ({ default: (await fetchCards()).ShippedCards }));

export function StartFrom() {
  useEffect(() => void Promise.allSettled([fetchCards()]), []);
  return (
    <Section title="Start from" note="Each fills the form; everything in it can be changed before it runs.">
      <div className={css['templates']}>
        <Suspense>
          <ShippedCards />
        </Suspense>
      </div>
    </Section>
  );
}
