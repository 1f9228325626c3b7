// What a person types to find experiments and traces: words that must stand somewhere, and `tag:word` for exactly that tag.

/** Whether something is found, by all that is said of it and its tags. */
export function finder(search: string): (said: string, tags?: readonly string[]) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = words.flatMap((word) => (word.startsWith('tag:') ? [word.slice('tag:'.length)] : []));
  const plain = words.filter((word) => !word.startsWith('tag:'));
  return (said, tags = []) => {
    if (words.length === 0) return true;
    const own = tags.map((tag) => tag.toLowerCase());
    // `tag:` alone is on its way to become a word: it finds what has any tag.
    if (!wanted.every((tag) => (tag === '' ? own.length > 0 : own.includes(tag)))) return false;
    const text = [said.toLowerCase(), ...own].join('\n');
    return plain.every((word) => text.includes(word));
  };
}
