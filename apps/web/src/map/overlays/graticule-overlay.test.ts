// @vitest-environment jsdom
import type { Map as MapLibreMap } from 'maplibre-gl';
import { expect, it } from 'vitest';
import { viewParts } from '../../onscreen/test-parts.ts';
import type { RunningOverlay } from '../overlay.ts';
import { graticuleOverlay } from './graticule-overlay.ts';

const SIZE = { width: 400, height: 300 };

/** A map of 400 x 300 px whose degree is 100 px, its upper left corner at this place. */
function labelsAt([west, north]: [lon: number, lat: number]): (string | null)[] {
  const map = {
    on: () => undefined,
    off: () => undefined,
    getContainer: () => ({ clientWidth: SIZE.width, clientHeight: SIZE.height }),
    getBounds: () => ({
      getWest: () => west,
      getEast: () => west + SIZE.width / 100,
      getSouth: () => north - SIZE.height / 100,
      getNorth: () => north,
    }),
    getCenter: () => ({ lng: west + 2, lat: north - 1.5 }),
    project: ([lon, lat]: [number, number]) => ({ x: (lon - west) * 100, y: (north - lat) * 100 }),
  } as unknown as MapLibreMap;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  const deps = { map, svg, below: '', parts: viewParts(), switchOff: () => undefined };
  (graticuleOverlay.start(deps) as RunningOverlay).show(true, 'graticule');
  return [...svg.querySelectorAll('text')].map(({ textContent }) => textContent);
}

it('labels meridians only if the label is whole: cut at an edge it would show another place', () => {
  expect(labelsAt([177.5, 40])).toEqual(expect.arrayContaining(['178°E', '180°W']));
  expect(labelsAt([177.95, 40])).not.toContain('178°E');
  expect(labelsAt([174.1, 40])).toContain('176°E');
  expect(labelsAt([174.1, 40])).not.toContain('178°E');
});

it('labels parallels where neither the choice of the target nor a label of a meridian covers them', () => {
  expect(labelsAt([10.5, 41])).toContain('40°N');
  expect(labelsAt([10.5, 40.3])).not.toContain('40°N');
  expect(labelsAt([10.5, 42.9])).not.toContain('40°N');
});
