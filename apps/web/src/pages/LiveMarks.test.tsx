// @vitest-environment jsdom
import type { Bookmark, LivePlatform, Role } from '@osprey/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useContext } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MarkCommandsContext } from '../missionview/mark-commands.ts';
import { useViewKeys } from '../missionview/useViewKeys.ts';
import { emptyFrame } from '../onscreen/frames.ts';
import { PartsContext } from '../onscreen/parts.ts';
import { viewParts } from '../onscreen/test-parts.ts';
import { bookmarkOf } from '../testing/bookmarks.ts';
import { fakeApi, missionOf, newId } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, show as draw } from '../testing/show.tsx';
import { still } from '../timeline/test-timeline.tsx';
import { LiveMarkActions, LiveMarks } from './LiveMarks.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const UNRECORDED = 'Start recording to mark this stream.';
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

function show({ recorded, role = 'admin' }: { recorded: boolean; role?: Role }) {
  const platform = platformWith({ recorded });
  const liveId = platform.sensors[0]!._id;
  const parts = viewParts();
  parts.clock.join({ ...still, id: liveId });
  const kept: Bookmark[] = [];
  const fake = fakeApi({
    'GET /bookmarks': () => kept,
    'GET /missions/:mission': () => missionOf({ _id: missionId, name: 'KEA-1' }),
    'GET /usergroups': () => [],
    'POST /platforms/control': () => ({
      ...{ message: 'Mission KEA-2 added.', warning: null },
      mission: { _id: missionId, name: 'KEA-2' },
    }),
    'POST /bookmarks': ({ body }) => {
      const { title, startTime } = body as unknown as Bookmark;
      return { ...bookmarkOf({ missionId, title, time: startTime }), message: `Bookmark ${title} added.` };
    },
  });
  function View() {
    const nothing = () => undefined;
    useViewKeys({
      ...{ clock: parts.clock, lead: nothing, fullScreen: nothing, showKeys: nothing, noMaster: nothing },
      ...{ panels: { map: true, telemetry: true }, changePanels: nothing, mark: useContext(MarkCommandsContext) },
    });
    return <LiveMarkActions />;
  }
  const selection = { sensorIds: new Set<string>() } as never;
  draw(
    <PartsContext value={parts}>
      <LiveMarks platforms={[platform]} selection={selection}>
        <View />
      </LiveMarks>
    </PartsContext>,
    { api: fake.api, session: { actor: { ...admin, role } } },
  );
  act(() => {
    parts.clock.seek(100_000_000);
    parts.frames.publish(emptyFrame(liveId, 100_000_000));
  });
  return fake;
}

it('B in a live stream marks the running mission at the frame on screen, also behind live', async () => {
  const { inputsOf } = show({ recorded: true, role: 'user' });

  await userEvent.keyboard('b');
  await screen.findByRole('dialog', { name: /Create Bookmark/ });
  await userEvent.keyboard('Small craft{Enter}');

  expect(await screen.findByText('Bookmark Small craft added.')).toBeTruthy();
  expect(inputsOf('POST /bookmarks')).toMatchObject([
    { body: { missionIdOrName: missionId, sensorIdOrName: missionSensor, startTime: 100_000_000, position: 0 } },
  ]);
});

it('where nothing is recorded, marks are disabled and say why, with a button to record for those who may', async () => {
  const { inputsOf } = show({ recorded: false });
  for (const name of ['Create Bookmark', 'Set In here', 'Set Out here']) {
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  }

  await userEvent.keyboard('{Shift>}B{/Shift}');
  expect(await screen.findByText(UNRECORDED)).toBeTruthy();
  expect(inputsOf('POST /bookmarks')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Record, to mark this stream' }));

  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('KEA'));
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

it('Shift+R tells who may not control the platform so', async () => {
  const { inputsOf } = show({ recorded: false, role: 'user' });
  expect(screen.queryByRole('button', { name: /Shift\+R/ })).toBeNull();

  await userEvent.keyboard('{Shift>}R{/Shift}');

  expect(await screen.findByText('You can watch this platform, but not control it.')).toBeTruthy();
  expect(inputsOf('POST /platforms/control')).toEqual([]);
});

it('offers no recording to who may not control the platform, and nothing at all to a guest', async () => {
  show({ recorded: false, role: 'user' });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create Bookmark' }).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Record, to mark this stream' })).toBeNull();
  cleanup();

  show({ recorded: true, role: 'guest' });
  expect(screen.queryByRole('button', { name: 'Create Bookmark' })).toBeNull();
  await userEvent.keyboard('b');
  expect(await screen.findByText('Guest users cannot add bookmarks. Please log in with an account.')).toBeTruthy();
});
