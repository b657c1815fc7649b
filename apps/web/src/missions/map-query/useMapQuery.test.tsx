// @vitest-environment jsdom
import type { MissionState, VideoList } from '@osprey/contract';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { MapQueryMenu } from '../../map/MapQueryMenu.tsx';
import { CONTROL_MODES } from '../../map/map-query.ts';
import type { Overlay } from '../../map/overlay.ts';
import { ViewServicesContext } from '../../onscreen/view-services.ts';
import { type Answers, fakeApi, missionOf, refusing } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { still, withLayout } from '../../testing/timeline.tsx';
import { sensorRow, timelineOf, viewServices } from '../../testing/view-services.ts';
import { smoothed } from '../../timeline/marks.ts';
import { Timeline } from '../../timeline/Timeline.tsx';
import { useMapQuery } from './useMapQuery.ts';

withLayout();
beforeEach(() => localStorage.clear());

type Drawn = (polygon: { type: 'Polygon'; coordinates: number[][][] }) => void;
/** Replaces the drawing on a map, which has tests of its own. */
const onMap = vi.hoisted(() => ({ drawn: null as Drawn | null, mode: '' }));
vi.mock('../../map/overlays/query-overlay.ts', () => ({
  queryOverlay(mode: string, drawn: Drawn): Overlay {
    Object.assign(onMap, { mode, drawn });
    return { id: 'map-query', switches: [], start: () => ({ show() {}, paint() {}, stop() {} }) };
  },
}));

const CALL = 'POST /sensors/videolist/:mission/:sensor';
const ring = [
  [10, 54],
  [11, 54],
  [11, 55],
  [10, 54],
];
const draw = () => act(async () => onMap.drawn?.({ type: 'Polygon', coordinates: [ring] }));
const choose = (name: string) => userEvent.click(screen.getByRole('menuitemradio', { name }));

type Opened = { leads?: boolean; state?: MissionState };

function open(answer: VideoList | ReturnType<typeof refusing>, { leads = true, state = 'Ready' }: Opened = {}) {
  const sensor = sensorRow({ name: 'EO', state });
  const mission = missionOf({ sensors: [sensor] });
  const services = viewServices();
  if (leads) services.clock.join({ ...still, id: sensor._id });
  const answers: Answers = { [CALL]: typeof answer === 'function' ? answer : () => answer };
  const fake = fakeApi(answers);
  function View() {
    const { control, hits } = useMapQuery(mission, [sensor]);
    const [anchor] = useState(document.body);
    return (
      <>
        <MapQueryMenu {...control} anchor={anchor} onClose={() => undefined} />
        <Timeline
          {...{ mission, compact: false, rows: true, ...(hits && { hits }) }}
          entries={[{ sensor, timeline: timelineOf(sensor), failed: false }]}
        />
      </>
    );
  }
  const shown = show(
    <ViewServicesContext value={services}>
      <View />
    </ViewServicesContext>,
    { api: fake.api },
  );
  return { ...shown, fake, services, sensor, mission };
}

it('queries the leading sensor for the area drawn, and plays from a bar of its chart', async () => {
  const { services } = open([
    { start: 0, avg: 1 },
    { start: 600e6, avg: 0.5 },
  ]);
  expect(onMap.drawn).toBeNull();
  await choose('Query Mission');
  await draw();

  const bar = await screen.findByRole('button', { name: '00:10:00 Z, 25 %', hidden: true });
  act(() => bar.click());
  expect(services.clock.timeUs()).toBe(600e6);

  act(() => screen.getByRole('button', { name: 'Close the query', hidden: true }).click());
  expect(screen.queryByRole('group', { name: 'EO in the area', hidden: true })).toBeNull();
});

it('says "No relevant video found." where the sensor never met the area', async () => {
  open([]);
  await choose('Query Mission');
  await draw();
  expect(await screen.findByText('No relevant video found.')).toBeTruthy();
});

it('says of a mission that is still recorded, where no sensor leads, when it can be queried', async () => {
  open([], { leads: false, state: 'Running' });
  await choose('Query Mission');
  await draw();
  expect(await screen.findByText(/^This mission is still being recorded/)).toBeTruthy();
});

it('asks for a mission where no sensor leads, and says with the data of the answer what failed', async () => {
  open([], { leads: false });
  await choose('Query Mission');
  await draw();
  expect(await screen.findByText('Please select mission to query.')).toBeTruthy();
  cleanup();

  open(refusing('invalid', { geometry: 'The area is larger than half the earth' }));
  await choose('Query Mission');
  await draw();
  const alert = await screen.findByRole('alertdialog');
  expect(alert.textContent).toContain('{"geometry":"The area is larger than half the earth"}');
});

it('asks to wait for the end of a recording', async () => {
  const { fake } = open([], { state: 'Running' });
  await choose('Query Mission');
  await draw();
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Query it when the recording has ended.');
  expect(fake.inputsOf(CALL)).toEqual([]);
});

it('filters the missions of the list by the area drawn, compared as chosen', async () => {
  const { place } = open([]);
  expect(CONTROL_MODES).toEqual({ none: 0, query: 1, filter: 2 });
  await choose('Frame centres');
  await choose('Filter Missions');
  expect(onMap.mode).toBe('rectangle');
  await choose('Polygon');
  expect(onMap.mode).toBe('polygon');
  await draw();
  const query = new URLSearchParams(place.current.split('?')[1]);
  expect(query.get('aoiMode')).toBe('frameCenter');
  expect(JSON.parse(query.get('geometry') ?? '')).toEqual({ type: 'Polygon', coordinates: [ring] });
});

it('smooths a share by half with its neighbours in time', () => {
  const bins = [
    { timeUs: 0, share: 1 },
    { timeUs: 3, share: 0.5 },
    { timeUs: 9, share: 1 },
  ];
  expect(smoothed({ bins, binUs: 3 }).map(({ share }) => share)).toEqual([0.625, 0.5, 0.5]);
});
