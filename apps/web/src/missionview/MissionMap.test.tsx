// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useMemo } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shipsOverlay } from '../ais/map/ships-overlay.ts';
import { createMapTargets } from '../ais/map/targets.ts';
import { useAnnotationsOverlay } from '../annotations/useAnnotationsOverlay.ts';
import { attachDrawing, type Drawing } from '../map/draw/drawing.ts';
import type { Overlay } from '../map/overlay.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { fakeApi, missionOf, newId } from '../testing/fake-api.ts';
import { flyTo, keepingMap } from '../testing/map.ts';
import { testTarget } from '../testing/ship-target.ts';
import { show } from '../testing/show.tsx';
import { viewServices } from '../testing/view-services.ts';
import { MissionMap } from './MissionMap.tsx';

let kept = keepingMap();
vi.mock('../map/create-map.ts', () => ({ createMap: () => kept.map }));

beforeEach(() => {
  localStorage.clear();
  kept = keepingMap();
});
afterEach(cleanup);

const item = (name: string) => screen.getByRole('menuitemcheckbox', { name });

/** The map of a mission view, with what a page adds to it. */
async function open(overlay: Overlay) {
  const services = viewServices();
  const api = fakeApi({ 'GET /mapconfig': () => ({ layers: [] }) }).api;
  show(
    <ViewServicesContext value={services}>
      <PageOverlays value={[overlay]}>
        <MissionMap mission={missionOf()} />
      </PageOverlays>
    </ViewServicesContext>,
    { api },
  );
  act(() => services.firstFrame.set(true));
  await userEvent.click(await screen.findByRole('button', { name: 'Open map tools' }));
  await userEvent.click(screen.getByRole('button', { name: 'Layers' }));
}

it('adds the overlays of a page to those that the map of a mission has', async () => {
  const running = { show: vi.fn(), paint: vi.fn(), stop: vi.fn() };
  await open({ id: 'buoys', title: 'Buoys', group: 'Sea marks', start: () => running });

  expect(screen.getAllByRole('menuitemcheckbox').map(({ textContent }) => textContent)).toEqual([
    'Base map',
    'Borders and place names',
    'Graticule',
    'Trail',
    'Footprint',
    'Line of sight',
    'Targets',
    'Area seen',
    'Path of the platform',
    'Heatmap of frame centres',
    'Buoys',
  ]);
  expect(kept.layerIds()).toEqual([
    ...['halo', 'land', 'coast', 'borders', 'names'],
    ...['heatmap', 'area', 'area-edge', 'path'],
  ]);
});

it('lets an overlay attach the drawing of areas to the map of a mission view', async () => {
  const drawn = vi.fn();
  let drawing: Drawing | null = null;
  const areas: Overlay = {
    id: 'areas',
    title: 'Areas',
    group: '',
    start: ({ map }) => ({
      show(shown) {
        drawing?.detach();
        drawing = shown ? attachDrawing({ map, scheme: 'dark', onDrawn: drawn }) : null;
        drawing?.setMode('rectangle');
      },
      paint: () => undefined,
      stop: () => drawing?.detach(),
    }),
  };
  await open(areas);
  await userEvent.click(item('Areas'));
  const without = kept.state();

  await userEvent.click(item('Areas'));
  expect(kept.state().layers.length).toBeGreaterThan(without.layers.length);
  const click = (x: number, y: number) => {
    const at = { bubbles: true, clientX: x, clientY: y, isPrimary: true, button: 0 };
    for (const type of ['pointermove', 'pointerdown', 'pointerup']) {
      kept.canvas.dispatchEvent(new PointerEvent(type, at));
    }
  };
  click(100, 100);
  click(300, 200);
  expect(drawn.mock.lastCall![0].coordinates[0]).toContainEqual([23, 38]);
  await userEvent.click(item('Areas'));

  expect(kept.state()).toEqual(without);
});

it('has a toolbar, layers, the marker of the platform, ships and annotations', async () => {
  const mission = missionOf();
  const services = viewServices();
  const targets = createMapTargets();
  const ships = shipsOverlay({ targets, onSelect: () => undefined, nowUs: () => testTarget().timeUs });
  const annotation = {
    ...{ _id: newId(), title: 'Search area', description: '', author: 'ana', securityClassification: 'UNCLASSIFIED' },
    ...{ marked: true, missionId: null, startTime: null, endTime: null, simplified: false },
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [24, 37] } }],
  };
  function Page() {
    const annotations = useAnnotationsOverlay(mission._id);
    const overlays = useMemo(() => [ships, annotations], [annotations]);
    return (
      <PageOverlays value={overlays}>
        <MissionMap mission={mission} />
      </PageOverlays>
    );
  }
  const { api } = fakeApi({ 'GET /mapconfig': () => ({ layers: [] }), 'GET /annotations': () => [annotation] });
  show(
    <ViewServicesContext value={services}>
      <Page />
    </ViewServicesContext>,
    { api },
  );
  act(() => services.firstFrame.set(true));
  await userEvent.click(await screen.findByRole('button', { name: 'Open map tools' }));
  within(screen.getByRole('toolbar')).getByRole('button', { name: 'Layers' }).click();
  await screen.findByRole('menuitemcheckbox', { name: 'Ships' });
  for (const name of ['Ships', 'Annotations']) expect(item(name).getAttribute('aria-checked')).toBe('true');

  await vi.waitFor(() => expect(kept.visibleIds()).toEqual(expect.arrayContaining(['ships', 'annotations-line'])));
  await vi.waitFor(() =>
    expect(kept.dataOf('annotations')).toMatchObject({
      features: [{ properties: { id: annotation._id, label: 'Search area' } }],
    }),
  );
  act(() => {
    flyTo(services, 37.5, 24.5);
    targets.set([testTarget()]);
    targets.select(testTarget().id);
  });
  await screen.findByText('ARGO TRADER');
  const marker = document.querySelector<SVGElement>('[data-part="platform-marker"]');
  await vi.waitFor(() => expect(marker?.getAttribute('transform')).toContain('250'));
});
