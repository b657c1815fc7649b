// @vitest-environment jsdom
import {
  type AisReports,
  type Bookmark,
  type Clip,
  type LivePlatform,
  type Role,
  revokedEvent,
  stationOf,
} from '@osprey/contract';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useContext, useEffect, useRef } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { useViewKeys } from '../missionview/useViewKeys.ts';
import { ViewActions } from '../missionview/ViewActions.tsx';
import { emptyFrame } from '../onscreen/frames.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { PictureGuestContext } from '../player/picture/guest.ts';
import { bookmarkOf } from '../testing/bookmarks.ts';
import { clipOf } from '../testing/clips.ts';
import { type Answers, fakeApi, missionOf, newId } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, show as draw, info } from '../testing/show.tsx';
import { still } from '../testing/timeline.tsx';
import { viewServices } from '../testing/view-services.ts';
import { LiveHost } from './LiveHost.tsx';
import { loadViewFeatures } from './view-features.ts';

beforeAll(loadViewFeatures);
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const UNRECORDED = 'Record this stream to add marks.';
const missionId = newId();
const missionSensor = newId();

function platformWith({ recorded }: { recorded: boolean }): LivePlatform {
  const recording = recorded ? { live: true, mission: missionId, missionSensor } : {};
  const sensor = liveSensorOf({ name: 'EO', ...recording });
  return livePlatformOf({
    name: 'KEA',
    sensors: [sensor],
    audience: 'everyone',
    ...(recorded && { live: true, mission: missionId }),
  });
}

function show({
  recorded,
  role = 'admin',
  bookmarks = [],
  answers = {},
}: {
  recorded: boolean;
  role?: Role;
  bookmarks?: Bookmark[];
  answers?: Answers;
}) {
  const platform = platformWith({ recorded });
  const liveId = platform.sensors[0]!._id;
  const services = viewServices();
  services.clock.join({ ...still, id: liveId });
  const fake = fakeApi({
    'GET /bookmarks': () => bookmarks,
    'GET /snapshots': () => [],
    'GET /missions/:mission': () =>
      missionOf({
        ...{ _id: missionId, name: 'KEA-1', state: 'Running', startTime: 0, endTime: null },
        ...{ audience: 'everyone' },
      }),
    'GET /usergroups': () => [],
    'POST /platforms/control': () => ({
      ...{ message: 'Mission KEA-2 added.', warning: null },
      mission: { _id: missionId, name: 'KEA-2' },
    }),
    'POST /bookmarks': ({ body }) => {
      const { title, startTime } = body as unknown as Bookmark;
      return { ...bookmarkOf({ missionId, title, time: startTime }), message: `Bookmark ${title} added.` };
    },
    ...answers,
  });
  function View() {
    const nothing = () => undefined;
    useViewKeys({
      ...{ clock: services.clock, lead: nothing, fullScreen: nothing, showKeys: nothing, noMaster: nothing },
      ...{
        panels: { map: true, telemetry: true },
        changePanels: nothing,
        features: useContext(FeatureCommandsContext),
      },
    });
    return <ViewActions phone={false} />;
  }
  const selection = { sensorIds: new Set<string>() } as never;
  draw(
    <ViewServicesContext value={services}>
      <LiveHost platforms={[platform]} selection={selection}>
        <View />
      </LiveHost>
    </ViewServicesContext>,
    { api: fake.api, session: { actor: { ...admin, role } } },
  );
  act(() => {
    services.clock.seek(100_000_000);
    services.frames.publish(emptyFrame(liveId, 100_000_000));
  });
  return { ...fake, services, liveId };
}

it('B in a live stream marks the running mission at the frame on screen, also when it is wound back', async () => {
  const { inputsOf } = show({ recorded: true, role: 'user' });

  await userEvent.keyboard('b');
  await screen.findByRole('dialog', { name: /Create Bookmark/ });
  await userEvent.keyboard('Small craft{Enter}');

  expect(await screen.findByText('Bookmark Small craft added.')).toBeTruthy();
  expect(inputsOf('POST /bookmarks')).toMatchObject([
    { body: { missionIdOrName: missionId, sensorIdOrName: missionSensor, startTime: 100_000_000, position: 0 } },
  ]);
});

