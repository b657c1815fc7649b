import { classificationOf, type LivePlatform, type LiveSensor, platformState } from '@osprey/contract';
import type { LiveMode } from '../../live/rows/live-modes.ts';
import type { RecordedSensor, Recording, SourceState } from '../../recorder-wire/protocol.ts';
import { shownAddress } from '../../recorder-wire/source-address.ts';
import type { StoredPlatform, StoredSensor } from './stored.ts';

/** The recorder's state of the sources; if `connected` returns false, the state is unknown. */
type SourceView = { connected: () => boolean; source: (sensorId: string) => SourceState | null };

export type RowView = SourceView & {
  /** Returns whether the caller may know a group. */
  isKnown: (usergroup: string) => boolean;
  /** The running recording; null if there is none. */
  recording: Recording | null;
  /** True if the recording goes into a mission that the caller may not read; then only states are shown. */
  isHidden: boolean;
  /** True if the caller may control the platform; only then addresses are shown. */
  showsAddress: boolean;
  liveModes: LiveMode[];
};

const noRecording = {
  live: false,
  mission: null,
  missionName: null,
  recordingStartTime: null,
  duration: null,
  segments: null,
  sizeBytes: null,
};

/** Video is served at the address from which the row was requested, so no other address is given. */
const OWN_ADDRESS = { wsVideoStreamPort: null, serverHostName: null };

/** Converts a platform to the API format, as far as the actor may see it. */
export function toLivePlatform(platform: StoredPlatform, view: RowView): LivePlatform {
  const { id, color, classification, record, sensors, usergroups, ...plain } = platform;
  const rows = sensors.map((sensor) => toLiveSensor(platform, sensor, view));
  return {
    ...plain,
    _id: id,
    id,
    platform: platform.name,
    sensor: null,
    presentation: { color },
    securityClassification: classificationOf(classification),
    usergroups: usergroups.filter(view.isKnown),
    state: platformState(rows.map(({ state }) => state)),
    ...(view.recording === null || view.isHidden ? noRecording : recordState(view.recording)),
    config: OWN_ADDRESS,
    liveModes: view.liveModes,
    sensors: rows,
  };
}

function toLiveSensor(platform: StoredPlatform, sensor: StoredSensor, view: RowView): LiveSensor {
  const source = view.source(sensor.id);
  const recorded = view.recording?.sensors.find((one) => one.liveSensorId === sensor.id);
  const isRecorded = recorded?.state === 'recording';
  const shown = view.isHidden ? null : source;
  return {
    _id: sensor.id,
    id: sensor.id,
    parentId: platform.id,
    parentPlatformName: platform.name,
    parentPlatformType: platform.type,
    parentPlatformLive: view.recording !== null && !view.isHidden,
    platform: platform.name,
    sensor: sensor.name,
    name: sensor.name,
    description: sensor.description,
    type: sensor.type,
    url: view.showsAddress ? shownAddress(sensor.url) : null,
    on: source?.on ?? platform.autostart,
    state: view.connected() && source !== null ? source.state : 'unknown',
    since: source?.since ?? null,
    startTime: shown?.startedUs ?? null,
    ...(view.recording !== null && isRecorded && !view.isHidden ? sensorState(view.recording, recorded) : noRecording),
    missionSensor: isRecorded && !view.isHidden ? recorded.sensorId : null,
    config: OWN_ADDRESS,
    recorderInfo: {
      info: isRecorded && !view.isHidden ? { totalSegments: sumOf(recorded, 'segments') } : null,
      error: view.isHidden ? null : (recorded?.error ?? source?.error ?? null),
    },
    video: shown?.video ?? null,
    klv: shown?.klv ?? false,
    klvStreams: shown?.klvStreams ?? null,
    bitrate: shown?.bitsPerSecond ?? null,
    lostPackets: shown?.lost ?? null,
    reorderedPackets: shown?.reordered ?? null,
    refusedPackets: shown?.refused ?? null,
    jitter: shown?.jitterMs ?? null,
    ais: shown?.ais ?? null,
    aside: source?.aside ? { since: source.aside.sinceUs, until: source.aside.untilUs } : null,
  };
}

const sumOf = ({ files }: RecordedSensor, field: 'segments' | 'sizeBytes' | 'durationSeconds'): number =>
  files.reduce((sum, file) => sum + file[field], 0);

const missionState = ({ missionId, missionName }: Recording) => ({ live: true, mission: missionId, missionName });

function sensorState(recording: Recording, sensor: RecordedSensor) {
  return {
    ...missionState(recording),
    recordingStartTime: sensor.files[0]?.startedUs ?? recording.startedUs,
    duration: sumOf(sensor, 'durationSeconds'),
    segments: sumOf(sensor, 'segments'),
    sizeBytes: sumOf(sensor, 'sizeBytes'),
  };
}

/** Sums up a recording over its sensors: the duration is the longest, the size is the total. */
function recordState(recording: Recording) {
  const { sensors } = recording;
  const sum = (field: 'segments' | 'sizeBytes') => sensors.reduce((total, sensor) => total + sumOf(sensor, field), 0);
  return {
    ...missionState(recording),
    recordingStartTime: recording.startedUs,
    duration: Math.max(0, ...sensors.map((sensor) => sumOf(sensor, 'durationSeconds'))),
    segments: sum('segments'),
    sizeBytes: sum('sizeBytes'),
  };
}
