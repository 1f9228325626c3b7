// Links to what a server would give as a file: given by the page where it can, else said to need one.
import { API } from '../api/ask';
import { problemOf } from '../api/client';
import { showProblem } from '../ui/toasts';
import { answer } from './answer';

const NAME = /filename="?([^";]+)"?/;

async function save(link: HTMLAnchorElement, address: string): Promise<void> {
  const given = await answer(address, {});
  if (!given.ok) throw problemOf(given.status, await given.text(), `GET ${address}`);
  const url = URL.createObjectURL(await given.blob());
  const file = document.createElement('a');
  file.href = url;
  const named = NAME.exec(given.headers.get('content-disposition') ?? '')?.[1];
  file.download = named ?? (link.download === '' ? (address.split('/').at(-1) ?? 'paceline') : link.download);
  file.click();
  // Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** From now on, whatever of the page is pressed. */
export function serveDownloads(): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link === null || !link.pathname.startsWith(`${API}/`)) return;
      event.preventDefault();
      save(link, link.pathname.slice(API.length) + link.search).catch(showProblem);
    },
    { capture: true },
  );
}
