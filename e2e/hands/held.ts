// A key that is held down: it comes again and again, and the page does not draw itself for each time.
import type { Page } from '@playwright/test';

/** A page that takes long over a key is not left behind by many. */
const AT_ONCE = 8;

/** @param key such as `Tab` or `Shift+Tab` */
export async function hold({ keyboard }: Page, key: string, times: number): Promise<void> {
  if (times < 2) {
    if (times === 1) await keyboard.press(key);
    return;
  }
  const words = key.split('+');
  const last = words.pop() ?? '';
  for (const modifier of words) await keyboard.down(modifier);
  for (let left = times; left > 0; left -= AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => keyboard.down(last)));
  await keyboard.up(last);
  for (const modifier of words.reverse()) await keyboard.up(modifier);
}
