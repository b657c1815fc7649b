import type { Mission, Sensor } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type NavigateOptions, useLocation, useNavigationType, useSearchParams } from 'react-router';
import { useApi } from '../api/api.ts';
import { timeOf } from '../base/time-of.ts';
import { BOOKMARK_PARAMETER } from '../bookmarks/link.ts';
import { addressOf } from '../missions/share.ts';
import { useMission } from '../missions/useMissions.ts';
import type { Chosen, ViewAddress, ViewChoice, Visit } from '../missionview/address.ts';
import { openSensorsQuery } from '../player/open-queries.ts';
import { REPLACE_NOW } from '../ui/at-once.ts';
import { idsOf, isoOf } from '../ui/filter/query-filter.ts';
import { useIsLeaving } from '../ui/useIsLeaving.ts';

const noSensors: Sensor[] = [];

const ownNames = ['sensor', 'sensors', 'health', 't'] as const;

/**
 * State of the open mission, all of which is stored in the address: the mission, its leading sensor, what is shown, and
 * the time.
 */
export function useOpenMission() {
  const api = useApi();
  const queries = useQueryClient();
  const { query, change } = useAddress();
  const isLeaving = useIsLeaving();
  const id = query.get('mission') || null;
  const choice = useMemo(() => choiceOf(query), [query]);
  const { visit, latestUs } = useVisit(id, query);
  const mission = useMission(id);
  const sensors = useQuery({ ...openSensorsQuery({ api, queries }, id ?? '', visit.sensorId), enabled: id !== null });

  const timeNow = useRef<(() => number) | null>(null);
  const open = useCallback(
    (chosen: Mission, sensor: Sensor | null) => {
      // If the same mission is opened again, its current time is kept.
      const timeUs = (chosen._id === id && timeNow.current?.()) || null;
      const t = timeUs === null ? null : isoOf(timeUs);
      change({ ...nothing, mission: chosen._id, sensor: sensor?._id ?? null, t }, { replace: false });
    },
    [change, id],
  );
  const close = useCallback(() => change({ ...nothing, mission: null }, { replace: false }), [change]);
  const onTimeChange = useCallback(
    (timeUs: number) => {
      latestUs.current = timeUs;
      if (!isLeaving()) change({ t: isoOf(timeUs) }, { replace: true });
    },
    [change, isLeaving, latestUs],
  );
  const onChoice = useCallback((fields: Chosen) => change(queryOf(fields), REPLACE_NOW), [change]);
  const onLead = useCallback((sensorId: string | null) => change({ sensor: sensorId }, { replace: true }), [change]);
  const address = useMemo(
    (): ViewAddress => ({ visit, choice, onChoice, onLead, onTimeChange, timeNow }),
    [visit, choice, onChoice, onLead, onTimeChange],
  );

  const found = mission.data ?? null;
  return {
    id,
    mission: found,
    sensors: sensors.data ?? found?.sensors ?? noSensors,
    sensorId: choice.sensorId,
    address,
    error: mission.error,
    /** Returns the address of what is currently on screen, including the exact time. */
    link: () => addressOf({ _id: id ?? '' }, { ...choice, timeUs: timeNow.current?.() ?? latestUs.current }),
    open,
    close,
  };
}

type Fields = Partial<Record<'mission' | (typeof ownNames)[number], string | null>>;

const nothing: Fields = Object.fromEntries(ownNames.map((name) => [name, null]));

/**
 * Reads and changes the query string. Changes are based on each other even before they are rendered, since the router
 * renders them when there is time, and the page may be rendered for other reasons before.
 */
function useAddress() {
  const [query, setQuery] = useSearchParams();
  const newest = useRef(query);
  const undrawn = useRef<string[]>([]);
  useLayoutEffect(() => {
    const own = undrawn.current.indexOf(query.toString());
    undrawn.current = own < 0 ? [] : undrawn.current.slice(own + 1);
    if (undrawn.current.length === 0) newest.current = query;
  }, [query]);
  const change = useCallback(
    (fields: Fields, how: NavigateOptions) => {
      const next = new URLSearchParams(newest.current);
      // The parameter belongs to the link by which the user came, and does not apply after a change.
      next.delete(BOOKMARK_PARAMETER);
      for (const [name, value] of Object.entries(fields)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      newest.current = next;
      undrawn.current.push(next.toString());
      setQuery(next, how);
    },
    [setQuery],
  );
  return { query, change };
}

/** Tracks places that the user navigated to; the view's own changes of the address do not count. */
function useVisit(id: string | null, query: URLSearchParams) {
  const { key } = useLocation();
  const written = useNavigationType() === 'REPLACE';
  const arrived = (): Visit => ({ sensorId: query.get('sensor') || null, timeUs: timeOf(query.get('t')) });
  const [at, setAt] = useState(() => ({ id, key, visit: arrived() }));
  const latestUs = useRef(at.visit.timeUs);
  const isNew = at.id !== id || (!written && at.key !== key);
  if (isNew) setAt({ id, key, visit: arrived() });
  if (at.id !== id) latestUs.current = timeOf(query.get('t'));
  return { visit: at.visit, latestUs };
}

function choiceOf(query: URLSearchParams): ViewChoice {
  const shownIds = idsOf(query.get('sensors'));
  return {
    sensorId: query.get('sensor') || null,
    shownIds: shownIds.length > 0 ? shownIds : null,
    healthOf: query.get('health') || null,
  };
}

function queryOf({ shownIds, healthOf }: Chosen): Fields {
  return {
    ...(shownIds !== undefined && { sensors: shownIds?.join(',') ?? null }),
    ...(healthOf !== undefined && { health: healthOf }),
  };
}
