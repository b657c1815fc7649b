// @vitest-environment jsdom
import type { RecordingJob } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, newId } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import type { UploadItem } from '../../uploads/upload-store.ts';
import { ActivityList } from './ActivityList.tsx';

afterEach(cleanup);

const upload = (fileName: string, state: UploadItem['state']): UploadItem => ({
  ...{ id: newId(), account: 'ana', fileName, sizeBytes: 900, lastModified: 0, sentBytes: 900 },
  ...{ bytesPerSecond: null, state, error: null, url: null },
  target: {
    ...{ kind: 'sensor', missionId: newId(), missionName: 'Kea', label: 'SECRET' },
    ...{ sensorId: newId(), sensorName: 'EO' },
  },
});

it('lists what failed first, and last what is done', () => {
  const uploads = [upload('a.ts', 'done'), upload('b.ts', 'running'), upload('c.ts', 'failed'), upload('d.ts', 'done')];
  show(<ActivityList uploads={uploads} jobs={[]} isAlone />, { api: fakeApi({}).api });

  const names = screen.getAllByRole('listitem').map(({ textContent }) => /\w\.ts/.exec(textContent ?? '')?.[0]);
  expect(names).toEqual(['c.ts', 'b.ts', 'a.ts', 'd.ts']);
});

it('has one row for each mission', () => {
  const missionId = newId();
  const job = (name: string, of = missionId): RecordingJob => ({
    ...{ _id: newId(), kind: 'ingest', state: 'waiting', missionId: of, sensorId: newId(), documentId: null },
    ...{ subject: { name, securityClassification: 'UNCLASSIFIED' }, progress: 0, attempts: 0, error: null, created: 0 },
  });
  const jobs = [job('Kea'), job('Tinos', newId()), job('Kea'), job('Kea')];
  show(<ActivityList uploads={[]} jobs={jobs} isAlone />, { api: fakeApi({}).api });

  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows).toEqual(['UNCLASSIFIEDKeaQueued', 'UNCLASSIFIEDTinosQueued']);
});
