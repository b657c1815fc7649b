import type { Actor } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { isQuiet, whenQuiet } from '../base/quiet.ts';
import type { MenuEntry } from './menu-entry.ts';

/** Longest wait, in case a page does not come: its menu is the way out. */
const LATEST_MS = 1500;

/** Menu entries for an actor. */
export type MenuOf = (actor: Actor | null) => readonly MenuEntry[];

const noEntries: readonly MenuEntry[] = [];

/**
 * Entries of the menus, and whether they are there yet: the link of a mission shows its first picture first, which
 * drawing a menu would delay.
 */
export function useMenuEntries(menuOf: MenuOf): { entries: readonly MenuEntry[]; waits: boolean } {
  const { actor } = useSession();
  const [waits, setWaits] = useState(() => isQuiet() && new URLSearchParams(location.search).has('mission'));
  useEffect(() => {
    if (!waits) return;
    const end = () => setWaits(false);
    const timer = setTimeout(end, LATEST_MS);
    whenQuiet().then(end);
    return () => clearTimeout(timer);
  }, [waits]);
  return { entries: waits ? noEntries : menuOf(actor), waits };
}
