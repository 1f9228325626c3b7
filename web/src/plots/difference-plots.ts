// The figures of runs less one of them.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./diff-*.plot.tsx', { eager: true });

export const DIFFERENCE_PLOTS = plotsOf('difference', modules);
