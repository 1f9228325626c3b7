// Every figure there is, for the gallery and for tests; a page has those of its own kind.
import { inOrder, plotsOf, type Need, type Plot, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./*.plot.tsx', { eager: true });

export const plots = inOrder(modules);
export const plotsFor = <N extends Need>(needs: N): Plot<N>[] => plotsOf(needs, modules);
