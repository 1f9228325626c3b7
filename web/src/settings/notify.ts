// Notifications of the desktop, where the browser has them and somebody has allowed them.
export type NotifyState = NotificationPermission | 'unsupported';

export const canNotify = (): NotifyState =>
  'Notification' in window && window.isSecureContext ? Notification.permission : 'unsupported';

export async function askToNotify(): Promise<NotifyState> {
  if (canNotify() === 'default') await Notification.requestPermission();
  return canNotify();
}

/** `tag`: several tabs tell of the same thing once. */
export function notifyDesktop(title: string, body: string, tag: string, onOpen: () => void): void {
  if (canNotify() !== 'granted') return;
  try {
    const told = new Notification(title, { body, tag });
    told.addEventListener('click', () => {
      window.focus();
      onOpen();
      told.close();
    });
  } catch {
    // Browsers of phones have them for service workers only.
  }
}
