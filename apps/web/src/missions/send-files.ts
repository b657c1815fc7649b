import type { Mission, Sensor } from '@osprey/contract';
import { startUpload } from '../uploads/uploads.ts';

/** Queues the uploads of a sensor's files. */
export function sendFiles(mission: Mission, sensor: Sensor, files: readonly File[]): void {
  for (const file of files) {
    startUpload(file, {
      kind: 'sensor',
      missionId: mission._id,
      missionName: mission.name,
      label: mission.securityClassification,
      sensorId: sensor._id,
      sensorName: sensor.name,
    });
  }
}
