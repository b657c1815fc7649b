// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { flyTo, testMap } from '../testing/map.ts';
import { viewServices } from '../testing/view-services.ts';
import { CENTRE_MODES, type CentreMode } from './map-storage.ts';
import { useFoundOnce } from './useFrameMap.ts';

afterEach(cleanup);

/** A map over Kea. */
function open(first: CentreMode) {
  const services = viewServices();
  const { map, jumpTo } = testMap({ lon: 24, lat: 37, camera: { zoom: 12 } });
  const { rerender } = renderHook((mode: CentreMode) => useFoundOnce(map, mode), {
    initialProps: first,
    wrapper: ({ children }) => <ViewServicesContext value={services}>{children}</ViewServicesContext>,
  });
  return { jumpTo, fly: (lat: number, lon: number) => flyTo(services, lat, lon), rerender };
}

it('goes once to a mission that is elsewhere than where the map was left', () => {
  const { jumpTo, fly } = open(CENTRE_MODES.manual);

  fly(34.7, -86.7);
  fly(34.8, -86.8);

  expect(jumpTo).toHaveBeenCalledOnce();
  expect(jumpTo.mock.lastCall![0].center).toEqual([-86.7, 34.7]);
});

it('stays if a mission is in view, and if the user moved away from it', () => {
  const inView = open(CENTRE_MODES.manual);
  inView.fly(37.1, 24.1);
  inView.fly(34.7, -86.7);
  const moved = open(CENTRE_MODES.frame);
  moved.rerender(CENTRE_MODES.manual);
  moved.fly(34.7, -86.7);

  expect(inView.jumpTo).not.toHaveBeenCalled();
  expect(moved.jumpTo).not.toHaveBeenCalled();
});
