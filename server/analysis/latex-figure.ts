// A figure's caption and its place in a LaTeX document.
import { latexComment, latexLabel, latexText } from '#analysis/latex-table';

export interface FigureWords {
  readonly title: string;
  /** What is measured, with units and the sampling rule. */
  readonly subtitle: string;
  /** What was run, how often, by which engine. */
  readonly facts: string;
  readonly link: string;
}

const sentence = (text: string): string => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`);

/** `Title: what is measured. What was run, from how many runs, by which engine.` */
export function captionText({ title, subtitle, facts }: FigureWords): string {
  const shown = subtitle === '' ? title : `${title}: ${subtitle}`;
  return [shown, facts]
    .filter((part) => part !== '')
    .map(sentence)
    .join(' ');
}

export const captionLatex = (words: FigureWords): string => String.raw`\caption{${latexText(captionText(words))}}`;

/** To be pasted where the figure is to stand; `file` is the name of its PDF. */
export const figureLatex = (words: FigureWords, file: string): string =>
  `${[
    latexComment(String.raw`Needs \usepackage{graphicx}; from ${words.link}`),
    String.raw`\begin{figure}`,
    String.raw`\centering`,
    String.raw`\includegraphics[width=\linewidth]{${file}}`,
    captionLatex(words),
    String.raw`\label{fig:${latexLabel(file.replace(/\.pdf$/, ''))}}`,
    String.raw`\end{figure}`,
  ].join('\n')}\n`;
