import type { LivePlatform, LivePosition } from '@osprey/contract';
import type { Corners } from '@osprey/geo';
import type { TrailPlace } from '../map/overlays/trail.ts';
import type { FrameBus, ShownFrame } from '../onscreen/frames.ts';

/**
 * Maximum trail length that can be chosen; below, the distance in time between stored trail points. Both in
 * microseconds.
 */
const TRAIL_US = 300_000_000;
const PLACE_STEP_US = 200_000;

type Craft = { platform: LivePlatform; received: Map<string, ShownFrame>; trail: TrailPlace[] };

/** One platform with the data that the map draws. */
export type FleetItem = {
  platform: LivePlatform;
  /**
   * Frames of the platform's sensors: those on screen or, for others, the last ones received. The first one determines
   * the position of the platform.
   */
  frames: ShownFrame[];
  trail: readonly TrailPlace[];
};

export type Fleet = ReturnType<typeof createFleet>;

/**
 * Holds the positions of all live platforms: that of the frame on screen if one of its sensors is watched, otherwise
 * that reported by the server.
 */
export function createFleet(bus: FrameBus) {
  const crafts = new Map<string, Craft>();
  const bySensor = new Map<string, string>();
  const listeners = new Set<(platformId: string) => void>();
  function notify(id: string) {
    for (const listener of listeners) listener(id);
  }

  function extendTrail(craft: Craft, { record, timeUs, platform }: ShownFrame) {
    if (!platform) return;
    const at = record?.timeUs ?? timeUs;
    const last = craft.trail.at(-1);
    // Ignore a rewound picture, whose part of the trail is drawn already.
    if (last && at - last.timeUs < PLACE_STEP_US) return;
    craft.trail.push({ timeUs: at, ...platform });
    while (craft.trail[0] && at - craft.trail[0].timeUs > TRAIL_US) craft.trail.shift();
  }

  const watched = ({ platform }: Craft) =>
    platform.sensors.flatMap(({ _id }) => {
      const frame = bus.latest(_id);
      return frame?.record ? [frame] : [];
    });

  return {
    setPlatforms(platforms: readonly LivePlatform[]) {
      const before = [...crafts.keys()];
      const now = platforms.map(({ _id }) => _id);
      for (const id of before) if (!now.includes(id)) crafts.delete(id);
      bySensor.clear();
      for (const platform of platforms) {
        const existing = crafts.get(platform._id);
        const isOther = existing !== undefined && hasOtherStream(existing.platform, platform);
        crafts.set(platform._id, {
          received: new Map(),
          trail: [],
          ...existing,
          ...(isOther && { trail: [] }),
          platform,
        });
        for (const { _id } of platform.sensors) bySensor.set(_id, platform._id);
      }
      for (const id of new Set([...before, ...now])) notify(id);
    },
    receive(position: LivePosition) {
      const craft = crafts.get(position.platform);
      if (!craft) return;
      const frame = frameOf(position);
      craft.received.set(position.sensor, frame);
      if (watched(craft).length === 0) extendTrail(craft, frame);
      notify(position.platform);
    },
    /** Called when a frame of a sensor is shown on screen. */
    show(frame: ShownFrame) {
      const id = bySensor.get(frame.sensorId);
      const craft = id === undefined ? undefined : crafts.get(id);
      if (!craft) return;
      extendTrail(craft, frame);
      notify(craft.platform._id);
    },
    ids: () => [...crafts.keys()],
    item(id: string): FleetItem | null {
      const craft = crafts.get(id);
      if (!craft) return null;
      const shown = watched(craft);
      const { platform, trail, received } = craft;
      const isThere = platform.state === 'online' || platform.state === 'partial' || platform.state === 'lost';
      const frames = shown.length > 0 ? shown : [...received.values()];
      return { platform, trail, frames: isThere ? frames.map((frame) => withState(frame, platform)) : [] };
    },
    subscribe(listener: (platformId: string) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Whether a different KLV stream of a sensor is shown now. The trail then starts again, since it must not combine the
 * positions of two streams.
 */
const hasOtherStream = (before: LivePlatform, now: LivePlatform): boolean =>
  before.sensors.some(({ _id, klvStreams }) => {
    const chosen = now.sensors.find((sensor) => sensor._id === _id)?.klvStreams?.chosen ?? null;
    return chosen !== null && klvStreams != null && klvStreams.chosen !== null && klvStreams.chosen !== chosen;
  });

const withState = (frame: ShownFrame, { state }: LivePlatform): ShownFrame =>
  state === 'lost' && !frame.stale ? { ...frame, stale: true } : frame;

/** Converts a position reported by the server to a frame without a picture. */
function frameOf({ sensor, time, lat, lon, heading, frameCenter, footprint }: LivePosition): ShownFrame {
  const centre = frameCenter && { lat: frameCenter[0], lon: frameCenter[1] };
  const corners = footprint?.map(([cornerLat, cornerLon]) => ({ lat: cornerLat, lon: cornerLon })) ?? [];
  return {
    sensorId: sensor,
    timeUs: time,
    record: null,
    values: centre ? { 23: centre.lat, 24: centre.lon } : {},
    footprint:
      corners.length === 4 && centre ? { corners: corners as unknown as Corners, centre, source: 'corners' } : null,
    cut: null,
    platform: { lat, lon },
    headingDeg: heading,
    stale: false,
    targets: [],
    width: 0,
    height: 0,
  };
}
