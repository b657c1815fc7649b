import type { KlvHealth, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { testData } from '../../../tools/test-support/test-data.ts';
import { recordingServer } from './recordings.ts';

/** Uploads a file of data/field as a mission of its own, and gives what is answered for it. */
export async function fieldRecorder() {
  const server = await recordingServer({ jobs: ['ingest'] });
  const { get } = server.ask('SA');
  return async (name: string) => {
    const { mission } = await server.record({ name: crypto.randomUUID() }, [{ path: testData(`field/${name}`) }]);
    const sensor = mission.sensors[0]!;
    const ask = async <T>(what: string) => (await get<T>(`/api/sensors/${what}/${mission._id}/${sensor._id}`)).body;
    const health = await ask<KlvHealth>('klv-health');
    return {
      server,
      mission,
      sensor,
      ask,
      health,
      texts: health.findings.map(({ text }) => text).join('\n'),
      timeline: await ask<SensorTimeline>('timeline'),
      telemetry: await ask<TelemetryPage>('telemetry'),
    };
  };
}
