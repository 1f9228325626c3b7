import { describe, expect, it } from 'vitest';
import { Drafts, freeName, type Elsewhere } from './drafts';

/** A browser's, with room for so many characters. */
class Shelf {
  readonly entries = new Map<string, string>();
  room = Infinity;
  get length(): number {
    return this.entries.size;
  }
  key(i: number): string | null {
    return [...this.entries.keys()][i] ?? null;
  }
  getItem(key: string): string | null {
    return this.entries.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (value.length > this.room) throw new DOMException('no more', 'QuotaExceededError');
    this.entries.set(key, value);
  }
  removeItem(key: string): void {
    this.entries.delete(key);
  }
}

function opened(shelf = new Shelf()): { shelf: Shelf; drafts: Drafts } {
  let time = 0;
  return {
    shelf,
    drafts: new Drafts(
      () => shelf,
      () => ++time,
    ),
  };
}

describe('texts kept in this browser', () => {
  it('are there again in the next page, the last changed first', () => {
    const { shelf, drafts } = opened();
    drafts.write('First', 'a');
    drafts.write('Second', 'b');
    drafts.write('First', 'c');
    shelf.entries.set('paceline.own.Broken', '{"text":');
    shelf.entries.set('paceline.lessons', '[]');
    const again = opened(shelf).drafts.state();
    expect(again.drafts.map(({ name, text }) => [name, text])).toEqual([
      ['First', 'c'],
      ['Second', 'b'],
    ]);
    expect(again.trouble).toBeNull();
  });

  it('lose nothing while the page is open when there is no room, and are kept once there is', () => {
    const { shelf, drafts } = opened();
    shelf.room = 0;
    drafts.write('Long', 'x'.repeat(100));
    expect(drafts.state().trouble).toBe('full');
    expect(drafts.get('Long')?.text).toHaveLength(100);
    shelf.room = Infinity;
    drafts.write('Long', 'y');
    expect(drafts.state().trouble).toBeNull();
    expect(opened(shelf).drafts.get('Long')?.text).toBe('y');
  });

  it('are written where the browser forbids to keep anything, too', () => {
    const drafts = new Drafts(() => {
      throw new DOMException('no', 'SecurityError');
    });
    expect(drafts.state().trouble).toBe('forbidden');
    drafts.write('Here', 'a');
    expect(drafts.get('Here')?.text).toBe('a');
    drafts.remove('Here');
    expect(drafts.state().drafts).toEqual([]);
  });

  it('are renamed to what is free only, deleted, and put back as they were', () => {
    const { shelf, drafts } = opened();
    drafts.write('A', '1');
    drafts.write('B', '2');
    expect(drafts.rename('A', 'B')).toBe(false);
    expect(drafts.rename('A', '')).toBe(false);
    expect(drafts.rename('A', 'C')).toBe(true);
    expect([...shelf.entries.keys()].toSorted()).toEqual(['paceline.own.B', 'paceline.own.C']);
    const gone = drafts.remove('C');
    expect(drafts.get('C')).toBeUndefined();
    if (gone !== undefined) drafts.put(gone);
    expect(opened(shelf).drafts.get('C')).toEqual(gone);
    expect(drafts.free('B')).toBe('B 2');
    expect(freeName('B 2', ['B 2', 'B 3'])).toBe('B 4');
  });

  it('say what another tab has changed of what was here, and the newest holds', () => {
    const { drafts } = opened();
    const heard: Elsewhere[] = [];
    drafts.onElsewhere((change) => heard.push(change));
    drafts.write('A', 'mine');
    drafts.changedElsewhere('paceline.own.A', JSON.stringify({ text: 'theirs', changed_ms: 9 }));
    expect(drafts.get('A')?.text).toBe('theirs');
    drafts.changedElsewhere('paceline.own.New', JSON.stringify({ text: 'new', changed_ms: 10 }));
    drafts.changedElsewhere('paceline.own.A', JSON.stringify({ text: 'theirs', changed_ms: 11 }));
    drafts.changedElsewhere('paceline.own.A', null);
    drafts.changedElsewhere('something else', 'x');
    expect(heard.map(({ before, now }) => [before.text, now?.text ?? null])).toEqual([
      ['mine', 'theirs'],
      ['theirs', null],
    ]);
    expect(drafts.state().drafts.map(({ name }) => name)).toEqual(['New']);
  });
});