it('goes to the pins of the running mission by brackets, as far as it can be wound back, and says where there is none', async () => {
  const times = [-50_000_000, 50_000_000, 99_000_000];
  const { services } = show({ recorded: true, bookmarks: times.map((time) => bookmarkOf({ missionId, time })) });
  const { startUs, endUs } = services.clock.get();
  expect(startUs <= 50_000_000 && endUs >= 99_000_000).toBe(true);
  await screen.findByRole('button', { name: 'Bookmarks' });

  await waitFor(async () => {
    await userEvent.keyboard('[[');
    expect(services.clock.timeUs()).toBe(50_000_000);
  });
  await userEvent.keyboard('[[');
  expect(await screen.findByText('There is no bookmark before this moment.')).toBeTruthy();
  expect(services.clock.timeUs()).toBe(50_000_000);
});

it('where nothing is recorded, marks are not offered, and their keys say why, with a button to record for those who may', async () => {
  const { inputsOf } = show({ recorded: false });
  for (const name of ['Create Bookmark', 'Set In here', 'Set Out here', 'Export clip']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }

  await userEvent.keyboard('{Shift>}B{/Shift}');
  expect(await screen.findByText(UNRECORDED)).toBeTruthy();
  expect(inputsOf('POST /bookmarks')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Record this stream to add marks' }));

  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('KEA'));
});

const plan = {
  ...{ fileName: 'osprey_UNCLASSIFIED_KEA_EO.ts', sizeBytes: 45_000_000, durationSeconds: 598 },
  ...{ startTime: 100_000_000, endTime: 698_000_000, refusal: null as string | null },
};

/** Addresses of downloads that the page began. */
function downloads(): string[] {
  const begun: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    begun.push(this.getAttribute('href') ?? '');
  });
  return begun;
}

it('E and its button save what is kept of a stream that is not recorded, and say how long that is', async () => {
  const begun = downloads();
  const { liveId } = show({ recorded: false, role: 'user', answers: { 'GET /live/:sensor/exportPlan': () => plan } });

  await userEvent.keyboard('e');
  expect(await screen.findByText(/^Exporting the last 10 min of KEA EO, 45/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Export what is kept of this stream' }));

  await waitFor(() => expect(begun).toEqual([`/api/live/${liveId}/export`, `/api/live/${liveId}/export`]));
});

it('says why what is kept cannot be exported, and does not offer it to guests', async () => {
  const begun = downloads();
  const refusal = 'Nothing that sensor EO sent is kept any more.';
  show({ recorded: false, answers: { 'GET /live/:sensor/exportPlan': () => ({ ...plan, refusal }) } });

  await userEvent.keyboard('e');
  expect(await screen.findByText(`This stream cannot be exported: ${refusal}`)).toBeTruthy();
  cleanup();

  show({ recorded: false, role: 'guest' });
  expect(screen.queryByRole('button', { name: /^Export/ })).toBeNull();
  await userEvent.keyboard('e');
  expect(await screen.findByText('Guest users do not have permission to download the video.')).toBeTruthy();
  expect(begun).toEqual([]);
});

it('I, O and E of a stream that is recorded export the span of the running mission, cut at what is on the disk', async () => {
  const begun = downloads();
  const cut = {
    ...{ fileName: 'osprey_UNCLASSIFIED_KEA-1_EO', sizeBytes: 9_000_000, files: 1, converted: false, gapSeconds: 3 },
    ...{ startTime: 90_000_000, endTime: 107_000_000, video: 'h264', sound: [] },
  };
  const { services, inputsOf } = show({
    recorded: true,
    role: 'user',
    answers: {
      'GET /sensors/clipPlan/:mission/:sensor': () => cut,
      'GET /clips': () => [],
      'POST /clips': ({ body }) => ({
        ...clipOf({ missionId }),
        ...(body as unknown as Partial<Clip>),
        message: 'Clip Small craft saved.',
      }),
    },
  });
  await screen.findByRole('button', { name: 'Export clip' });
  await waitFor(() => expect(inputsOf('GET /missions/:mission')).toHaveLength(1));

  await userEvent.keyboard('i');
  act(() => {
    services.clock.seek(110_000_000);
    services.frames.publish(emptyFrame(services.clock.get().leader!, 110_000_000));
  });
  await userEvent.keyboard('o');
  await userEvent.keyboard('e');

  const dialog = within(await screen.findByRole('dialog', { name: /Export clip/ }));
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'In' }).value).toBe('00:01:40.000');
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Out' }).value).toBe('00:01:50.000');
  expect(await dialog.findByText('Ends at 00:01:47.000: what came after it is not on the disk yet.')).toBeTruthy();
  expect(dialog.queryByText(/Nothing was recorded/)).toBeNull();
  await userEvent.click(dialog.getByRole('checkbox', { name: /^Keep it as a clip/ }));
  const title = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Title' });
  expect(title.value).toBe('KEA-1 00:01:40');
  await userEvent.clear(title);
  await userEvent.type(title, 'Small craft');
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }));

  await waitFor(() => expect(begun).toHaveLength(1));
  expect(begun[0]).toContain(`/api/sensors/exportVideo/${missionId}/${missionSensor}?markIn=1970-01-01T00%3A01%3A40`);
  expect(inputsOf('POST /clips')).toMatchObject([
    { body: { missionIdOrName: missionId, sensors: [missionSensor], title: 'Small craft' } },
  ]);
});

