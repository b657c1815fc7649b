// @vitest-environment jsdom
import { actions } from '@osprey/contract';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { actionText } from '../activity/sentences.ts';
import type { OpenLive, OpenMission, OpenView } from '../missionview/feature.ts';
import { offeredIn } from '../missionview/feature-commands.ts';
import { keyList, type ViewKind } from '../missionview/key-list.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { RecordingContext } from '../platforms/control/recording.ts';
import { fakeApi, missionOf } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { show } from '../testing/show.tsx';
import { sensorRow, viewServices } from '../testing/view-services.ts';
import { activityTexts, keyLines, loadViewFeatures, viewFeatures, viewTabs } from './view-features.ts';

beforeAll(loadViewFeatures);
afterEach(cleanup);

const nothing = () => undefined;
const sensor = sensorRow();
const mission = missionOf({ name: 'Kea', sensors: [sensor] });
const common = { calm: false, mission, marked: mission, moment: () => null, onOrdered: nothing };
const recorded: OpenMission = {
  ...{ ...common, view: 'mission', sensors: [sensor] },
  address: { choice: { sensorId: null, shownIds: null, healthOf: null }, onChoice: nothing },
};
const streamSensor = liveSensorOf({ name: 'EO' });
const live: OpenLive = {
  ...{ ...common, view: 'live', sensors: [streamSensor], watched: [streamSensor._id], record: nothing },
  stream: { platform: livePlatformOf({ name: 'KEA', sensors: [streamSensor] }), sensor: streamSensor },
};

/** Names of the commands that each feature has in a view. */
function commandsIn(view: OpenView): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  function Features() {
    for (const { id, useInView } of viewFeatures()) found[id] = Object.keys(useInView?.(view).commands ?? {});
    return null;
  }
  const recording = {
    press: nothing,
    recordNow: nothing,
    tryAgain: nothing,
    describe: nothing,
    busyIds: new Set<string>(),
  };
  const none = () => [];
  const { api } = fakeApi({
    'GET /bookmarks': none,
    'GET /snapshots': none,
    'GET /clips': none,
    'GET /usergroups': none,
  });
  show(
    <ViewServicesContext value={viewServices()}>
      <RecordingContext value={recording}>
        <Features />
      </RecordingContext>
    </ViewServicesContext>,
    { api },
  );
  return found;
}

it('offers the same keys and commands in the mission view and in Live, but what names its only view', () => {
  const keysIn = (view: ViewKind) => Object.fromEntries(offeredIn(view, viewFeatures()).keys);
  const { 'Shift R': record, ...keysOfBoth } = keysIn('live');
  expect(record).toBe('recordNow');
  expect(keysOfBoth).toEqual(keysIn('mission'));

  const { recording, ...commandsOfBoth } = commandsIn(live);
  expect(recording).toEqual(['recordNow']);
  const { recording: ofMission, ...commandsOfMission } = commandsIn(recorded);
  expect(ofMission).toEqual([]);
  expect(commandsOfBoth).toEqual(commandsOfMission);
});

it('has a command behind each key and each line of the menu, in the feature that offers it', () => {
  for (const view of [recorded, live]) {
    const commands = commandsIn(view);
    for (const feature of viewFeatures()) {
      const { keys, menu } = offeredIn(view.view, [feature]);
      for (const command of [...keys.values(), ...menu.map((line) => line.command)]) {
        expect(commands[feature.id]).toContain(command);
      }
    }
  }
});

it('gives each key to one feature, and lists it', () => {
  const keys = keyLines().flatMap((line) => Object.keys(line.keys));
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const texts = (view: ViewKind) => keyList(view, keyLines()).map(({ text }) => text);
  expect(texts('mission').slice(16, -5)).toEqual([
    'Bookmark this moment',
    'Bookmark without a dialog',
    'Snapshot of this picture',
    'Snapshot without a dialog',
    'Previous or next pin',
    'Set In or Out',
    'Export from In to Out',
    'Clip from In to Out into a case',
  ]);
  expect(texts('live').slice(12, -2)).toEqual([
    'Bookmark this moment',
    'Bookmark without a dialog',
    'Snapshot of this picture',
    'Snapshot without a dialog',
    'Previous or next pin',
    'Set In or Out',
    'Export from In to Out',
    'Clip from In to Out into a case',
    'Record the leading platform now',
  ]);
});

it('has words for every action that is decided about', () => {
  expect(actions.length).toBeGreaterThan(50);
  expect(actions.filter((action) => actionText(action, activityTexts()) === action)).toEqual([]);
});

it('keeps the order of tabs, whose numbers browsers have stored', () => {
  expect(viewTabs.map(({ id }) => id)).toEqual(['annotations', 'bookmarks', 'clips', 'ais']);
});
