import { expect, it } from 'vitest';
import type { Orders, PlatformOrder, Recording } from '../../recorder-wire/protocol.ts';
import type { LiveStream } from '../components.ts';
import { recordedSensorOf, recordingOf } from './new-recording.ts';
import { createRules, type RulesDeps } from './rules.ts';

const MONDAY_NOON_US = Date.UTC(2026, 5, 1, 12, 0, 0) * 1000;

/** Rules over one platform of two sensors, with a clock that the test moves. */
function world(record: Partial<PlatformOrder['record']>, startUs = MONDAY_NOON_US) {
  let atMs = 0;
  let hasRoom = true;
  let others = 0;
  const online = new Set<string>();
  const sensors = ['EO', 'IR'].map((name) => ({
    sensorId: crypto.randomUUID(),
    name,
    type: 'video' as const,
    url: 'udp://127.0.0.1:5000',
    secret: null,
    senders: [],
    on: true,
  }));
  const platform: PlatformOrder = {
    platformId: crypto.randomUUID(),
    name: 'OSP-1',
    description: '',
    type: 'Plane',
    color: '#004dcf',
    classification: 3,
    marked: true,
    audience: 'groups',
    usergroups: [crypto.randomUUID()],
    priority: 4,
    record: { onPresence: false, schedule: [], preRollSeconds: 0, ...record },
    sensors,
  };
  const streamOf = (sensorId: string): LiveStream => ({
    sensorId,
    order: () => sensors.find((one) => one.sensorId === sensorId)!,
    platform: () => platform,
    isOnline: () => online.has(sensorId),
    facts: () => null,
    listen: () => () => {},
    keep: () => () => {},
  });
  const nowUs = () => startUs + atMs * 1000;
  const recordings: Recording[] = [];
  const running = (platformId = platform.platformId) =>
    recordings.find((one) => one.state === 'recording' && one.platform.platformId === platformId) ?? null;
  const replace = (old: Recording, next: Recording) => recordings.splice(recordings.indexOf(old), 1, next);
  const holds = new Set<string>();
  const deps: RulesDeps = {
    streams: { find: streamOf },
    running,
    hasRoom: () => hasRoom,
    count: () => others + recordings.filter(({ state }) => state === 'recording').length,
    begin: (order, cause, streams) => recordings.push(recordingOf(order, { cause, streams, nowUs: nowUs() })),
    add: (old, streams) => replace(old, { ...old, sensors: [...old.sensors, ...streams.map(recordedSensorOf)] }),
    end: (old, stopReason) => replace(old, { ...old, state: 'stopped', endedUs: nowUs(), stopReason }),
    holds,
    nowUs,
    nowMs: () => atMs,
  };
  let rules = createRules(deps);
  rules.ordered({ platforms: [platform] });
  return {
    platform,
    ordered: (orders: Orders) => rules.ordered(orders),
    recordings,
    running,
    see: (...names: string[]) => {
      online.clear();
      for (const { name, sensorId } of sensors) if (names.includes(name)) online.add(sensorId);
    },
    /** Number of other platforms that are being recorded. */
    beside: (count: number) => {
      others = count;
    },
    noRoom: () => {
      hasRoom = false;
    },
    /** A user stops the running recording. */
    stop: () => {
      replace(running()!, { ...running()!, state: 'stopped' });
      holds.add(platform.platformId);
    },
    /** The recorder ends and starts again; what runs and what is held are kept. */
    restart: () => {
      rules = createRules(deps);
      rules.resumed(platform.platformId);
      rules.ordered({ platforms: [platform] });
    },
    manual: () =>
      recordings.push({ ...recordingOf(platform, { cause: 'presence', streams: [], nowUs: 0 }), cause: 'manual' }),
    pass(seconds: number) {
      for (const end = atMs + seconds * 1000; atMs < end; ) {
        atMs += 500;
        rules.tick();
      }
    },
  };
}

const names = (recording: Recording | null | undefined) => recording?.sensors.map(({ name }) => name);

