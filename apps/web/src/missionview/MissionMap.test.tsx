// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { attachDrawing, type Drawing } from '../map/draw/drawing.ts';
import type { Overlay } from '../map/overlay.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { keepingMap } from '../map/test-map.ts';
import { PartsContext } from '../onscreen/parts.ts';
import { viewParts } from '../onscreen/test-parts.ts';
import { fakeApi, missionOf } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
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
  const parts = viewParts();
  const api = fakeApi({ 'GET /mapconfig': () => ({ layers: [] }) }).api;
  show(
    <PartsContext value={parts}>
      <PageOverlays value={[overlay]}>
        <MissionMap mission={missionOf()} />
      </PageOverlays>
    </PartsContext>,
    { api },
  );
  act(() => parts.firstFrame.set(true));
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
