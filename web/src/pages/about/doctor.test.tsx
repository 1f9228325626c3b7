import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Check } from './DoctorPage';

const missing = { id: 'quic', label: 'QUIC', ok: false, detail: 'unavailable' };

describe('what the doctor recommends', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('is copied without the words around the command', () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('isSecureContext', true);
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    const remedy = 'Install Rust, then npm run setup; everything but QUIC works without.';
    const { container } = render(<Check check={{ ...missing, remedy, command: 'npm run setup' }} />);
    expect(container.textContent).toContain(remedy);
    expect(container.querySelector('code')?.textContent).toBe('npm run setup');
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(writeText.mock.calls).toEqual([['npm run setup']]);
  });

  it('has nothing to copy where there is no command', () => {
    render(<Check check={{ ...missing, remedy: 'Free some space.', command: null }} />);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('Free some space.')).toBeTruthy();
  });
});
