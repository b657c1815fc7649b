import type { KlvHealth, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { expect } from 'vitest';
import { itWithData } from '../../../../../tools/test-support/test-data.ts';
import { fieldRecorder } from '../../../test/field.ts';

const recorded = await fieldRecorder();

itWithData('proprietary-key-before-set.ts gives its sets, and names the foreign key', async () => {
  const { health, texts, telemetry } = await recorded('proprietary-key-before-set.ts');

  expect(telemetry.time).toHaveLength(75);
  expect(telemetry.tags['13']).toHaveLength(75);
  expect(health).toMatchObject({ sets: 75, checksum: { good: 75, bad: 0, missing: 0 }, faults: [] });
  expect(health.streams[0]!.unknownKeys).toEqual({ '0101010f0f5241590100000000000000': 75 });
  expect(texts).toContain(
    '75 packets under the unknown key 0101010f0f5241590100000000000000 (PID 257) cannot be read.',
  );
});

itWithData('cells-cut-sequence-zero.ts gives its sets', async () => {
  const { health, telemetry } = await recorded('cells-cut-sequence-zero.ts');

  expect(health).toMatchObject({ sets: 75, checksum: { good: 75, bad: 0 }, transport: { brokenCells: 0 } });
  expect(health.streams).toMatchObject([{ kind: 'sync', sets: 75 }]);
  expect(telemetry.tags['13']).toHaveLength(75);
});

itWithData('two-klv-status-first.ts shows the stream that has positions, and keeps the choice of a user', async () => {
  const { server, mission, sensor, ask, health, texts, timeline, telemetry } =
    await recorded('two-klv-status-first.ts');

  expect(telemetry.tags['13']).toHaveLength(75);
  expect(timeline.timeSource).toBe('klv');
  expect(health.streams).toMatchObject([{ pid: 258, sets: 75 }]);
  expect(health.choices).toMatchObject([
    {
      chosen: 258,
      by: 'positions',
      streams: [
        { pid: 257, sets: 75, positions: 0 },
        { pid: 258, sets: 75, positions: 75 },
      ],
    },
  ]);
  expect(texts).toContain('one more telemetry stream is left out (PID 257).');

  const fileId = health.choices![0]!.fileId;
  const choose = async (klvPid: number | null) => {
    const path = `/api/sensors/${sensor._id}/files/${fileId}/reading`;
    const answer = await server.ask('SA').put(path, { klvPid, clock: null });
    await server.work();
    return { status: answer.status, health: await ask<KlvHealth>('klv-health') };
  };
  expect(await choose(257)).toMatchObject({
    status: 200,
    health: { choices: [{ chosen: 257, by: 'user' }], streams: [{ pid: 257 }], sets: 75 },
  });
  const rows = await server.db.selectFrom('audit').selectAll().where('item_id', '=', mission._id).execute();
  expect(rows.filter(({ reason }) => reason?.includes('telemetry of PID 257'))).toHaveLength(1);
  // The choice of the stream is kept where the sensor is read again for another reason.
  await server.db
    .transaction()
    .execute((tx) => server.dependencies.queue.enqueue(tx, 'ingest', { missionId: mission._id, sensorId: sensor._id }));
  await server.work();
  expect((await ask<KlvHealth>('klv-health')).streams).toMatchObject([{ pid: 257 }]);
  expect(await choose(null)).toMatchObject({ status: 200, health: { choices: [{ chosen: 258, by: 'positions' }] } });
});

itWithData('klv-in-second-program.ts shows the telemetry of a program that has no video', async () => {
  const { health, texts, timeline, telemetry } = await recorded('klv-in-second-program.ts');

  expect(telemetry.tags['13']).toHaveLength(75);
  expect(timeline).toMatchObject({ timeSource: 'klv', startTime: Date.UTC(2023, 10, 14, 22, 13, 20) * 1000 });
  expect(health.streams).toMatchObject([{ pid: 257, program: 2, sets: 75 }]);
  expect(texts).not.toContain('programs is shown');
});

itWithData('clock-back-one-second.ts is dated by the other reading if a user chose it', async () => {
  const { server, sensor, ask, health, timeline } = await recorded('clock-back-one-second.ts');
  const path = `/api/sensors/${sensor._id}/files/${health.clock.readings![0]!.fileId}/reading`;

  expect((await server.ask('SA').put(path, { klvPid: null, clock: 'other' })).status).toBe(200);
  await server.work();

  const other = await ask<KlvHealth>('klv-health');
  expect(other.clock.readings).toMatchObject([{ otherSeconds: -1, isOther: true }]);
  const dated = await ask<SensorTimeline>('timeline');
  expect([dated.startTime, dated.timeAssumed]).toEqual([timeline.startTime - 1_000_000, undefined]);
  const { time } = await ask<TelemetryPage>('telemetry');
  expect(time).toEqual(Array.from({ length: 75 }, (_none, n) => timeline.startTime - 1_000_000 + n * 40_000));
});
