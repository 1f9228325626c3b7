// The title of the tab: where one is, and before it how far what goes on is.
let page = 'Paceline';
let before = '';

function write(): void {
  document.title = before === '' ? page : `${before} · ${page}`;
}

export function setPageTitle(title: string): void {
  page = title;
  write();
}

/** `42 %`, `✓`; empty: nothing. */
export function setTitlePrefix(prefix: string): void {
  before = prefix;
  write();
}
