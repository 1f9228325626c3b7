import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Finding } from '#protocol/fidelity';
import { Checks } from './Checks';

afterEach(cleanup);

const finding: Finding = {
  section: 'fairness',
  id: 'fairness/ledbat/1-BDP',
  ccas: ['ledbat'],
  what: 'two flows of ledbat: Jain’s index',
  expected: '≥ 0.91',
  measured: '0.541',
  source: 'Zeus, table 2',
  verdict: 'deviates',
  reason: 'the latecomer takes the first one’s queue for the path',
  docs: 'docs/cca/ledbat.md',
};

describe('the checks on an algorithm’s card', () => {
  it('are counted by verdict, and say why one deviates', () => {
    const { reason: _, docs: __, ...plain } = finding;
    render(
      <Checks
        label="LEDBAT"
        findings={[finding, { ...plain, id: 'b', verdict: 'holds' }, { ...plain, id: 'c', verdict: 'holds' }]}
      />,
    );
    expect(screen.getByText('2 holds · 1 deviates')).toBeTruthy();
    const list = screen.getByRole('list', { name: 'What LEDBAT was checked against', hidden: true });
    expect(list.textContent).toContain('0.541 · expected ≥ 0.91 · Zeus, table 2');
    expect(list.textContent).toContain('the latecomer takes the first one’s queue for the path docs/cca/ledbat.md');
  });

  it('are left out where there are none', () => {
    const { container } = render(<Checks label="Optimal" findings={[]} />);
    expect(container.innerHTML).toBe('');
  });
});
