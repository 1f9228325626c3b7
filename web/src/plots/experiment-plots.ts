// The figures of an experiment.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./experiment-*.plot.tsx', { eager: true });

export const EXPERIMENT_PLOTS = plotsOf('experiment', modules);
