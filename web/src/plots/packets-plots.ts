// The figures of a window of a run, packet by packet.
import { plotsOf, type PlotModules } from './registry';

const modules: PlotModules = import.meta.glob('./packets-*.plot.tsx', { eager: true });

export const PACKET_PLOTS = plotsOf('packets', modules);
