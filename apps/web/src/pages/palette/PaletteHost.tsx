import { useEffect, useRef, useState } from 'react';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';

const Palette = laterDialog(async () => (await import('./Palette.tsx')).Palette);

/**
 * Opens the command palette by Ctrl+K (Cmd+K), and loads its code only then. Keys pressed until its field is shown are
 * collected for the field, since they would otherwise act as keys of the page.
 */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  /** Text typed so far; null while no palette is being loaded. */
  const typed = useRef<string | null>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const next = typed.current === null ? null : typedWith(typed.current, event);
      if (next !== null) {
        typed.current = next;
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Not opened over another dialog, since it would lead away from text typed there.
      if (open || document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      typed.current = '';
      setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [open]);
  if (!open) return null;
  const noMoreTyped = () => {
    typed.current = null;
  };
  return (
    <Palette
      typed={() => typed.current ?? ''}
      onShown={noMoreTyped}
      onClose={() => {
        noMoreTyped();
        setOpen(false);
      }}
    />
  );
}

/** Returns the text after a key press; null for a key that types nothing. */
function typedWith(text: string, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : null;
}
