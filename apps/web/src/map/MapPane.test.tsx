// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { flyTo, keepingMap } from '../testing/map.ts';
import { show } from '../testing/show.tsx';
import { viewServices } from '../testing/view-services.ts';
import { MapPane } from './MapPane.tsx';
import type { Overlay } from './overlay.ts';
import { setAttributes, svgElement } from './overlays/svg.ts';
import { projectorOf } from './projector.ts';

let kept = keepingMap();
vi.mock('./create-map.ts', () => ({ createMap: () => kept.map }));

beforeEach(() => {
  localStorage.clear();
  kept = keepingMap();
});
afterEach(cleanup);

/** Addition of a feature to other maps: one file, and an entry in the list of a page. */
const buoys: Overlay = {
  id: 'buoys',
  title: 'Buoys',
  group: 'Sea marks',
  start({ map, svg, services }) {
    const mark = svgElement('circle', { 'data-part': 'buoy', r: 4 });
    svg.append(mark);
    const project = projectorOf(map);
    const leave = services.frames.subscribe(({ platform }) => {
      if (!platform) return;
      const { x, y } = project(platform);
      setAttributes(mark, { cx: x, cy: y });
    });
    return {
      show: (shown) => setAttributes(svg, { visibility: shown ? 'visible' : 'hidden' }),
      paint: ({ chosen }) => setAttributes(mark, { fill: chosen }),
      stop: leave,
    };
  },
};

const buoy = () => document.querySelector('[data-part="buoy"]');
const item = (name: string) => screen.getByRole('menuitemcheckbox', { name });

function open(overlays: readonly Overlay[] = [buoys]) {
  const services = viewServices();
  const view = show(
    <ViewServicesContext value={services}>
      <MapPane overlays={overlays} />
    </ViewServicesContext>,
    { api: fakeApi({}).api },
  );
  return { ...view, services };
}

async function openLayers() {
  await userEvent.click(await screen.findByRole('button', { name: 'Open map tools' }));
  await userEvent.click(screen.getByRole('button', { name: 'Layers' }));
}

describe('an overlay that is handed to a map', () => {
  it('starts after the first frame, is drawn with the frames, and ends with the map', async () => {
    const before = kept.state();
    const { services, unmount } = open();
    expect(buoy()).toBeNull();

    act(() => services.firstFrame.set(true));
    await waitFor(() => expect(buoy()?.getAttribute('fill')).toBe('#F2B04A'));
    flyTo(services, 37.5, 24);
    expect([buoy()!.getAttribute('cx'), buoy()!.getAttribute('cy')]).toEqual(['200', '150']);
    unmount();

    expect([kept.isRemoved(), kept.state().layers, kept.state().sources]).toEqual([
      true,
      before.layers,
      before.sources,
    ]);
    const moved = vi.spyOn(kept.map, 'project');
    flyTo(services, 38, 24);
    expect(moved).not.toHaveBeenCalled();
  });

  it('has a line in the layers menu below its group, whose choice is kept', async () => {
    const first = open();
    act(() => first.services.firstFrame.set(true));
    await openLayers();

    const heading = screen.getByText('Sea marks');
    expect(heading.nextElementSibling).toBe(item('Buoys'));
    expect(item('Buoys').getAttribute('aria-checked')).toBe('true');
    await userEvent.click(item('Buoys'));
    expect(item('Buoys').getAttribute('aria-checked')).toBe('false');
    expect(buoy()!.parentElement!.getAttribute('visibility')).toBe('hidden');
    first.unmount();

    kept = keepingMap();
    const second = open();
    act(() => second.services.firstFrame.set(true));
    await waitFor(() => expect(buoy()?.parentElement?.getAttribute('visibility')).toBe('hidden'));
  });
});
