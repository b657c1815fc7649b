// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it } from 'vitest';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { flyTo, testMap } from '../testing/map.ts';
import { viewServices } from '../testing/view-services.ts';
import { CENTRE_MODES } from './map-storage.ts';
import { useFollow, useFoundOnce } from './useFrameMap.ts';

afterEach(cleanup);

/** Over the equator, just before the antimeridian. */
function open(follow: (map: MapLibreMap) => void) {
  const services = viewServices();
  const { map, jumpTo } = testMap({ lon: 179.9, lat: 0 });
  renderHook(() => follow(map), {
    wrapper: ({ children }) => <ViewServicesContext value={services}>{children}</ViewServicesContext>,
  });
  return { jumpTo, fly: (lon: number) => flyTo(services, 0, lon) };
}

it('moves a map every two seconds across the antimeridian too, not with each picture', () => {
  const { jumpTo, fly } = open((map) => useFollow(map, CENTRE_MODES.platform));

  for (const lon of [179.9, 179.95, -179.95, -179.94]) fly(lon);

  expect(jumpTo).not.toHaveBeenCalled();
});

it('leaves a map where it was that shows the mission across the antimeridian', () => {
  const { jumpTo, fly } = open((map) => useFoundOnce(map, CENTRE_MODES.manual));

  fly(-179.95);

  expect(jumpTo).not.toHaveBeenCalled();
});
