import type { Clip } from '@osprey/contract';
import { newId } from './fake-api.ts';

export const clipOf = (fields: Partial<Clip> = {}): Clip => ({
  ...{ _id: newId(), missionId: newId(), missionName: 'Kea', title: 'Hand-over', note: 'Two crates', tags: ['crates'] },
  ...{ startTime: 10_000_000, endTime: 22_000_000, created: 0, author: 'ana', editor: 'ana', revision: 1 },
  editable: true,
  cuts: [
    {
      sensorId: newId(),
      sensorName: 'EO/IR',
      startTime: 10_000_000,
      endTime: 22_000_000,
      in: null,
      out: null,
      state: 'shown',
    },
  ],
  ...fields,
});
