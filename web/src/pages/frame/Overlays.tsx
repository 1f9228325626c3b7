// What the keys open over any page, and what watches in the background.
import { useEffect } from 'react';
import { startPrint } from '../../settings/print';
import { Toasts } from '../../ui/Toasts';
import { EndWatch } from './EndWatch';
import { Palette } from './Palette';
import { ShortcutHelp } from './ShortcutHelp';
import { Tour } from './Tour';

interface OverlaysProps {
  readonly palette: boolean;
  readonly setPalette: (open: boolean) => void;
  readonly help: boolean;
  readonly setHelp: (open: boolean) => void;
}

export function Overlays({ palette, setPalette, help, setHelp }: OverlaysProps) {
  useEffect(() => startPrint(), []);
  return (
    <>
      <Palette open={palette} onClose={() => setPalette(false)} />
      <ShortcutHelp open={help} onClose={() => setHelp(false)} />
      <Toasts />
      <EndWatch />
      <Tour />
    </>
  );
}
