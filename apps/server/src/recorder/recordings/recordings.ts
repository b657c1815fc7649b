import { folderStorage } from '../../base/storage/folder.ts';
import type { RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';
import type { LiveStream, RecorderDeps, RecordingPart, RingPart } from '../components.ts';
import { wallClockMoves } from '../wall-clock.ts';
import { JUMP_MS } from './clock-watch.ts';
import { createDiskFloor } from './disk-floor.ts';
import { createHolds } from './holds.ts';
import { createJournals } from './journals.ts';
import { recordedSensorOf, recordingOf } from './new-recording.ts';
import { mended, storedSegments } from './recover.ts';
import { createRules } from './rules.ts';
import { createRunningRecording, type RunningRecording } from './running-recording.ts';

const TICK_MS = 100;
const RULES_EVERY = 5;
const NOTIFY_EVERY = 10;

/**
 * Begins and ends recordings by command, by the presence of a platform and by schedule. Recordings continue after a
 * restart of the recorder.
 */
export function createRecordings(deps: RecorderDeps, ring: Pick<RingPart, 'history' | 'forget'> | null): RecordingPart {
  const { streams, storage, log, send, nowUs, nowMs } = deps;
  const own = folderStorage({ root: deps.folder });
  const journals = createJournals({ storage: own, log });
  const holds = createHolds({ storage: own, log });
  const all = new Map<string, RunningRecording>();
  /** Ids of missions whose recording is being ended automatically. */
  const ending = new Set<string>();
  const present = new Map<string, LiveStream>();
  const clockMoved = wallClockMoves({ nowUs, nowMs });
  let timer: NodeJS.Timeout | null = null;
  let ticks = 0;

  const disk = createDiskFloor({
    space: storage.space,
    running: () => running(),
    end: (recording) => endItself(recording, 'disk full'),
    failed: (error) => log.error({ error }, 'the free space of the storage is not known'),
    nowMs,
  });
  const rules = createRules({
    streams,
    running: (platformId) => running(platformId)[0] ?? null,
    hasRoom: disk.hasRoom,
    count: () => running().length,
    begin: (platform, cause, online) =>
      given(record(recordingOf(platform, { cause, streams: online, nowUs: nowUs() }), { preRoll: true })),
    add: (recording, online) =>
      given(record({ ...recording, sensors: online.map(recordedSensorOf) }, { preRoll: false })),
    end: endItself,
    holds,
    nowUs,
    nowMs,
  });

  streams.each((stream) => {
    present.set(stream.sensorId, stream);
    recorderOf(stream.sensorId)?.attach(stream, null);
    return () => {
      // A newer stream of the same sensor may already have replaced this one.
      if (present.get(stream.sensorId) !== stream) return;
      present.delete(stream.sensorId);
      recorderOf(stream.sensorId)?.detach();
    };
  });

  /** Returns the recordings that are not already being ended: those of one platform, or all. */
  function running(platformId?: string): Recording[] {
    return [...all].flatMap(([missionId, one]) => {
      const isMeant = platformId === undefined || one.platformId === platformId;
      return isMeant && one.recorders.size > 0 && !ending.has(missionId) ? one.described() : [];
    });
  }

  const missionOf = (liveSensorId: string): string | null =>
    [...all].find(([, { recorders }]) => recorders.has(liveSensorId))?.[0] ?? null;

  function recorderOf(liveSensorId: string) {
    const missionId = missionOf(liveSensorId);
    return missionId === null ? undefined : all.get(missionId)?.recorders.get(liveSensorId);
  }

  /** Logs the failure of a promise that is not awaited. */
  function given(work: Promise<void>): void {
    work.catch((error) => {
      log.error({ error }, 'a recording');
      send({
        kind: 'error',
        info: error instanceof Error ? error.message : String(error),
        platformId: null,
        missionId: null,
      });
    });
  }

  function endItself({ missionId, platform, sensors }: Recording, reason: string): void {
    const { platformId } = platform;
    if (reason === 'disk full') {
      holds.add(platformId);
      send({ kind: 'error', info: reason, platformId, missionId });
    }
    const ids = sensors.map(({ liveSensorId }) => liveSensorId);
    ending.add(missionId);
    given(end(missionId, ids, reason).finally(() => ending.delete(missionId)));
  }

  async function record(recording: Recording, { preRoll }: { preRoll: boolean }): Promise<void> {
    const { missionId, sensors } = recording;
    for (const { liveSensorId, name } of sensors) {
      const other = missionOf(liveSensorId);
      if (other !== null && other !== missionId) throw new Error(`${name} is being recorded already.`);
    }
    if (!disk.hasRoom()) throw new Error('The disk is full: nothing can be recorded.');
    const existing = all.get(missionId);
    const one = existing ?? createRunningRecording({ ...recording, sensors: [] }, [], runningDeps());
    all.set(missionId, one);
    for (const sensor of sensors) if (!one.recorders.has(sensor.liveSensorId)) begin(one, sensor, preRoll);
    await one.save();
  }

  function begin(one: RunningRecording, sensor: RecordedSensor, preRoll: boolean): void {
    const { liveSensorId } = sensor;
    const recorder = one.start(sensor, 'start');
    const stream = present.get(liveSensorId);
    if (stream === undefined) return;
    const seconds = preRoll ? stream.platform().record.preRollSeconds : 0;
    recorder.attach(stream, stream.isOnline() ? (ring?.history(liveSensorId, seconds) ?? null) : null);
  }

  const runningDeps = () => ({ storage, journals, send, full: disk.full, log, nowUs, nowMs });

  async function end(missionId: string, sensorIds: readonly string[], reason: string | null): Promise<void> {
    const one = all.get(missionId);
    if (one === undefined) return;
    const { startedUs, sensors } = one.described();
    const stopping = one.stop(sensorIds, reason);
    // `stop` has made the files take no new packets. The ring drops the recorded bytes now, before the viewers' access
    // is determined by the rights of the platform again.
    for (const { liveSensorId, files } of sensors) {
      if (!sensorIds.includes(liveSensorId)) continue;
      ring?.forget(liveSensorId, Math.min(startedUs, ...files.map((file) => file.startedUs)));
    }
    await stopping;
  }

  function tick(): void {
    ticks += 1;
    if (Math.abs(clockMoved()) > JUMP_MS) cutAll();
    for (const one of all.values()) one.tick();
    disk.tick();
    if (ticks % RULES_EVERY === 0) rules.tick();
    if (ticks % NOTIFY_EVERY !== 0) return;
    for (const one of all.values()) one.notify();
    // `save` never rejects: it reports a failure itself.
    void holds.save();
  }

  function cutAll(): void {
    log.warn('the clock of the machine was set: recordings go on in new files');
    for (const { recorders } of all.values()) for (const recorder of recorders.values()) recorder.cut('clock');
  }

  return {
    async load() {
      for (const platformId of await holds.load()) rules.resumed(platformId);
      for (const journal of await journals.load()) {
        const recording = await mended(storage, journal, log);
        const one = createRunningRecording(recording, await storedSegments(storage, recording), runningDeps());
        all.set(recording.missionId, one);
        for (const sensor of recording.sensors) if (sensor.state === 'recording') resume(one, sensor);
        await one.save();
      }
      timer = setInterval(tick, TICK_MS);
    },
    record,
    async stop(missionId, sensors) {
      const one = all.get(missionId);
      if (one === undefined) return;
      holds.add(one.platformId);
      await Promise.all([holds.save(), end(missionId, sensors ?? [...one.recorders.keys()], null)]);
    },
    async describe(missionId, description) {
      await all.get(missionId)?.describe(description);
    },
    async settled(missionId) {
      if (all.get(missionId)?.described().state !== 'stopped') return;
      all.delete(missionId);
      await journals.remove(missionId);
    },
    ordered: rules.ordered,
    list: () => [...all.values()].map((one) => one.described()),
    segments: () => [...all.values()].flatMap((one) => one.segments()),
    missionOf,
    async close() {
      if (timer) clearInterval(timer);
      await Promise.all([holds.save(), ...[...all.values()].map((one) => one.close())]);
    },
  };

  function resume(one: RunningRecording, sensor: RecordedSensor): void {
    rules.resumed(one.platformId);
    const recorder = one.start(sensor, 'restart');
    const stream = present.get(sensor.liveSensorId);
    if (stream) recorder.attach(stream, null);
  }
}
