import { useMemo } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { useEvents } from '../events/events.ts';
import type { Overlay, OverlaySetting } from '../map/overlay.ts';
import { LAST_SEEN_HOURS, lastSeenTitles as texts } from './last-seen-titles.ts';

/** Setting for the number of hours after which ground counts as not seen; shared by all maps. */
export const lastSeenHours: OverlaySetting = {
  id: 'last-seen-hours',
  title: texts.hours,
  initially: 6,
  choices: LAST_SEEN_HOURS.map((hours) => ({
    value: hours,
    text: texts.hoursShort(hours),
    label: texts.notSeen(hours),
  })),
};

const never = () => () => undefined;

/**
 * Colours the ground on a map by how long ago it was seen, at the time of the mission clock or now. Another actor gets
 * a different overlay, which has no data that was read for the previous one.
 */
export function useLastSeenOverlay(mode: 'clock' | 'now'): Overlay {
  const api = useApi();
  const view = JSON.stringify(useActor());
  const { bus } = useEvents();
  return useMemo(
    (): Overlay => ({
      id: 'last-seen',
      title: texts.title,
      group: '',
      initially: false,
      settings: [lastSeenHours],
      async start(deps) {
        const { clock } = deps.services;
        const moment =
          mode === 'clock' ? { timeUs: clock.timeUs, onChange: clock.onTime } : { timeUs: () => null, onChange: never };
        return (await deps.still(import('./last-seen-drawing.ts'))).startLastSeen(deps, { api, bus, moment });
      },
    }),
    [api, bus, mode, view],
  );
}
