import type { LivePlatform, LiveSensor } from '@osprey/contract';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { REPLACE_NOW } from '../ui/at-once.ts';
import { idsOf } from '../ui/filter/query-filter.ts';
import type { Row } from './rows.ts';

type Chosen = { platforms: ReadonlySet<string>; sensors: ReadonlySet<string> };

const PLATFORMS = 'platforms';
const SENSORS = 'sensors';

const read = (query: URLSearchParams): Chosen => ({
  platforms: new Set(idsOf(query.get(PLATFORMS))),
  sensors: new Set(idsOf(query.get(SENSORS))),
});

function written(before: URLSearchParams, { platforms, sensors }: Chosen): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, ids] of [
    [PLATFORMS, platforms],
    [SENSORS, sensors],
  ] as const) {
    if (ids.size > 0) next.set(name, [...ids].join(','));
    else next.delete(name);
  }
  return next;
}

/** The selection without this platform and its sensors. */
const without = ({ platforms, sensors }: Chosen, platform: LivePlatform): Chosen => ({
  platforms: new Set([...platforms].filter((id) => id !== platform._id)),
  sensors: new Set([...sensors].filter((id) => platform.sensors.every(({ _id }) => _id !== id))),
});

function only(row: Row): Chosen {
  return row.kind === 'platform'
    ? { platforms: new Set([row.platform._id]), sensors: new Set() }
    : { platforms: new Set(), sensors: new Set([row.sensor._id]) };
}

/** Adds the row to the selection, or removes it. */
function toggled(before: Chosen, row: Row): Chosen {
  const { platform } = row;
  const rest = without(before, platform);
  const complete = before.platforms.has(platform._id);
  if (row.kind === 'platform') {
    return complete ? rest : { ...rest, platforms: new Set([...rest.platforms, platform._id]) };
  }
  const own = platform.sensors.filter(({ _id }) => complete || before.sensors.has(_id)).map(({ _id }) => _id);
  const next = own.includes(row.sensor._id) ? own.filter((id) => id !== row.sensor._id) : [...own, row.sensor._id];
  return { ...rest, sensors: new Set([...rest.sensors, ...next]) };
}

/**
 * Selection of platforms and sensors: a platform with all its sensors, or a single sensor. It is stored in the address
 * as `platforms` and `sensors`, so that a link opens the same.
 */
export function useLiveSelection(platforms: readonly LivePlatform[]) {
  const [query, setQuery] = useSearchParams();
  const asked = `${query.get(PLATFORMS) ?? ''} ${query.get(SENSORS) ?? ''}`;
  // Memoised by its own parameters, so that the selection object stays the same when other parts of the address change.
  const chosen = useMemo(() => read(query), [asked]);

  const choose = useCallback(
    (row: Row, extend: boolean) =>
      setQuery((before) => written(before, extend ? toggled(read(before), row) : only(row)), REPLACE_NOW),
    [setQuery],
  );
  const clear = useCallback(
    () => setQuery((before) => written(before, { platforms: new Set(), sensors: new Set() }), REPLACE_NOW),
    [setQuery],
  );

  /** Sensors that are selected, individually or with their platform, in the order of the platforms. */
  const sensors = useMemo(
    (): LiveSensor[] =>
      platforms.flatMap((platform) =>
        platform.sensors.filter(({ _id }) => chosen.platforms.has(platform._id) || chosen.sensors.has(_id)),
      ),
    [platforms, chosen],
  );
  const sensorIds = useMemo((): ReadonlySet<string> => new Set(sensors.map(({ _id }) => _id)), [sensors]);
  const isChosen = useCallback(
    (row: Row) => (row.kind === 'platform' ? isComplete(row.platform, chosen) : sensorIds.has(row.sensor._id)),
    [chosen, sensorIds],
  );
  return { sensors, sensorIds, isChosen, choose, clear };
}

export type LiveSelection = ReturnType<typeof useLiveSelection>;

const isComplete = (platform: LivePlatform, chosen: Chosen): boolean =>
  chosen.platforms.has(platform._id) ||
  (platform.sensors.length > 0 && platform.sensors.every(({ _id }) => chosen.sensors.has(_id)));
