// Whether a figure has an address of its own, at which it stands alone.

/** Which figure of what; the same words as its page's address has. */
export interface PlotPlace {
  readonly id: string;
  readonly needs: string;
}

const PAGES: Readonly<Record<string, RegExp>> = {
  experiment: /^\/(embed\/e\/[^/]+|e)\/[^/]+$/,
  run: /^\/(embed\/r\/[^/]+|r)\/[^/]+$/,
  trace: /^\/(embed\/t\/[^/]+|traces)\/[^/]+$/,
};

/** On the page of what it shows, or alone already. */
export const hasEmbed = (path: string, plot: PlotPlace | null): boolean =>
  plot !== null && PAGES[plot.needs]?.test(path) === true;
