import { BOOKMARK_COLOR, type Bookmark } from '@osprey/contract';

/** Test support: a bookmark as returned by the server. */
export const bookmarkOf = (fields: Partial<Bookmark> = {}): Bookmark => ({
  _id: crypto.randomUUID(),
  missionId: '00000000-0000-4000-8000-000000000001',
  missionName: 'Kea',
  sensorId: '00000000-0000-4000-8000-000000000001',
  sensorName: 'EO/IR',
  title: 'Take-off',
  text: '',
  time: 10_000_000,
  position: 10,
  startTime: 0,
  anchor: { fileId: '00000000-0000-4000-8000-000000000001', run: 0, pts: 900_000 },
  state: 'shown',
  created: 0,
  author: 'ana',
  editor: 'ana',
  color: BOOKMARK_COLOR,
  thumbnailUrl: null,
  tags: [],
  revision: 1,
  editable: true,
  ...fields,
});
