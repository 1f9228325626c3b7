import { describe, expect, it } from 'vitest';
import { fitted, inLines, ogCard, type CardPicture, type OgCard, type Typesetter } from './og-card.ts';

/** Every character is half as wide as it is high. */
const width = (text: string, size: number): number => (Array.from(text).length * size) / 2;
const TYPE: Typesetter = { width, draw: (text) => `<desc>${text}</desc>` };
const textsOf = (svg: string): string[] => [...svg.matchAll(/<desc>(.*?)<\/desc>/g)].map(([, text = '']) => text);
const card = (change: Partial<OgCard>): string =>
  ogCard({ what: 'Run', title: 'A title', line: 'A line', picture: null, axes: '', ...change }, TYPE);
const of20 = (text: string): number => width(text, 2);

describe('a text that has too little room', () => {
  it('is cut, and says so', () => {
    expect(fitted('short', 10, of20)).toBe('short');
    expect(fitted('a long title', 7, of20)).toBe('a long…');
    expect(fitted('😀😀😀😀', 3, of20)).toBe('😀😀…');
  });

  it('is broken between words, and only its last line is cut', () => {
    expect(inLines('one two three four', 9, 2, of20)).toEqual(['one two', 'three fo…']);
    expect(inLines('incomprehensibilities all over', 6, 2, of20)).toEqual(['incom…', 'all o…']);
    expect(inLines('   ', 6, 2, of20)).toEqual([]);
  });
});

describe('the picture of a page', () => {
  it('says what it is of, and names it', () => {
    expect(textsOf(card({ what: 'Frozen view' }))).toEqual(['Paceline', 'Frozen view', 'A title', 'A line']);
  });

  it('leaves a gap where nothing was sampled, and begins at nothing', () => {
    const picture: CardPicture = {
      kind: 'course',
      series: [
        { values: [1, 2, 4], colour: '#c3c9d0', filled: true },
        { values: [1, null, 2], colour: '#123456', filled: false },
      ],
    };
    const svg = card({ picture, axes: 'Mbps' });
    const [, line = ''] = /<path d="([^"]*)" fill="none" stroke="#123456"/.exec(svg) ?? [];
    expect(line.match(/M/g)).toHaveLength(2);
    const heights = [...line.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y));
    const [, area = ''] = /<path d="(M[^"]*Z)" fill="#c3c9d0"/.exec(svg) ?? [];
    const floor = Number(/^M[\d.]+,([\d.]+)L/.exec(area)?.[1]);
    // 2 of at most 4 is half way up, 1 a quarter.
    expect((floor - (heights[1] ?? 0)) / (floor - (heights[0] ?? 0))).toBeCloseTo(2, 1);
  });

  it('shows points by their looks, each algorithm once below', () => {
    const look = { colour: '#0e27a1', marker: 'triangle', hollow: false, label: 'BBR' } as const;
    const picture: CardPicture = {
      kind: 'points',
      points: [
        { x: 1, y: 0.5, ...look },
        { x: 2, y: 1, ...look },
        { x: 4, y: 0.8, ...look, colour: '#1b1b1b', hollow: true, label: 'Vegas' },
      ],
    };
    const svg = card({ picture, axes: 'axes' });
    expect(textsOf(svg).slice(-3)).toEqual(['axes', 'BBR', 'Vegas']);
    expect(svg.match(/stroke="#0e27a1"/g)).toHaveLength(3);
    expect(svg.match(/fill="#ffffff" stroke="#1b1b1b"/g)).toHaveLength(2);
    expect(textsOf(card({ picture, axes: 'x'.repeat(200) })).slice(-1)[0]).toMatch(/^x+…$/);
  });
});
