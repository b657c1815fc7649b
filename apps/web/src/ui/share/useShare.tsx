import { type ReactNode, useCallback, useState } from 'react';
import { Popover } from '../Floating.tsx';
import { later } from '../later.tsx';

const SharePanel = later(async () => (await import('./SharePanel.tsx')).SharePanel);

type Sharing = { link: string; top: number; left: number; open: boolean };

/** Position below the focused element, which was pressed; in the middle of the window if nothing has the focus. */
function placeOfFocus(): { top: number; left: number } {
  const pressed = document.activeElement;
  if (!(pressed instanceof HTMLElement) || pressed === document.body)
    return { top: window.innerHeight / 3, left: window.innerWidth / 2 };
  const { bottom, left } = pressed.getBoundingClientRect();
  return { top: bottom, left };
}

/** Offers a link to be copied or sent; the caller renders `popover` anywhere. */
export function useShare(): { share: (link: string) => void; popover: ReactNode } {
  const [sharing, setSharing] = useState<Sharing | null>(null);
  const close = () => setSharing((now) => now && { ...now, open: false });
  const share = useCallback((link: string) => {
    const place = placeOfFocus();
    const open = () => setSharing({ link, ...place, open: true });
    // Loads the content first, since the popover is positioned by its size at the time it opens.
    SharePanel.load().then(open, open);
  }, []);
  return {
    share,
    popover: sharing && (
      <Popover
        open={sharing.open}
        onClose={close}
        anchorReference="anchorPosition"
        anchorPosition={sharing}
        slotProps={{ paper: { sx: { border: 1, borderColor: 'divider', bgcolor: 'surface.raised' } } }}
      >
        <SharePanel link={sharing.link} onClose={close} />
      </Popover>
    ),
  };
}
