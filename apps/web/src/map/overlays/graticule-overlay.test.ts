// @vitest-environment jsdom
import type { Map as MapLibreMap } from 'maplibre-gl';
import { expect, it } from 'vitest';
import { viewServices } from '../../testing/view-services.ts';
import type { RunningOverlay } from '../overlay.ts';
import { graticuleOverlay, startGraticule } from './graticule-overlay.ts';

const SIZE = { width: 400, height: 300 };

/** A map of 400 x 300 px whose degree is 100 px, its upper left corner at this place. */
function labelsAt(corner: [lon: number, lat: number], start = graticuleOverlay.start): (string | null)[] {
  return labelElements(corner, start).map(({ textContent }) => textContent);
}

function labelElements([west, north]: [lon: number, lat: number], start: typeof graticuleOverlay.start): Element[] {
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
  const deps = {
    map,
    svg,
    below: '',
    services: viewServices(),
    still: <Value>(coming: Promise<Value>) => coming,
    switchOff: () => undefined,
  };
  (start(deps) as RunningOverlay).show(true, 'graticule');
  // Each label has a ground of its own.
  for (const text of svg.querySelectorAll('text')) expect(text.previousElementSibling?.tagName).toBe('rect');
  return [...svg.querySelectorAll('text')];
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

it('labels the edges that a map with tools at the left leaves free', () => {
  const edges: Parameters<typeof startGraticule>[1] = {
    parallels: { at: 'right', top: 64, bottom: 40 },
    meridians: { at: 'top', left: 60, right: 150 },
  };
  const labels = labelElements([10.5, 41.1], (deps) => startGraticule(deps, edges));

  const shown = labels.map((label) => [
    label.textContent,
    Number(label.getAttribute('x')),
    Math.round(Number(label.getAttribute('y'))),
  ]);
  // 11°E is below the tools, 13°E and 14°E below the button at the right.
  expect(shown).toEqual([
    ['12°E', 150, 17],
    ['40°N', 394, 106],
  ]);
});
