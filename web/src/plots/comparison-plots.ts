// The figures of several traces.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./compare-*.plot.tsx', { eager: true });

export const COMPARISON_PLOTS = plotsOf('comparison', modules);
