import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captionText, figureLatex } from '#analysis/latex-figure';
import { headOf, latexLabel, latexTable, latexText, MOST_LATEX_ROWS } from '#analysis/latex-table';

const HOSTILE = String.raw`"100 % of a_b & #1 {$x^2~y} \input{/etc/passwd} µ – ≤ × ∞`;

describe('text for LaTeX', () => {
  it('has no commands but ours', () => {
    expect(latexText(String.raw`%_&#$`)).toBe(String.raw`\%\_\&\#\$`);
    expect(latexText(String.raw`\input{x}`)).toBe(String.raw`\textbackslash{}input\{x\}`);
    expect(latexText('~^')).toBe(String.raw`\textasciitilde{}\textasciicircum{}`);
    expect(latexText('5 µs – ≤ 3 ×')).toBe(String.raw`5 $\mu$s -- $\leq$ 3 $\times$`);
  });

  it('stays in one line and in its comment', () => {
    expect(latexText('a\n\n\\end{table}')).not.toContain('\n');
    const file = latexTable({ columns: ['a'], rows: [['b']], comments: ['from x\n\\input{evil}'] });
    expect(file.split('\n')[1]).toBe(String.raw`% from x \input{evil}`);
  });

  it('has labels of plain letters', () => {
    expect(latexLabel('tab:Städte, 5 G}\\x')).toBe('tab:Sta-dte-5-G-x');
  });
});

describe('a LaTeX table', () => {
  it('has units in its head, numbers to the right with decimals that line up, and dashes for what is not known', () => {
    const rows = [
      ['BBR', 12.5, 3, null],
      ['Copa', 9.25, 10, -0.5],
    ];
    const file = latexTable({
      columns: ['cca', 'throughput_mbps', 'n', 'Change, %'],
      rows,
      caption: 'A_b',
      label: 't',
    });
    expect(file).toContain(String.raw`\begin{tabular}{@{}lrrr@{}}`);
    expect(file).toContain(String.raw`cca & throughput (Mbps) & n & Change, \% \\`);
    expect(file).toContain(String.raw`BBR & 12.50 & 3 & -- \\`);
    expect(file).toContain(String.raw`Copa & 9.25 & 10 & $-$0.5 \\`);
    expect(file).toContain(String.raw`\caption{A\_b}\label{t}`);
  });

  it('names units of columns, and leaves other words alone', () => {
    expect(['queueing_p95_ms', 'limit_bytes', 'base_rtt', 'ms', 'Loss, %'].map(headOf)).toEqual([
      'queueing p95 (ms)',
      'limit (B)',
      'base rtt',
      'ms',
      'Loss, %',
    ]);
  });

  it('breaks over pages, ends somewhere and says so', () => {
    const many = (n: number) => latexTable({ columns: ['a'], rows: Array.from({ length: n }, (_, i) => [i]) });
    expect(many(46)).toContain(String.raw`\begin{longtable}{@{}r@{}}`);
    expect(many(45)).toContain(String.raw`\begin{tabular}`);
    const long = many(MOST_LATEX_ROWS + 7);
    expect(long).toContain('and 7 more rows');
    expect(long.split('\n').length).toBeLessThan(MOST_LATEX_ROWS + 20);
  });

  it('does not write what is very small as nothing', () => {
    expect(latexTable({ columns: ['a'], rows: [[0.00000012], [1234.5]] })).toContain('1.2e-7');
  });
});

describe('a figure for LaTeX', () => {
  it('says what is shown, of what, and by which engine', () => {
    const words = { title: 'Scores', subtitle: 'per use', facts: '2 × 10 s · engine 1.0', link: 'http://x/e/1' };
    expect(captionText(words)).toBe('Scores: per use. 2 × 10 s · engine 1.0.');
    expect(figureLatex(words, 'paceline-1-scores.pdf')).toContain(
      String.raw`\includegraphics[width=\linewidth]{paceline-1-scores.pdf}`,
    );
  });
});

const pdflatex = ['/usr/bin/pdflatex', '/usr/local/bin/pdflatex'].find((path) => existsSync(path));

/** Where there is a LaTeX it is asked: no escape can be right that it does not take. */
describe.skipIf(pdflatex === undefined)('what LaTeX makes of it', () => {
  it('is a page with every letter', () => {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-latex-'));
    try {
      const words = { title: HOSTILE, subtitle: '', facts: HOSTILE, link: `http://x/?a=${HOSTILE}` };
      const long = Array.from({ length: 60 }, (_, i) => [HOSTILE, i / 7, null]);
      writeFileSync(
        join(folder, 'a.tex'),
        [
          String.raw`\documentclass{article}\usepackage{booktabs,longtable,graphicx}\begin{document}`,
          latexTable({ columns: [HOSTILE, 'x_ms'], rows: [[HOSTILE, -1.5]], caption: HOSTILE, label: HOSTILE }),
          latexTable({ columns: ['a', 'b', 'c_ms'], rows: long, caption: HOSTILE, comments: [HOSTILE] }),
          figureLatex(words, 'missing.pdf').replace(/\\includegraphics.*/, ''),
          String.raw`\end{document}`,
        ].join('\n'),
      );
      execFileSync(pdflatex ?? '', ['-halt-on-error', '-interaction=nonstopmode', 'a.tex'], {
        cwd: folder,
        stdio: 'pipe',
      });
      const log = readFileSync(join(folder, 'a.log'), 'latin1');
      expect(log).not.toMatch(/^! /m);
      expect(log).not.toContain('Missing character');
      expect(log).toMatch(/Output written on a\.pdf/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
