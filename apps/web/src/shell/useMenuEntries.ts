import type { Actor } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { isQuiet, whenQuiet } from '../base/quiet.ts';
import type { MenuEntry } from './menu-entry.ts';

/** Maximum wait in milliseconds, in case a page fails to load, since the menu is needed to leave it. */
const WAIT_MAX_MS = 1500;

/** Returns the menu entries for a user. */
export type MenuOf = (actor: Actor | null) => readonly MenuEntry[];

const noEntries: readonly MenuEntry[] = [];

/**
 * Returns the entries of the menus, and whether they must wait: a link to a mission shows its first picture first,
 * which rendering a menu would delay.
 */
export function useMenuEntries(menuOf: MenuOf): { entries: readonly MenuEntry[]; waits: boolean } {
  const { actor } = useSession();
  const [waits, setWaits] = useState(() => isQuiet() && new URLSearchParams(location.search).has('mission'));
  useEffect(() => {
    if (!waits) return;
    const end = () => setWaits(false);
    const timer = setTimeout(end, WAIT_MAX_MS);
    whenQuiet().then(end);
    return () => clearTimeout(timer);
  }, [waits]);
  return { entries: waits ? noEntries : menuOf(actor), waits };
}
