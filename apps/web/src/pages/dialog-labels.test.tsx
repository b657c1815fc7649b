// @vitest-environment jsdom
import type { Asset, ExportTask, IntakeFile, RecordingJob, WatchFolder } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LabelBar } from '../app/LabelBar.tsx';
import { BinDialog } from '../documents/BinDialog.tsx';
import { DeleteDocument } from '../documents/DeleteDocument.tsx';
import { FolderDialog } from '../keeping/FolderDialog.tsx';
import { FoldersPanel } from '../keeping/FoldersPanel.tsx';
import { DeleteMissions } from '../missions/DeleteMissions.tsx';
import { ExportsPart } from '../missions/exports/ExportsPart.tsx';
import { HoldDialog } from '../missions/exports/HoldDialog.tsx';
import { RemoveFile } from '../missions/sensor/RemoveFile.tsx';
import { JobRow } from '../missions/tray/JobRow.tsx';
import { EndMission } from '../platforms/control/EndMission.tsx';
import { DeletePlatform } from '../platforms/edit/DeletePlatform.tsx';
import { documentOf } from '../testing/documents.ts';
import { type Answers, fakeApi, missionOf, newId, sensorOf, usergroupOf } from '../testing/fake-api.ts';
import { livePlatformOf } from '../testing/platforms.ts';
import { show } from '../testing/show.tsx';
import { UploadRow } from '../uploads/UploadRow.tsx';
import type { UploadItem } from '../uploads/upload-store.ts';
import { RemoveGroup } from '../usergroups/GroupDialogs.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const secret = { securityClassification: 'SECRET', marked: true } as const;
const mission = missionOf({ name: 'Kea', ...secret });
const ignore = () => undefined;

const document = documentOf(secret);
const job: RecordingJob = {
  _id: newId(),
  kind: 'ingest',
  state: 'running',
  missionId: mission._id,
  sensorId: newId(),
  documentId: null,
  progress: 1,
  attempts: 1,
  error: null,
  created: 0,
};
const task: ExportTask = {
  _id: newId(),
  state: 'done',
  title: 'Kea',
  securityClassification: 'SECRET',
  progress: 100,
  sizeBytes: 9,
  fileName: 'kea.zip',
  error: null,
  created: 0,
};
const taken: IntakeFile = {
  _id: newId(),
  folder: newId(),
  name: 'kea.ts',
  sizeBytes: 9,
  outcome: 'taken',
  reason: null,
  mission: { _id: mission._id, name: 'Kea' },
  ...secret,
  time: 0,
};
const file: Asset = {
  _id: newId(),
  path: '/api/media/s/f.ts',
  name: 'kea.ts',
  sizeBytes: 9,
  sha256: null,
  kind: 'ts',
  startTime: null,
  endTime: null,
  state: 'ready',
  message: null,
};
const upload: UploadItem = {
  id: 'u',
  target: { kind: 'sensor', missionName: 'Kea', label: 'SECRET', sensorId: 's', sensorName: 'EO' },
  fileName: 'kea.ts',
  sizeBytes: 9,
  lastModified: 0,
  sentBytes: 1,
  bytesPerSecond: null,
  state: 'paused',
  error: null,
  url: null,
};
const folder: WatchFolder = {
  _id: newId(),
  path: '/data/inbox',
  securityClassification: null,
  audience: 'groups',
  usergroups: [],
  platform: mission.platform,
  moveFiles: false,
  enabled: true,
  fromConfiguration: false,
  problem: null,
};
// Its mission is above it.
const platform = livePlatformOf({ name: 'KEA-1', live: true, mission: mission._id, missionName: 'Kea' });

const group = usergroupOf({ name: 'Coast' });
const only = { items: [{ _id: newId(), noun: 'missions', name: 'Kea', label: 'SECRET' }], hidden: false };

const answers: Answers = {
  'GET /missions/:mission': () => mission,
  'GET /exports': () => [task],
  'GET /usergroups/only': () => only,
  'GET /usergroups': () => [group],
  'GET /intake/folders': () => ({ roots: [], folders: [] }),
  'GET /intake/files': () => [taken],
};

it.each<[string, ReactNode]>([
  [
    'the deletion of missions',
    <DeleteMissions key="" missions={[missionOf(), mission]} onClose={ignore} onDeleted={ignore} />,
  ],
  ['the hold of a mission', <HoldDialog key="" mission={mission} onClose={ignore} />],
  ['the removal of a file', <RemoveFile key="" mission={mission} sensor={sensorOf()} file={file} onClose={ignore} />],
  ['the deletion of a document', <DeleteDocument key="" document={document} onClose={ignore} onDeleted={ignore} />],
  ['the deletion of a platform', <DeletePlatform key="" platform={platform} onClose={ignore} />],
  ['the end of a recording', <EndMission key="" platform={platform} onCancel={ignore} onConfirm={ignore} />],
  ['what a group alone sees', <RemoveGroup key="" group={group} onClose={ignore} />],
  ['an export in Activity', <ExportsPart key="" shown />],
  ['a job in Activity', <JobRow key="" job={job} />],
  ['an upload in Activity', <UploadRow key="" item={upload} name="long" />],
  ['the report of watched folders', <FoldersPanel key="" />],
])('%s carries its mark, and the label bar follows', async (_what, part) => {
  show(
    <>
      <LabelBar />
      {part}
    </>,
    { api: fakeApi(answers).api },
  );

  await expect.poll(() => screen.getAllByText('SECRET')).toHaveLength(2);
  expect(screen.getByRole('note', { hidden: true }).textContent).toBe('SECRET');
});

it('a watched folder’s dialog carries the label that is chosen', async () => {
  show(<FolderDialog folder={folder} root="/data/inbox" onClose={ignore} />, {
    api: fakeApi(answers).api,
  });

  expect(await screen.findByText('UNMARKED')).toBeDefined();
});

it('the bin of documents raises the label bar', async () => {
  show(
    <>
      <LabelBar />
      <BinDialog onClose={ignore} />
    </>,
    { api: fakeApi({ 'GET /documents/bin': () => [{ ...document, deletedTime: 0 }] }).api },
  );

  await expect.poll(() => screen.queryByRole('note', { hidden: true })?.textContent).toBe('SECRET');
});
