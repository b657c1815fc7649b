// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it, vi } from 'vitest';
import { emptyFrame } from '../player/frames.ts';
import { PartsContext } from '../player/parts.ts';
import { viewParts } from '../player/test-parts.ts';
import { CENTRE_MODES, type CentreMode } from './mapStorage.ts';
import { useFoundOnce } from './useFrameMap.ts';

afterEach(cleanup);

/** A map of one degree around 24 E, 37 N that stays where it was left. */
function mapAtKea() {
  const jumpTo = vi.fn();
  const container = { clientWidth: 100, clientHeight: 100 };
  const map = {
    getContainer: () => container,
    getCenter: () => ({ lng: 24, lat: 37 }),
    project: ([lon, lat]: [number, number]) => ({ x: (lon - 23.5) * 100, y: (37.5 - lat) * 100 }),
    cameraForBounds: () => ({ zoom: 12 }),
    jumpTo,
    on: () => undefined,
    off: () => undefined,
  };
  return { map: map as unknown as MapLibreMap, jumpTo };
}

const page = { sensor: 'eo', from: 0, to: 1, more: false, time: [0], tags: {}, sets: [] };

function open(first: CentreMode) {
  const parts = viewParts();
  const { map, jumpTo } = mapAtKea();
  const { rerender } = renderHook((mode: CentreMode) => useFoundOnce(map, mode), {
    initialProps: first,
    wrapper: ({ children }) => <PartsContext value={parts}>{children}</PartsContext>,
  });
  const fly = (lat: number, lon: number) =>
    parts.frames.publish({
      ...emptyFrame('eo', 0),
      record: { page, index: 0, timeUs: 0 },
      values: { '23': lat, '24': lon },
      platform: { lat, lon },
    });
  return { jumpTo, fly, rerender };
}

it('goes once to a mission that lies elsewhere than where the map was left', () => {
  const { jumpTo, fly } = open(CENTRE_MODES.manual);

  fly(34.7, -86.7);
  fly(34.8, -86.8);

  expect(jumpTo).toHaveBeenCalledOnce();
  expect(jumpTo.mock.lastCall![0].center).toEqual([-86.7, 34.7]);
});

it('stays where a mission is in view, and where somebody moved away from it', () => {
  const inView = open(CENTRE_MODES.manual);
  inView.fly(37.1, 24.1);
  inView.fly(34.7, -86.7);
  const moved = open(CENTRE_MODES.frame);
  moved.rerender(CENTRE_MODES.manual);
  moved.fly(34.7, -86.7);

  expect(inView.jumpTo).not.toHaveBeenCalled();
  expect(moved.jumpTo).not.toHaveBeenCalled();
});
