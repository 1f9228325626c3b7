// The figures of a run with a measurement over it.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./live-*.plot.tsx', { eager: true });

export const LIVE_PLOTS = plotsOf('live', modules);
