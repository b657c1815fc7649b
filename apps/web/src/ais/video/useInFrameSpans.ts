import { mdiFerry } from '@mdi/js';
import { aisEvent, getShipsInFrame, missionsEvent, platformsEvent, revokedEvent } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useMemo } from 'react';
import { useApi } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { fill, formatClock, plainText } from '../../base/format.ts';
import { useShownLabels } from '../../base/shown-labels.ts';
import { useServerEvent } from '../../events/events.ts';
import type { TimelineSpan, TimelineSpans } from '../../timeline/marks.ts';
import { mmsiText } from '../columns.tsx';
import { ShipsContext } from '../ships.ts';
import { useShipLabel } from './in-frame-now.ts';
import { texts } from './texts.ts';

/**
 * Returns the periods in which sensors of a mission had ships in their pictures, for its timeline; undefined without a
 * mission or if there are none. Also adds the label of the receivers of these ships, and of those that are in the
 * pictures now, to the label bar of the page.
 */
export function useInFrameSpans(missionId: string | null, enabled: boolean): TimelineSpans | undefined {
  const api = useApi();
  const queries = useQueryClient();
  const ships = useContext(ShipsContext);
  const isOn = useSession().info?.useAis === true && enabled && missionId !== null;
  const queryKey = useMemo(() => ['ais', 'inframe', missionId], [missionId]);
  const { data } = useQuery({
    queryKey,
    enabled: isOn,
    // The periods do not change while the mission is open, unless an event reports it.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.call(getShipsInFrame, { query: { mission: missionId! } }, { signal }),
  });
  const again = () => void queries.invalidateQueries({ queryKey });
  useServerEvent(missionsEvent, ({ ids }) => missionId !== null && ids.includes(missionId) && again());
  useServerEvent(aisEvent, ({ mission }) => missionId !== null && mission === missionId && again());
  useServerEvent(platformsEvent, again);
  useServerEvent(revokedEvent, () => void queries.resetQueries({ queryKey }));

  const inPictures = useShipLabel();
  useShownLabels([data?.securityClassification ?? 'UNCLASSIFIED', inPictures]);

  const chosen = ships?.chosen?.mmsi ?? null;
  const choose = ships?.choose;
  return useMemo(() => {
    if (data === undefined || data.spans.length === 0) return undefined;
    const spans = joined(data.spans).map(({ mmsi, name, from, to, sure }): TimelineSpan => {
      const label = plainText(name ?? '') || mmsiText(mmsi);
      const values = { name: label, from: formatClock(from), to: formatClock(to) };
      const hint = fill(sure ? texts.spanOf : texts.maybeSpan, values);
      return { id: `${mmsi} ${from}`, timeUs: from, endUs: to, label, hint, chosen: mmsi === chosen, faded: !sure };
    });
    return {
      ...{ label: texts.inFrame, icon: mdiFerry, several: texts.several, spans },
      count: new Set(data.spans.map(({ mmsi }) => mmsi)).size,
      onChoose: (id) => choose?.({ mmsi: Number(id.split(' ')[0]), place: null }),
    };
  }, [data, chosen, choose]);
}

type Seen = { mmsi: number; name: string | null; from: number; to: number; sure: boolean };

/**
 * Merges overlapping periods of the same ship, for example from two sensors that had it in their pictures at the same
 * time.
 */
export function joined(spans: readonly Seen[]): Seen[] {
  const open = new Map<number, Seen>();
  const all: Seen[] = [];
  for (const { mmsi, name, from, to, sure } of spans) {
    const before = open.get(mmsi);
    if (before !== undefined && from <= before.to) {
      before.to = Math.max(before.to, to);
      before.sure ||= sure;
      continue;
    }
    const span = { mmsi, name, from, to, sure };
    open.set(mmsi, span);
    all.push(span);
  }
  return all;
}
