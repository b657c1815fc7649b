import type { MenuProps, PopoverProps } from '@mui/material';
import { useState } from 'react';
import { later } from './later.tsx';

const LaterMenu = later<MenuProps>(async () => (await import('@mui/material/Menu')).default);
const LaterPopover = later<PopoverProps>(async () => (await import('@mui/material/Popover')).default);
const optional = { optional: true };
export const AlertBox = later(async () => (await import('./notice/AlertBox.tsx')).AlertBox, optional);
export const Note = later(async () => (await import('./notice/Note.tsx')).Note, optional);

/**
 * Loads the code of everything that opens over the page, so that the first click does not wait, and a message can be
 * shown even when the server is gone. Call it once the page is idle, since none of it is part of the first load.
 */
export async function loadFloating(): Promise<void> {
  await Promise.all([LaterMenu, LaterPopover, AlertBox, Note].map(({ load }) => load()));
}

/** Menu of the library; its code is loaded when it is first opened. */
export function Menu(props: MenuProps) {
  return useOpenedOnce(props.open) ? <LaterMenu {...props} /> : null;
}

/** Popover of the library; its code is loaded when it is first opened. */
export function Popover(props: PopoverProps) {
  return useOpenedOnce(props.open) ? <LaterPopover {...props} /> : null;
}

/** Returns whether it was ever open. It remains true after closing, since closing is animated too. */
function useOpenedOnce(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened || open;
}
