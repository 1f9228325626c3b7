import { hrefOf } from '../ui/place';

/** Keeps the site in this browser from now on: it opens without a network, and can be installed. Where that is not to be had, it does without. */
export function install(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = (): void =>
    void navigator.serviceWorker.register(hrefOf('/service-worker.js')).catch(() => undefined);
  // What is kept is fetched when the page is there, not before it.
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
