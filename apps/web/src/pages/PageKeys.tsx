import { useEffect, useState } from 'react';
import { fill } from '../base/format.ts';
import { texts } from '../base/texts.ts';
import { later } from '../ui/later.tsx';
import { keyLines, loadViewFeatures } from './view-features.ts';

const KeysDialog = later(async () => {
  const [{ KeysDialog }] = await Promise.all([import('../missionview/KeysDialog.tsx'), loadViewFeatures()]);
  return ({ onClose }: { onClose: () => void }) => <KeysDialog open view={null} lines={keyLines()} onClose={onClose} />;
});

/** The hint in the footer; "?" lists the keys on every page. A view with keys of its own takes the key before this. */
export function PageKeys() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== '?') return;
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [role="dialog"]');
      if (!isTyping) setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      {fill(texts.pressForKeys, { key: '?' })}
      {open && <KeysDialog onClose={() => setOpen(false)} />}
    </>
  );
}
