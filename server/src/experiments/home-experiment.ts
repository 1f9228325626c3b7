import { z } from 'zod';
import type { Store } from '../store/store.ts';

export const HOME_SETTING = 'home';

/** The sample experiment of the home page; null: there is none yet. */
export const homeExperiment = (store: Store): string | null => store.settings.get(HOME_SETTING, z.string());
