// Which figure of what stands here; null: one that has no address of its own.
import { createContext } from 'react';
import type { PlotPlace } from './embed';

export const PlotContext = createContext<PlotPlace | null>(null);
