// The figures of a run that is over, of all that it was: whatever the replay shows.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./over-*.plot.tsx', { eager: true });

export const OVER_PLOTS = plotsOf('run', modules);
