// In the place of a page whose code is on its way: its heading and its first section, where they will be.
import { Skeleton } from '../../ui/notice';
import css from './frame.module.css';

export const PagePending = () => (
  <div role="status" aria-label="Loading the page" className={css['pending']}>
    <Skeleton height={34} width="min(320px, 60%)" />
    <Skeleton height={20} width="min(560px, 90%)" />
    <Skeleton height={280} />
  </div>
);
