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
