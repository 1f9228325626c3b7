// The examples, as the files that they are: each begins with a comment that says what it is.
const FILES: Readonly<Record<string, string>> = import.meta.glob('../../../emulator-bridge/engine/own/examples/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What stands before the colon of its first comment. */
const titleOf = (text: string): string => /^\/\/ (?:A )?([^:\n]+):/.exec(text)?.[1] ?? 'Example';

const exampleOf = ([path, text]: [string, string]): Example => {
  const title = titleOf(text);
  return {
    id: path.replace(/^.*\/|\.ts$/g, ''),
    title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    text,
  };
};

/** What a new text begins with. */
const TEMPLATE = 'aimd';

/** The template first. */
export const EXAMPLES: readonly Example[] = Object.entries(FILES)
  .map(exampleOf)
  .toSorted((a, b) => Number(b.id === TEMPLATE) - Number(a.id === TEMPLATE) || a.title.localeCompare(b.title));

export const TEMPLATE_TEXT = EXAMPLES.find(({ id }) => id === TEMPLATE)?.text ?? '';
