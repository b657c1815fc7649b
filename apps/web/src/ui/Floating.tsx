import type { MenuProps, PopoverProps } from '@mui/material';
import { useState } from 'react';
import { later } from './later.tsx';

const LaterMenu = later<MenuProps>(async () => (await import('@mui/material/Menu')).default);
const LaterPopover = later<PopoverProps>(async () => (await import('@mui/material/Popover')).default);
const optional = { optional: true };
export const AlertBox = later(async () => (await import('./notice/AlertBox.tsx')).AlertBox, optional);
export const Note = later(async () => (await import('./notice/Note.tsx')).Note, optional);

/**
 * Fetches what opens over the page, so that the first click does not wait and a message can be shown when the server is gone.
 * To be called once the page has come to rest: none of it is part of the first load.
 */
export async function loadFloating(): Promise<void> {
  await Promise.all([LaterMenu, LaterPopover, AlertBox, Note].map(({ load }) => load()));
}

/** The library's menu; its code comes when it opens for the first time. */
export function Menu(props: MenuProps) {
  return useOpenedOnce(props.open) ? <LaterMenu {...props} /> : null;
}

/** The library's popover; its code comes when it opens for the first time. */
export function Popover(props: PopoverProps) {
  return useOpenedOnce(props.open) ? <LaterPopover {...props} /> : null;
}

/** Stays true after closing: the way out is animated too. */
function useOpenedOnce(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened || open;
}
