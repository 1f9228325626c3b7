// The figures of an experiment that are read off its runs' samples: they are there when these have been read.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./pooled-*.plot.tsx', { eager: true });

export const POOLED_PLOTS = plotsOf('experiment', modules);
