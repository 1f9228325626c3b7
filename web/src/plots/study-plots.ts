// The figures of a study.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./study-*.plot.tsx', { eager: true });

export const STUDY_PLOTS = plotsOf('study', modules);
