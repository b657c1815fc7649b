// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { afterEach, expect, it } from 'vitest';
import { type Answers, fakeApi, missionOf, newId, refusing } from '../../testing/fake-api.ts';
import { keepingMap } from '../../testing/map.ts';
import { show } from '../../testing/show.tsx';
import { viewServices } from '../../testing/view-services.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { createOverlayHost } from '../overlay-host.ts';
import { useRecordingOverlays } from './useRecordingOverlays.ts';

afterEach(cleanup);

/** The buttons of the three overlays, on a mission whose first sensor leads. */
function open(answers: Answers, leads = true) {
  const mission = missionOf();
  const services = viewServices();
  if (leads) services.clock.lead(newId());
  const kept = keepingMap();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  function Buttons() {
    const { show: notify } = useSnackbar();
    const overlays = useRecordingOverlays(mission);
    const [host] = useState(() =>
      createOverlayHost({ map: kept.map, svg, services, scheme: 'dark', onError: (text) => notify(text, 'error') }),
    );
    useEffect(() => host.setOverlays(overlays), [host, overlays]);
    const { buttons } = useSyncExternalStore(host.subscribe, host.get);
    return buttons.map(({ id, shown, busy }) => (
      <button type="button" key={id} aria-pressed={shown} aria-busy={busy} onClick={() => host.toggle(id)}>
        {id}
      </button>
    ));
  }
  const fake = fakeApi(answers);
  show(<Buttons />, { api: fake.api });
  const button = (name: string) => screen.getByRole('button', { name });
  const press = (name: string) => act(async () => button(name).click());
  const isOn = (name: string) => button(name).getAttribute('aria-pressed') === 'true';
  return { ...fake, ...kept, services, button, press, isOn };
}

it.each([
  ['area', 'GET /missions/area/:mission', 'Fetching area error - You do not have the rights for this.'],
  ['path', 'GET /sensors/path/:mission/:sensor', 'Error getting path - You do not have the rights for this.'],
  [
    'heatmap',
    'GET /sensors/framecenterpoints/:mission/:sensor',
    'Fetching heatmap error - You do not have the rights for this.',
  ],
])('says why the %s cannot be shown, and switches it off again', async (overlay, call, text) => {
  const { press, isOn, dataOf } = open({ [call]: refusing('forbidden') });

  await press(overlay);

  expect(await screen.findByText(text)).toBeDefined();
  expect(isOn(overlay)).toBe(false);
  expect(dataOf(overlay)).toMatchObject({ features: [] });
});

it('asks for no path while no sensor leads, and says so', async () => {
  const { press, isOn } = open({}, false);

  await press('path');

  expect(await screen.findByText('Master sensor is not selected')).toBeDefined();
  expect(isOn('path')).toBe(false);
});

it('draws the path of the sensor that leads, in the colour of the platform, until another leads', async () => {
  const line = {
    type: 'Feature',
    properties: { mission: newId(), sensor: newId() },
    geometry: { type: 'MultiLineString', coordinates: [] },
  };
  const { press, isOn, dataOf, paintOf, services } = open({ 'GET /sensors/path/:mission/:sensor': () => line });

  await press('path');
  await waitFor(() => expect(dataOf('path')).toEqual(line));
  expect(isOn('path')).toBe(true);
  expect(paintOf('path')['line-color']).toMatch(/^#[0-9a-f]{6}$/);
  await act(async () => services.clock.lead(newId()));

  expect(isOn('path')).toBe(false);
  expect(dataOf('path')).toMatchObject({ features: [] });
});

it('draws the heat map below area and path, which have their buttons after it', () => {
  const { layerIds } = open({});

  expect(layerIds()).toEqual(['heatmap', 'area', 'area-edge', 'path']);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['heatmap', 'area', 'path']);
});