it('Shift+R records the platform that leads at once, and never stops what is recorded', async () => {
  const { inputsOf } = show({ recorded: false });
  expect(screen.getByRole('button', { name: 'Record now: the leading platform (Shift+R)' })).toBeTruthy();

  await userEvent.keyboard('{Shift>}R{/Shift}');

  expect(await screen.findByText('Recording KEA: mission KEA-2.')).toBeTruthy();
  expect(inputsOf('POST /platforms/control')).toMatchObject([
    { query: { command: 'start' }, body: { platformName: 'KEA', sensors: [], record: true } },
  ]);
  cleanup();

  const recorded = show({ recorded: true });
  expect(screen.queryByRole('button', { name: /Shift\+R/ })).toBeNull();
  await userEvent.keyboard('{Shift>}R{/Shift}');
  expect(await screen.findByText('KEA EO is being recorded already.')).toBeTruthy();
  expect(recorded.inputsOf('POST /platforms/control')).toEqual([]);
});

it('Shift+R explains to those who may not control the platform that they may not', async () => {
  const { inputsOf } = show({ recorded: false, role: 'user' });
  expect(screen.queryByRole('button', { name: /Shift\+R/ })).toBeNull();

  await userEvent.keyboard('{Shift>}R{/Shift}');

  expect(await screen.findByText('You can watch this platform, but not control it.')).toBeTruthy();
  expect(inputsOf('POST /platforms/control')).toEqual([]);
});

