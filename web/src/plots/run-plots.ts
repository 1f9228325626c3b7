// The figures of one run.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./run-*.plot.tsx', { eager: true });

export const RUN_PLOTS = plotsOf('run', modules);
