// The figures of a run up to where its replay stands that are not on the axis of time.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./replay-*.plot.tsx', { eager: true });

export const REPLAY_PLOTS = plotsOf('run', modules);