it('offers no recording to who may not control the platform, and nothing at all to a guest', async () => {
  show({ recorded: false, role: 'user' });
  expect(screen.queryByRole('button', { name: 'Create Bookmark' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Record this stream to add marks' })).toBeNull();
  await userEvent.keyboard('i');
  expect(await screen.findByText('This stream is not recorded, so nothing of it can be marked.')).toBeTruthy();
  cleanup();

  show({ recorded: true, role: 'guest' });
  expect(screen.queryByRole('button', { name: 'Create Bookmark' })).toBeNull();
  await userEvent.keyboard('b');
  expect(await screen.findByText('Guest users cannot add bookmarks. Please log in with an account.')).toBeTruthy();
});

const [LON, LAT, HALF] = [24.3, 37.6, 0.005];
/** A ship in the middle of the picture, heard in the second of the frame. */
const reports: AisReports = {
  ships: [
    {
      ...{ ...stationOf(248_113_000), name: 'POLARIS BAY', shipType: 70 },
      dimensions: { toBow: 60, toStern: 60, toPort: 10, toStarboard: 10 },
      reports: [[100_000_000, LAT, LON, 12.5, 90, 90, 0, 1]],
    },
  ],
  ...{ cut: false, heard: true, securityClassification: 'UNCLASSIFIED' },
};

/** A player of 1000 by 500 px, as far as a guest of its picture knows it. */
function Picture({ sensorId, frames }: { sensorId: string; frames: ReturnType<typeof viewServices>['frames'] }) {
  const guest = useContext(PictureGuestContext);
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (guest === null || svg.current === null) return;
    const rect = () => ({ left: 0, top: 0, width: 1000, height: 500 });
    const { draw: drawFrame, stop } = guest.start({ svg: svg.current, sensorId, rect });
    const leave = frames.subscribe((frame) => frame.sensorId === sensorId && drawFrame(frame));
    return () => {
      leave();
      stop();
    };
  }, [guest, frames, sensorId]);
  return <svg ref={svg} />;
}

function showShips({ useAis = true, role = 'guest' as Role } = {}) {
  const platform = platformWith({ recorded: false });
  const sensorId = platform.sensors[0]!._id;
  const services = viewServices();
  services.clock.join({ ...still, id: sensorId });
  let answer = reports;
  const fake = fakeApi({ 'GET /bookmarks': () => [], 'GET /aistargets/reports': () => answer });
  const page = draw(
    <ViewServicesContext value={services}>
      <LiveHost platforms={[platform]} selection={{ sensorIds: new Set<string>() } as never}>
        <ViewActions phone={false} />
        <Picture sensorId={sensorId} frames={services.frames} />
      </LiveHost>
    </ViewServicesContext>,
    { api: fake.api, session: { actor: { ...admin, role }, info: { ...info, useAis } } },
  );
  const corner = (east: number, north: number) => ({ lon: LON + east * HALF, lat: LAT + north * HALF });
  const corners = [corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)] as const;
  act(() => {
    services.frames.publish({
      ...emptyFrame(sensorId, 100_000_000),
      footprint: { corners: [...corners], centre: corner(0, 0), source: 'corners' },
    });
  });
  const hide = () => {
    answer = { ...reports, ships: [], heard: false };
  };
  return { ...fake, ...page, services, hide };
}

it('draws the ships of a live picture at their pixel with name and speed, and lists them, for guests too', async () => {
  const { inputsOf, services, container, bus, hide } = showShips();
  const drawn = () => container.querySelector('[data-mmsi="248113000"]');
  expect(await screen.findByRole('button', { name: 'Ships in frame' })).toBeTruthy();
  // Requests wait until the first picture has been shown.
  expect(inputsOf('GET /aistargets/reports')).toEqual([]);

  act(() => services.firstFrame.set(true));
  await waitFor(() => expect(drawn()?.textContent).toBe('POLARIS BAY 12.5 kn'));
  const box = drawn()!.querySelector('rect')!;
  const middle = (from: string, size: string) => Number(box.getAttribute(from)) + Number(box.getAttribute(size)) / 2;
  expect([middle('x', 'width'), middle('y', 'height')].map(Math.round)).toEqual([500, 250]);
  const [asked] = inputsOf('GET /aistargets/reports');
  expect(asked).toMatchObject({ query: { start: '60000000', end: '120000000' } });
  // A live stream has no mission: every receiver that may be heard counts.
  expect(asked).not.toHaveProperty('query.mission');

  await userEvent.click(screen.getByRole('button', { name: /Ships in frame/ }));
  const ship = await screen.findByRole('button', { name: /POLARIS BAY/ });
  expect(ship.textContent).toContain('12.5 kn');

  hide();
  act(() => bus.emit(revokedEvent.name, { noun: 'platforms', ids: [newId()] }));
  await waitFor(() => expect(drawn()).toBeNull());
  expect(await screen.findByText('No AIS data for this moment.')).toBeTruthy();
});

it('draws and lists no ships where the server has none', async () => {
  const { inputsOf, services } = showShips({ useAis: false, role: 'user' });
  act(() => services.firstFrame.set(true));
  await import('../ais/video/ships-on-video.ts');
  await import('../ais/video/ShipsInFrameAction.tsx');
  await act(async () => undefined);
  expect(screen.queryByRole('button', { name: 'Ships in frame' })).toBeNull();
  expect(inputsOf('GET /aistargets/reports')).toEqual([]);
});
