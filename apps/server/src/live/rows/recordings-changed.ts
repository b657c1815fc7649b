import type { Recording } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

export type RecordingChange = {
  platformId: string;
  missionId: string;
  /** True if a sensor began to be recorded; false if it is no longer recorded. */
  begun: boolean;
  /** A full sentence for the user. */
  info: string;
};

/** Calls `changed` whenever the recording of a platform's sensor begins or ends. */
export function onRecordingsChanged(mirror: RecorderMirror, changed: (change: RecordingChange) => void): void {
  let existing = new Map<string, Set<string>>();
  let names = new Map<string, Recording>();

  mirror.subscribe({
    onMessage({ kind }) {
      if (kind !== 'recording' && kind !== 'hello') return;
      const running = new Map(mirror.running().map((recording) => [recording.missionId, recording]));
      const now = new Map([...running].map(([id, recording]) => [id, recordedSensors(recording)]));
      for (const [missionId, recording] of new Map([...names, ...running])) {
        const before = existing.get(missionId) ?? new Set<string>();
        const after = now.get(missionId) ?? new Set<string>();
        const begun = [...after].some((sensorId) => !before.has(sensorId));
        if (!begun && [...before].every((sensorId) => after.has(sensorId))) continue;
        const { missionName, platform } = recording;
        const info = running.has(missionId)
          ? `${sensorsOf(platform.name, after.size)} recorded into ${missionName}.`
          : `The recording of ${missionName} has ended.`;
        changed({ platformId: platform.platformId, missionId, begun, info });
      }
      existing = now;
      names = running;
    },
  });
}

const sensorsOf = (platform: string, count: number): string =>
  count === 1 ? `1 sensor of ${platform} is` : `${count} sensors of ${platform} are`;

const recordedSensors = ({ sensors }: Recording): Set<string> =>
  new Set(sensors.filter(({ state }) => state === 'recording').map(({ liveSensorId }) => liveSensorId));
