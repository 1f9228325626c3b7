// Files that a text leaves the page as.
import { download } from '../../charts/download';
import { patiently } from '../../ui/lazy-part';

const PLAIN = 'text/plain;charset=utf-8';

/** `Delay target` is `delay-target.ts`. */
export const fileNameOf = (name: string): string => {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${plain === '' ? 'algorithm' : plain}.ts`;
};

export const downloadText = (name: string, text: string): void =>
  download(fileNameOf(name), new Blob([text], { type: PLAIN }));

/** With it beside a text, any editor checks its types. */
export async function downloadLanguage(): Promise<void> {
  const { DECLARATION } = await patiently(() => import('../../write/declared'));
  download('language.d.ts', new Blob([DECLARATION], { type: PLAIN }));
}
