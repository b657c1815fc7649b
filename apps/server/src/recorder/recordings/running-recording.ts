import type { Logger } from 'pino';
import type { Storage } from '../../base/storage/storage.ts';
import type {
  FromRecorder,
  RecordedFile,
  RecordedSegment,
  RecordedSensor,
  Recording,
  RecordingDescription,
} from '../../recorder-wire/protocol.ts';
import type { Journals } from './journals.ts';
import { createSensorRecorder, type SensorRecorder } from './sensor-recorder.ts';

export type RunningDeps = {
  storage: Storage;
  journals: Journals;
  send(message: FromRecorder): void;
  /** Called when a write found the disk full. */
  full(): void;
  log: Logger;
  nowUs(): number;
  nowMs(): number;
};

/** A running recording with the recorders of its sensors and its journal, which is kept up to date. */
export type RunningRecording = {
  readonly platformId: string;
  described(): Recording;
  segments(): readonly RecordedSegment[];
  /** Recorders of the sensors that are being recorded now, by `liveSensorId`. */
  recorders: ReadonlyMap<string, SensorRecorder>;
  /** Begins to record a sensor that is new to this recording, or whose recorder was stopped. */
  start(sensor: RecordedSensor, cause: RecordedFile['cause']): SensorRecorder;
  /** Stops recording these sensors. Resolves when the files and the journal are complete on the disk. */
  stop(liveSensorIds: readonly string[], reason: string | null): Promise<void>;
  /** Resolves when the description is in the journal; rejects if the journal cannot be written. */
  describe(description: RecordingDescription): Promise<void>;
  /** Writes the journal in its current state. */
  save(): Promise<void>;
  /**
   * Sends the state of the recording if file sizes have changed, and retries writing a journal that could not be
   * written.
   */
  notify(): void;
  tick(): void;
  /** Closes the recording's files. The journal still says that the recording is running. */
  close(): Promise<void>;
};

export function createRunningRecording(
  begun: Recording,
  existing: RecordedSegment[],
  deps: RunningDeps,
): RunningRecording {
  const { missionId, platform } = begun;
  const { platformId } = platform;
  let recording = begun;
  const recorders = new Map<string, SensorRecorder>();
  const segments = existing;
  let saving = Promise.resolve();
  let isUnsaved = false;
  let reported = '';

  function described(): Recording {
    const sensors = recording.sensors.map((sensor) => {
      const recorder = recorders.get(sensor.liveSensorId);
      return recorder ? { ...sensor, ...recordedBy(recorder) } : sensor;
    });
    return { ...recording, sensors };
  }

  function save(): Promise<void> {
    notify();
    saving = saving.then(write);
    return saving;
  }

  /** If the disk has no room for the journal, the recording continues; the write is retried at the next `notify`. */
  async function write(): Promise<void> {
    try {
      await deps.journals.save(described());
      isUnsaved = false;
    } catch (error) {
      isUnsaved = true;
      deps.log.error({ error, missionId }, 'the journal of a recording cannot be written');
    }
  }

  function notify(): void {
    const now = described();
    const text = JSON.stringify(now);
    if (text === reported) return;
    reported = text;
    deps.send({ kind: 'recording', recording: now });
  }

  function replace(liveSensorId: string, change: Partial<RecordedSensor>): void {
    const sensors = recording.sensors.map((one) => (one.liveSensorId === liveSensorId ? { ...one, ...change } : one));
    recording = { ...recording, sensors };
  }

  function start(sensor: RecordedSensor, cause: RecordedFile['cause']): SensorRecorder {
    const { liveSensorId } = sensor;
    const own = recording.sensors.find((one) => one.liveSensorId === liveSensorId);
    if (own === undefined) recording = { ...recording, sensors: [...recording.sensors, { ...sensor, files: [] }] };
    recording = { ...recording, state: 'recording', endedUs: null, stopReason: null };
    replace(liveSensorId, { state: 'recording', error: null });
    const { sensorId, name, type } = own ?? sensor;
    const recorder = createSensorRecorder(
      {
        storage: deps.storage,
        sensorId,
        name,
        type,
        cause,
        changed: save,
        segment({ fileId, startedUs }, n, { offset, sizeBytes, startSeconds, durationSeconds, isBreak }) {
          const startUs = Math.round(startedUs + startSeconds * 1e6);
          const place = { missionId, sensorId, fileId, n, offset, sizeBytes };
          const segment = { ...place, startUs, durationSeconds, discontinuity: isBreak };
          segments.push(segment);
          deps.send({ kind: 'segment', segment });
        },
        problem(text, isFull) {
          replace(liveSensorId, { error: `${text}.` });
          if (isFull) return deps.full();
          deps.send({ kind: 'error', info: text, platformId, missionId });
        },
        log: deps.log,
        nowUs: deps.nowUs,
        nowMs: deps.nowMs,
      },
      own ?? { files: [] },
    );
    recorders.set(liveSensorId, recorder);
    return recorder;
  }

  async function describe(description: RecordingDescription): Promise<void> {
    recording = { ...recording, ...description };
    await save();
    if (isUnsaved) throw new Error('The journal of the recording cannot be written.');
  }

  async function stop(liveSensorIds: readonly string[], reason: string | null): Promise<void> {
    await Promise.all(liveSensorIds.map((id) => stopSensor(id)));
    if (recorders.size === 0 && recording.state === 'recording') {
      recording = { ...recording, state: 'stopped', endedUs: deps.nowUs(), stopReason: reason };
    }
    await save();
  }

  async function stopSensor(liveSensorId: string): Promise<void> {
    const recorder = recorders.get(liveSensorId);
    if (recorder === undefined) return;
    await recorder.end();
    replace(liveSensorId, { state: 'stopped', ...recordedBy(recorder) });
    recorders.delete(liveSensorId);
  }

  return {
    platformId,
    described,
    segments: () => segments,
    recorders,
    start,
    stop,
    describe,
    save,
    notify() {
      notify();
      if (isUnsaved) save();
    },
    tick() {
      for (const recorder of recorders.values()) recorder.tick();
    },
    async close() {
      await Promise.all([...recorders.values()].map((recorder) => recorder.end()));
      await save();
    },
  };
}

function recordedBy(recorder: SensorRecorder): Pick<RecordedSensor, 'files' | 'overflows'> {
  const overflows = recorder.overflows();
  return { files: recorder.files(), ...(overflows.length > 0 && { overflows }) };
}
