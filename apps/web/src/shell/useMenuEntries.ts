import type { Actor } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { isQuiet, whenQuiet } from '../base/quiet.ts';
import type { MenuEntry } from './menu-entry.ts';

/** Nobody waits longer for a way out of a page that does not come. */
const LATEST_MS = 1500;

/** What an actor finds in the menu. */
export type MenuOf = (actor: Actor | null) => readonly MenuEntry[];

const noEntries: readonly MenuEntry[] = [];

/**
 * The places of the menus, and whether they are there yet: who comes by the link of a mission sees its first picture
 * first, which a menu drawn beside it would hold up.
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
