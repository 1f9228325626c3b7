// Distributions as tails and as shares at most, and what is read off them.
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tailPath, tailsFrame } from '#analysis/delay-tails';
import { identity, UNKNOWN_IDENTITY } from '#analysis/cca-look';
import { THEME } from '../charts/testing';
import { QuantileReadout } from './QuantileReadout';
import { quantileName, QUANTILES } from './quantiles';
import { Tails } from './Tails';

afterEach(cleanup);

const HUNDRED = Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, packets: 1 }));
const curve = { key: 'a', label: 'A', look: identity(UNKNOWN_IDENTITY, THEME), delays: HUNDRED };
const size = { width: 600, height: 240 };
const numbersIn = (path: string): number[] => [...path.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => Number(y));

describe('a distribution', () => {
  it.each(['longer', 'at most'] as const)('falls as a tail and rises as a share at most: %s', (show) => {
    const frame = tailsFrame([HUNDRED], { ...size, begins: 'at 1 ms', show });
    const heights = numbersIn(tailPath(HUNDRED, frame));
    // Down the screen is up in pixels.
    expect(heights).toEqual(heights.toSorted((a, b) => (show === 'longer' ? a - b : b - a)));
    expect(heights.length).toBeGreaterThan(90);
  });

  it('is marked where it has the quantile, on its curve', () => {
    const { container } = render(
      <Tails curves={[curve]} of="delay" told="waited" begins="at 1 ms" quantile={0.95} {...size} />,
    );
    const frame = tailsFrame([HUNDRED], { ...size, begins: 'at 1 ms' });
    const [, x, y] =
      /translate\(([\d.]+),([\d.]+)\)/.exec(
        container.querySelector('path[transform]')?.getAttribute('transform') ?? '',
      ) ?? [];
    expect(Number(x)).toBeCloseTo(frame.x(95), 0);
    expect(Number(y)).toBeCloseTo(frame.y(0.05), 0);
    expect(screen.getByText('p95')).toBeTruthy();
  });

  it('tells the quantile that is chosen', () => {
    render(<QuantileReadout quantile="0.99" onQuantile={vi.fn()} curves={[curve]} />);
    expect(screen.getByRole('slider', { name: 'Quantile' }).getAttribute('value')).toBe(
      String(QUANTILES.indexOf('0.99')),
    );
    expect(screen.getByText(/^99(\.0)?\s*ms$/)).toBeTruthy();
    expect(QUANTILES.map((q) => quantileName(Number(q)))).toContain('p99.9');
    expect(quantileName(0.5)).toBe('median');
  });
});
