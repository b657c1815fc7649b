import type { Mission } from '@osprey/contract';
import { useEffect, useEffectEvent } from 'react';
import { belongsToFocus } from '../missionview/keys.ts';
import { fullScreen } from '../player/picture/full-screen.ts';

/** The other missions of the page, which can be opened by keys while a mission is open. */
export type Neighbours = {
  /** In the order of the table. */
  missions: readonly Mission[];
  open: (mission: Mission) => void;
  close: () => void;
};

/**
 * Handles keys of the page while a mission is open. Escape closes it if the view itself has the focus, so that an
 * Escape meant for a menu does not; Shift with Page Up or Page Down opens the mission before or after it in the table.
 */
export function useMissionKeys(openId: string, { missions, open, close }: Neighbours): void {
  const act = useEffectEvent((event: KeyboardEvent): void => {
    if (fullScreen().on || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToFocus(event.target, event.key)) return;
    if (event.key === 'Escape' && isView(event.target)) {
      close();
      return;
    }
    const step = event.shiftKey ? { PageDown: 1, PageUp: -1 }[event.key] : undefined;
    const at = missions.findIndex(({ _id }) => _id === openId);
    const next = step === undefined || at < 0 ? undefined : missions[at + step];
    if (next === undefined) return;
    event.preventDefault();
    open(next);
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => act(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Whether the target is the region of the view, which has the focus after a row was opened by keyboard. While the table
 * is open over it, Escape closes that first.
 */
const isView = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('[data-part="mission-view"]:not(:has([data-part="table-drawer"][data-open="true"]))');
