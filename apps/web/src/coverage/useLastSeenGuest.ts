import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import type { Scheme } from '../base/colours.ts';
import { useEvents } from '../events/events.ts';
import { layerChoices, readSetting, writeSetting } from '../map/map-storage.ts';
import type { MapGuest } from '../map/PlacesMap.tsx';
import { createSignal } from '../onscreen/signal.ts';
import { lastSeenHours } from './useLastSeenOverlay.ts';

const ID = 'last-seen';

export type LastSeenGuest = ReturnType<typeof useLastSeenGuest>;

/**
 * Colours the map of all missions by how long ago the ground was seen, before now or before a chosen time. Another
 * actor gets a different guest, which has no data that was read for the previous one.
 */
export function useLastSeenGuest() {
  const api = useApi();
  const view = JSON.stringify(useActor());
  const { bus } = useEvents();
  const [isShown, setShown] = useState(() => layerChoices.read(ID) ?? false);
  const [hours, setHours] = useState(() => readSetting(lastSeenHours));
  /** Time that is shown, in UTC microseconds; null for the present. */
  const [atUs, setAtUs] = useState<number | null>(null);
  const [chosen] = useState(() => createSignal({ hours, atUs }));
  useEffect(() => chosen.set({ hours, atUs }), [chosen, hours, atUs]);

  const guest = useMemo((): MapGuest | null => {
    if (!isShown) return null;
    return {
      id: `${ID} ${view}`,
      async start(map, scheme, still) {
        const { startLastSeen } = await still(import('./last-seen-drawing.ts'));
        const moment = { timeUs: () => chosen.get().atUs, onChange: chosen.subscribe };
        const drawing = startLastSeen({ map, below: 'group' }, { api, bus, moment });
        const setChosen = () => drawing.set(chosen.get().hours);
        setChosen();
        const unsubscribe = chosen.subscribe(setChosen);
        drawing.paint({ scheme });
        // A failed read is not reported, since it is repeated with the next minute or the next move of the map.
        void Promise.resolve(drawing.show(true)).catch(() => undefined);
        return {
          setScheme: (next: Scheme) => drawing.paint({ scheme: next }),
          stop() {
            unsubscribe();
            drawing.stop();
          },
        };
      },
    };
  }, [api, bus, view, isShown, chosen]);

  return {
    guest,
    isShown,
    hours,
    atUs,
    setAtUs,
    setShown(next: boolean) {
      setShown(next);
      layerChoices.write(ID, next);
    },
    setHours(next: number) {
      setHours(next);
      writeSetting(lastSeenHours.id, next);
    },
  };
}
