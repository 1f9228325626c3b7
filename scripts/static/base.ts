// Where the site lies on its host.

const FOLDER = /^[A-Za-z0-9._~-]+$/;

/** `lab`, `/lab` and `/lab/` are `/lab/`; empty: the root. Throws where a part is no plain name of a folder. */
export function baseOf(text: string): string {
  const folders = text.split('/').filter((part) => part !== '');
  for (const folder of folders)
    if (!FOLDER.test(folder) || /^\.+$/.test(folder))
      throw new Error(`--base ${text}: a folder is called by letters, digits and .~_-, but one here is ${folder}`);
  return folders.length === 0 ? '/' : `/${folders.join('/')}/`;
}
