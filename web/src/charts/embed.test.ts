import { describe, expect, it } from 'vitest';
import { hasEmbed } from './embed';
import { embedAddress, embedCode, pageOfEmbed } from './embed-code';

const frontier = { id: 'frontier', needs: 'experiment' };

describe('the address of a figure alone', () => {
  it('has what its page says of it, and nothing of others', () => {
    expect(embedAddress('http://lab/e/abc?frontier.x=p95&scores.by=mean&hide=cubic&t=1,2&token=secret', frontier)).toBe(
      'http://lab/embed/e/abc/frontier?frontier.x=p95&hide=cubic&t=1%2C2',
    );
    expect(embedAddress('http://lab/traces/0f', { id: 'capacity', needs: 'trace' })).toBe(
      'http://lab/embed/t/0f/capacity',
    );
  });

  it('is none where the page is not about what the figure shows', () => {
    expect(embedAddress('http://lab/e/abc', { id: 'rtt', needs: 'run' })).toBeNull();
    expect(embedAddress('http://lab/studies/zeus', frontier)).toBeNull();
    expect(embedAddress('http://lab/e/abc', null)).toBeNull();
    expect(embedAddress('http://lab/traces/0f/edit', { id: 'capacity', needs: 'trace' })).toBeNull();
  });

  it('is offered exactly where there is one', () => {
    const places = [frontier, { id: 'rtt', needs: 'run' }, { id: 'capacity', needs: 'trace' }];
    for (const path of [
      '/e/a',
      '/r/a',
      '/traces/a',
      '/traces/a/edit',
      '/overlay',
      '/embed/r/a/rtt',
      '/embed/t/a/capacity',
      '/',
    ])
      for (const plot of places)
        expect([path, plot.needs, hasEmbed(path, plot)]).toEqual([
          path,
          plot.needs,
          path.startsWith('/embed/')
            ? path.startsWith(`/embed/${plot.needs[0] ?? ''}/`)
            : embedAddress(`http://lab${path}`, plot) !== null,
        ]);
    expect(hasEmbed('/e/a', null)).toBe(false);
  });

  it('leads back to the page, which is its source', () => {
    const page = 'http://lab/r/abc?rtt.rto=true&t=1%2C2';
    const embed = embedAddress(page, { id: 'rtt', needs: 'run' }) ?? '';
    expect(pageOfEmbed(`${embed}&theme=dark`)).toBe(page);
    expect(pageOfEmbed(page)).toBe(page);
  });

  it('stands in HTML that no title can break out of', () => {
    const code = embedCode('http://lab/embed/e/a/b?x=1&y="', '"><script>alert(1)</script>', 300.2);
    expect(code).not.toContain('<script>');
    expect(code).toContain('src="http://lab/embed/e/a/b?x=1&#38;y=&#34;"');
    expect(code).toContain('height="357"');
  });
});
