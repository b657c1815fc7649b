import { useContext, useEffect, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { useEvents } from '../../events/events.ts';
import { createSignal } from '../../onscreen/signal.ts';
import type { PictureGuest } from '../../player/picture/guest.ts';
import { ShipsContext } from '../ships.ts';

/**
 * Returns the drawing of ships over the pictures of a view; null until its code has been loaded, and if there are no
 * ships.
 */
export function useShipsOnVideo(enabled: boolean): PictureGuest | null {
  const api = useApi();
  const { bus } = useEvents();
  const isOn = useSession().info?.useAis === true && enabled;
  const ships = useContext(ShipsContext);
  const [chosen] = useState(() => createSignal(ships?.chosen ?? null));
  useEffect(() => chosen.set(ships?.chosen ?? null), [chosen, ships?.chosen]);
  const choose = ships?.choose;
  const [guest, setGuest] = useState<PictureGuest | null>(null);
  useEffect(() => {
    if (!isOn) return;
    let ended = false;
    import('./ships-on-video.ts').then(
      ({ shipsOnVideo }) => {
        if (!ended) setGuest(shipsOnVideo({ api, bus, chosen, choose: (ship) => choose?.(ship) }));
      },
      // If the code cannot be loaded, the pictures are shown without ships.
      () => undefined,
    );
    return () => {
      ended = true;
      setGuest(null);
    };
  }, [api, bus, chosen, choose, isOn]);
  return guest;
}
