// The figures of a trace.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./trace-*.plot.tsx', { eager: true });

export const TRACE_PLOTS = plotsOf('trace', modules);