it('records on presence from the first picture until 60 s after the last, under a name of its own', () => {
  const { platform, recordings, see, pass } = world({ onPresence: true });
  pass(10);
  expect(recordings).toEqual([]);
  see('EO');
  pass(1);

  expect(recordings[0]).toMatchObject({
    missionName: 'OSP-1-20260601-120010',
    cause: 'presence',
    state: 'recording',
    classification: 3,
    audience: 'groups',
    usergroups: platform.usergroups,
    priority: 4,
  });
  see('EO', 'IR');
  pass(5);
  expect(names(recordings[0])).toEqual(['EO', 'IR']);
  see();
  pass(59);
  expect(recordings[0]!.state).toBe('recording');
  pass(2);

  expect(recordings[0]).toMatchObject({ state: 'stopped', stopReason: 'stream ended' });
  see('EO');
  pass(1);
  expect(recordings).toHaveLength(2);
});

it('goes on with the same recording when the stream was away for less', () => {
  const { recordings, see, pass } = world({ onPresence: true });
  see('EO');
  pass(5);
  see();
  pass(55);
  see('EO');
  pass(120);

  expect(recordings).toHaveLength(1);
  expect(recordings[0]!.state).toBe('recording');
});

it('goes on over a restart of the recorder, also when the stream comes later, and ends 60 s after it', () => {
  const { recordings, see, pass, restart } = world({ onPresence: true });
  see('EO');
  pass(5);
  see();
  restart();
  pass(59);
  see('EO');
  pass(5);
  expect(recordings).toHaveLength(1);
  expect(recordings[0]!.state).toBe('recording');
  see();
  restart();
  pass(61);

  expect(recordings).toHaveLength(1);
  expect(recordings[0]).toMatchObject({ state: 'stopped', stopReason: 'stream ended' });
});

it('records by the clock, from the first picture within the hours to their end', () => {
  const start = Date.UTC(2026, 5, 1, 5, 59, 0) * 1000;
  const { recordings, see, pass } = world({ schedule: ['Mon-Fri 06:00-06:10'] }, start);
  see('EO');
  pass(59);
  expect(recordings).toEqual([]);
  pass(2);
  expect(recordings[0]).toMatchObject({ cause: 'schedule', missionName: 'OSP-1-20260601-060000' });
  see();
  pass(300);
  see('EO');
  pass(200);
  expect(recordings).toHaveLength(1);
  expect(recordings[0]!.state).toBe('recording');
  pass(100);

  expect(recordings).toHaveLength(1);
  expect(recordings[0]).toMatchObject({ state: 'stopped', stopReason: 'schedule' });
});

it('does not begin by the clock without a picture', () => {
  const { recordings, pass } = world({ schedule: ['Mon 00:00-24:00'] });
  pass(60);

  expect(recordings).toEqual([]);
});

it('does not begin again after a user stopped it, until its reason has passed', () => {
  const { recordings, see, pass, stop } = world({ onPresence: true });
  see('EO');
  pass(5);
  stop();
  pass(120);
  expect(recordings).toHaveLength(1);
  see();
  pass(61);
  see('EO');
  pass(1);

  expect(recordings).toHaveLength(2);
});

it('does not begin again after a user stopped it before a restart, until its reason has passed', () => {
  const { recordings, see, pass, stop, restart } = world({ onPresence: true });
  see('EO');
  pass(5);
  stop();
  see();
  restart();
  pass(30);
  see('EO');
  pass(60);
  expect(recordings).toHaveLength(1);
  see();
  pass(61);
  see('EO');
  pass(1);

  expect(recordings).toHaveLength(2);
});

it('leaves a recording alone that a user began', () => {
  const { recordings, see, pass, manual } = world({ onPresence: true });
  manual();
  see('EO');
  pass(30);
  see();
  pass(120);

  expect(recordings).toHaveLength(1);
  expect(recordings[0]).toMatchObject({ cause: 'manual', state: 'recording', sensors: [] });
});

it('begins nothing without room', () => {
  const { recordings, see, pass, noRoom } = world({ onPresence: true });
  noRoom();
  see('EO');
  pass(10);

  expect(recordings).toEqual([]);
});

it('begins no more than the orders allow at once, and first what matters most', () => {
  const { platform, ordered, recordings, see, pass, beside } = world({ onPresence: true });
  const lesser = { ...platform, platformId: crypto.randomUUID(), name: 'OSP-2', priority: 5 };
  ordered({ platforms: [lesser, platform], recordingsMax: 2 });
  see('EO');
  beside(2);
  pass(5);
  expect(recordings).toEqual([]);
  beside(1);
  pass(5);
  expect(recordings.map((one) => one.platform.name)).toEqual(['OSP-1']);
  beside(0);
  pass(1);

  expect(recordings.map((one) => one.platform.name)).toEqual(['OSP-1', 'OSP-2']);
});
