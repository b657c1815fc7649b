import type { Mission } from '@osprey/contract';
import { useEffect, useEffectEvent } from 'react';
import { belongsToFocus } from '../missionview/keys.ts';
import { fullScreen } from '../player/picture/full-screen.ts';

/** The other missions of the page, which the keys of an open mission lead to. */
export type Neighbours = {
  /** As the table lists them. */
  missions: readonly Mission[];
  open: (mission: Mission) => void;
  close: () => void;
};

/**
 * Keys of the page while a mission is open: Escape closes it if the view itself has the focus, so that an Escape meant for
 * a menu closes no mission; Shift with Page Up or Page Down opens the one before or after it in the table.
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

/** The region of the view, which has the focus after a row was opened by keyboard. */
const isView = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('[data-part="mission-view"]');
