/** Downloads what is at an address of the API, as a press on a link to it does. */
export function download(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
