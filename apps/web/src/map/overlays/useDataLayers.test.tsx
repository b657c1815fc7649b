// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { PartsContext } from '../../onscreen/parts.ts';
import { viewParts } from '../../onscreen/test-parts.ts';
import { type Answers, fakeApi, missionOf, newId, refusing } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { DATA_LAYERS } from './data-layer-names.ts';
import { useDataLayers } from './useDataLayers.ts';

afterEach(cleanup);

/** The buttons of the three layers, on a mission whose first sensor leads. */
function open(answers: Answers, leads = true) {
  const mission = missionOf();
  const switchOff = vi.fn();
  const setData = vi.fn();
  const parts = viewParts();
  const leader = leads ? newId() : null;
  parts.clock.get = () => ({ playing: false, settling: false, speed: 1, leader, startUs: 0, endUs: 1 });
  function Buttons() {
    const { turnOn } = useDataLayers(setData, mission, switchOff);
    return DATA_LAYERS.map((layer) => (
      <button type="button" key={layer} onClick={() => void turnOn(layer)}>
        {layer}
      </button>
    ));
  }
  show(
    <PartsContext value={parts}>
      <Buttons />
    </PartsContext>,
    { api: fakeApi(answers).api },
  );
  const press = (name: string) => act(() => screen.getByRole('button', { name }).click());
  return { press, switchOff, setData };
}

it.each([
  ['area', 'GET /missions/area/:mission', 'Fetching area error - You do not have the rights for this.'],
  ['path', 'GET /sensors/path/:mission/:sensor', 'Error getting path - You do not have the rights for this.'],
  [
    'heatmap',
    'GET /sensors/framecenterpoints/:mission/:sensor',
    'Fetching heatmap error - You do not have the rights for this.',
  ],
])('says why the %s cannot be shown, and switches it off again', async (layer, call, text) => {
  const { press, switchOff, setData } = open({ [call]: refusing('forbidden') });

  press(layer);

  expect(await screen.findByText(text)).toBeDefined();
  expect(switchOff).toHaveBeenCalledWith(layer);
  expect(setData).not.toHaveBeenCalled();
});

it('asks for no path while no sensor leads, and says so', async () => {
  const { press, switchOff } = open({}, false);

  press('path');

  expect(await screen.findByText('Master sensor is not selected')).toBeDefined();
  expect(switchOff).toHaveBeenCalledWith('path');
});
