// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { Suspense, use, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { useAddressed } from '../missionview/useAddressed.ts';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { missionRow, sensorRow } from '../testing/view-services.ts';
import { useOpenMission } from './useOpenMission.ts';

afterEach(cleanup);

const [EO, IR] = ['00000000-0000-4000-8000-0000000000e0', '00000000-0000-4000-8000-0000000000f1'];
const sensors = [
  sensorRow({ _id: EO, name: 'EO', hlsProps: null }),
  sensorRow({ _id: IR, name: 'IR', hlsProps: null }),
];
const mission = missionRow(sensors);

type Opened = ReturnType<typeof useOpenMission>;

/** Goes on when all that came of it is drawn. */
const set = (change: () => unknown) => act(async () => void change());

/** `drawn`: with another time a part of the page is drawn only once this is there. */
function open(query = '', drawn: Promise<void> | null = null) {
  const clock = createMissionClock({ startUs: 0, endUs: 3.6e9, now: () => 0, onNextPaint: () => () => undefined });
  const seen = { current: null as Opened | null, navigate(_by: number) {}, redraw() {} };
  function View({ address }: Pick<Opened, 'address'>) {
    useAddressed(clock, address, sensors);
    return null;
  }
  function Slow() {
    const { search } = useLocation();
    if (drawn && search.includes('t=')) use(drawn);
    return null;
  }
  function Page() {
    const current = useOpenMission();
    const navigate = useNavigate();
    const { search } = useLocation();
    const [, draw] = useState(0);
    useEffect(() => {
      seen.current = current;
      seen.redraw = () => draw((times) => times + 1);
      seen.navigate = (by) => void navigate(by);
    });
    return (
      <>
        <output>{search}</output>
        <Suspense>
          <Slow />
        </Suspense>
        {current.mission && <View address={current.address} />}
      </>
    );
  }
  const { api } = fakeApi({ 'GET /missions/:mission': () => mission, 'GET /sensors': () => sensors });
  show(<Page />, { api, at: `/missions?mission=${mission._id}${query}` });
  const address = () => new URLSearchParams(screen.getByRole('status').textContent ?? '');
  return {
    clock,
    seen,
    address,
    change: (fields: Parameters<Opened['address']['onChoice']>[0]) => set(() => seen.current?.address.onChoice(fields)),
    link: () => Object.fromEntries(new URL(seen.current?.link() ?? '').searchParams),
    ready: () => vi.waitFor(() => expect(seen.current?.address.timeNow.current).not.toBeNull()),
  };
}

it('writes the leader into the address once it is chosen, in place of the earlier one', async () => {
  const { clock, address, seen, ready } = open();
  await ready();
  expect(address().get('sensor')).toBeNull();

  await set(() => clock.lead(IR));
  expect(address().get('sensor')).toBe(IR);
  await set(() => clock.lead(EO));
  expect(address().get('sensor')).toBe(EO);

  expect(seen.current?.address.visit.sensorId).toBeNull();
});

it('keeps what comes in one go: leader, sensors on screen, KLV health and time', async () => {
  const { clock, address, seen, change, ready } = open();
  await ready();

  await set(() => {
    clock.lead(IR);
    seen.current?.address.onTimeChange(21_000_000);
    seen.current?.address.onChoice({ shownIds: [IR] });
  });
  expect(Object.fromEntries(address())).toMatchObject({ sensor: IR, sensors: IR, t: '1970-01-01T00:00:21.000Z' });
  await change({ healthOf: EO });
  expect(address().get('health')).toBe(EO);
  await change({ healthOf: null, shownIds: null });

  expect([...address().keys()].toSorted()).toEqual(['mission', 'sensor', 't']);
});

it('keeps what is not drawn yet although the page is drawn for another reason meanwhile', async () => {
  let reportDrawn = () => {};
  const drawn = new Promise<void>((resolve) => {
    reportDrawn = resolve;
  });
  const { clock, address, seen, ready } = open('', drawn);
  await ready();

  await act(async () => seen.current?.address.onTimeChange(21_000_000));
  await act(async () => {
    flushSync(seen.redraw);
    clock.lead(IR);
  });
  expect([...address().keys()]).toEqual(['mission']);
  await act(async () => reportDrawn());

  expect(Object.fromEntries(address())).toMatchObject({ sensor: IR, t: '1970-01-01T00:00:21.000Z' });
});

it('shares what is seen at this very second, and restores it', async () => {
  const first = open();
  await first.ready();
  await set(() => {
    first.clock.lead(IR);
    first.clock.seek(21_500_000);
  });
  await first.change({ shownIds: [EO, IR], healthOf: EO });
  const link = first.link();
  expect(link).toEqual({
    mission: mission._id,
    sensor: IR,
    sensors: `${EO},${IR}`,
    health: EO,
    t: '1970-01-01T00:00:21.500Z',
  });
  cleanup();

  const { mission: _mission, ...view } = link;
  const second = open(`&${new URLSearchParams(view)}`);
  await second.ready();

  expect(second.seen.current?.address).toMatchObject({
    visit: { sensorId: IR, timeUs: 21_500_000 },
    choice: { sensorId: IR, shownIds: [EO, IR], healthOf: EO },
  });
});

it('lets another sensor lead when its row is opened, and the one before when one goes back', async () => {
  const { clock, seen, ready } = open(`&sensor=${EO}`);
  await ready();
  await set(() => clock.lead(EO));

  await set(() => seen.current?.open(mission, sensors[1]!));
  expect(clock.get().leader).toBe(IR);
  await set(() => seen.navigate(-1));

  expect(clock.get().leader).toBe(EO);
});

it('keeps the second when another sensor of the mission is opened, and goes back to the second before', async () => {
  const { clock, address, seen, ready } = open();
  await ready();
  await set(() => clock.seek(20_000_000));
  await set(() => seen.current?.address.onTimeChange(20_000_000));

  await set(() => seen.current?.open(mission, sensors[1]!));
  expect(address().get('t')).toBe('1970-01-01T00:00:20.000Z');
  await set(() => clock.seek(50_000_000));
  await set(() => seen.current?.address.onTimeChange(50_000_000));
  await set(() => seen.navigate(-1));
  expect([clock.timeUs(), clock.get().leader]).toEqual([20_000_000, EO]);
  await set(() => seen.navigate(1));

  expect([clock.timeUs(), clock.get().leader]).toEqual([50_000_000, IR]);
});
