import { useEffect, useState } from 'react';
import { later } from '../../ui/later.tsx';

const Palette = later(async () => (await import('./Palette.tsx')).Palette);

/** Opens the command palette by Ctrl+K (Cmd+K): nothing of it is fetched before. */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Over another dialog it would lead away from what was typed there.
      if (!document.querySelector('[role="dialog"], [role="alertdialog"]')) setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return open ? <Palette onClose={() => setOpen(false)} /> : null;
}
