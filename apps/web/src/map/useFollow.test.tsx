// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it, vi } from 'vitest';
import { emptyFrame } from '../player/frames.ts';
import { PartsContext } from '../player/parts.ts';
import { viewParts } from '../player/test-parts.ts';
import { CENTRE_MODES } from './mapStorage.ts';
import { useFollow, useFoundOnce } from './useFrameMap.ts';

afterEach(cleanup);

/** A map of one degree around 179.9 E on the equator; as MapLibre, it takes a longitude for the place in this world alone. */
function mapAtAntimeridian() {
  const jumpTo = vi.fn();
  const container = { clientWidth: 100, clientHeight: 100 };
  const map = {
    getContainer: () => container,
    getCenter: () => ({ lng: 179.9, lat: 0 }),
    project: ([lon, lat]: [number, number]) => ({ x: (lon - 179.4) * 100, y: (0.5 - lat) * 100 }),
    cameraForBounds: () => undefined,
    jumpTo,
    on: () => undefined,
    off: () => undefined,
  };
  return { map: map as unknown as MapLibreMap, jumpTo };
}

const page = { sensor: 'eo', from: 0, to: 1, more: false, time: [0], tags: {}, sets: [] };

function open(follow: (map: MapLibreMap) => void) {
  const parts = viewParts();
  const { map, jumpTo } = mapAtAntimeridian();
  renderHook(() => follow(map), {
    wrapper: ({ children }) => <PartsContext value={parts}>{children}</PartsContext>,
  });
  const fly = (lon: number) =>
    parts.frames.publish({
      ...emptyFrame('eo', 0),
      record: { page, index: 0, timeUs: 0 },
      values: { '23': 0, '24': lon },
      platform: { lat: 0, lon },
    });
  return { jumpTo, fly };
}

it('sets a map anew every two seconds across the antimeridian too, not with each picture', () => {
  const { jumpTo, fly } = open((map) => useFollow(map, CENTRE_MODES.platform));

  for (const lon of [179.9, 179.95, -179.95, -179.94]) fly(lon);

  expect(jumpTo).not.toHaveBeenCalled();
});

it('leaves a map where it was that shows the mission behind the antimeridian', () => {
  const { jumpTo, fly } = open((map) => useFoundOnce(map, CENTRE_MODES.manual));

  fly(-179.95);

  expect(jumpTo).not.toHaveBeenCalled();
});
