// @vitest-environment jsdom
import type {
  Asset,
  Backup,
  BinnedMission,
  ExportTask,
  IntakeFile,
  RecordingJob,
  SearchHit,
  WatchFolder,
} from '@osprey/contract';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeleteBackup } from '../backups/DeleteBackup.tsx';
import { RestoreDialog } from '../backups/RestoreDialog.tsx';
import { ExportDialog } from '../clips/ExportDialog.tsx';
import { SearchHits } from '../coverage/hits/SearchHits.tsx';
import { BinDialog } from '../documents/BinDialog.tsx';
import { DeleteDocument } from '../documents/DeleteDocument.tsx';
import { BinPanel } from '../keeping/BinPanel.tsx';
import { FolderDialog } from '../keeping/FolderDialog.tsx';
import { FoldersPanel } from '../keeping/FoldersPanel.tsx';
import { DeleteMissions } from '../missions/DeleteMissions.tsx';
import { ExportsPart } from '../missions/exports/ExportsPart.tsx';
import { HoldDialog } from '../missions/exports/HoldDialog.tsx';
import { RenameDialog } from '../missions/rename/RenameDialog.tsx';
import { RemoveFile } from '../missions/sensor/RemoveFile.tsx';
import { JobRow } from '../missions/tray/JobRow.tsx';
import { EndMission } from '../platforms/control/EndMission.tsx';
import { DeletePlatform } from '../platforms/edit/DeletePlatform.tsx';
import { LabelBar } from '../shell/LabelBar.tsx';
import { documentOf } from '../testing/documents.ts';
import { type Answers, fakeApi, missionOf, newId, sensorOf, usergroupOf } from '../testing/fake-api.ts';
import { livePlatformOf } from '../testing/platforms.ts';
import { show } from '../testing/show.tsx';
import { UploadRow } from '../uploads/UploadRow.tsx';
import type { UploadItem } from '../uploads/upload-store.ts';
import { RemoveGroup } from '../usergroups/GroupDialogs.tsx';

// Shows the dialog missions/sensor/RemoveFile.tsx ConfirmDialog

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
  subject: { name: 'Kea', securityClassification: 'SECRET' },
  progress: 1,
  attempts: 1,
  error: null,
  created: 0,
};
const hit: SearchHit = {
  ...{ _id: newId(), searchId: newId(), search: 'Area 12', missionId: mission._id, mission: 'Kea', platform: 'KEA' },
  ...{ sensorId: newId(), sensor: 'EO', first: 0, now: false, seen: true },
  ...secret,
};
const task: ExportTask = {
  _id: newId(),
  kind: 'archive',
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
  account: 'admin',
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
// The label of the mission is shown above.
const platform = livePlatformOf({ name: 'KEA-1', live: true, mission: mission._id, missionName: 'Kea' });

const group = usergroupOf({ name: 'Coast' });
const only = { items: [{ _id: newId(), noun: 'missions', name: 'Kea', label: 'SECRET' }], hidden: false };

const answers: Answers = {
  'GET /missions/:mission': () => mission,
  'GET /exports': () => [task],
  'GET /coverage/hits': () => [hit],
  'POST /coverage/hits/seen': () => ({ message: 'Seen' }),
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
  ['the rename of a mission', <RenameDialog key="" mission={mission} onClose={ignore} />],
  [
    'the export of a clip',
    <ExportDialog
      key=""
      {...{ mission, sensors: [], sensorId: newId(), inUs: 0, outUs: 1, endUs: 1 }}
      onOrdered={ignore}
      onClose={ignore}
    />,
  ],
  ['the removal of a file', <RemoveFile key="" mission={mission} sensor={sensorOf()} file={file} onClose={ignore} />],
  ['the deletion of a document', <DeleteDocument key="" document={document} onClose={ignore} onDeleted={ignore} />],
  ['the deletion of a platform', <DeletePlatform key="" platform={platform} onClose={ignore} />],
  ['the end of a recording', <EndMission key="" platform={platform} onCancel={ignore} onConfirm={ignore} />],
  ['what a group alone sees', <RemoveGroup key="" group={group} onClose={ignore} onRemoved={ignore} />],
  ['an export in Activity', <ExportsPart key="" shown />],
  ['a hit in Activity', <SearchHits key="" />],
  ['a job in Activity', <JobRow key="" jobs={[job]} />],
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

it('the bin of documents carries the highest mark, and raises the label bar', async () => {
  show(
    <>
      <LabelBar />
      <BinDialog onClose={ignore} />
    </>,
    {
      api: fakeApi({
        'GET /documents/bin': () => [
          { ...documentOf(), deletedTime: 0 },
          { ...document, deletedTime: 0 },
        ],
      }).api,
    },
  );

  await expect.poll(() => screen.queryByRole('note', { hidden: true })?.textContent).toBe('SECRET');
  // In the bar, next to the title, in its row.
  expect(screen.getAllByText('SECRET')).toHaveLength(3);
});

it('the question before missions of the bin are deleted for good carries the highest mark', async () => {
  const binned: BinnedMission = {
    ...{ _id: mission._id, name: 'Kea', ...secret, audience: 'groups', usergroups: [] },
    ...{ sensors: 1, sizeBytes: 9, deletedTime: 0, deletedBy: 'ana', endTime: 0 },
  };
  show(<BinPanel />, { api: fakeApi({ 'GET /bin': () => [binned] }).api });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose Kea' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete for good' }));

  expect((await screen.findByRole('alertdialog')).textContent).toContain('SECRET');
});

const backup: Backup = {
  ...{
    name: '20260101-000000-manual',
    origin: 'manual',
    state: 'verified',
    created: 0,
    securityClassification: 'SECRET',
  },
  ...{ progress: null, sizeBytes: 9, newBytes: 9, rows: 1, files: 1, schemaVersion: '1', verified: 0, error: null },
  damaged: 0,
  unchanged: null,
};
const api = fakeApi({ 'GET /backups': () => [], 'GET /backups/count': () => null }).api;

it.each<[string, ReactNode]>([
  ['deletion', <DeleteBackup key="" backup={backup} isLast={false} onClose={ignore} />],
  ['restoring', <RestoreDialog key="" backup={backup} folder="/b" onClose={ignore} />],
])('the %s of a backup carries the label of the whole installation', (_what, part) => {
  show(part, { api });

  expect(screen.getByText('SECRET')).toBeDefined();
});

/** Dialogs without a mark next to their title, and why. Everything else has one. */
const unmarked: Record<string, string> = {
  './SessionEnded.tsx Dialog': 'an account',
  './palette/Palette.tsx Dialog': 'names, whose highest label is on the bar',
  'activity/SessionsTable.tsx ConfirmDialog': 'a session',
  'activity/TrailTools.tsx ConfirmDialog': 'numbers of rows',
  'annotations/dialog/OpeningAnnotation.tsx FormDialog': 'that it is being read, or could not be',
  'backups/KeyNotice.tsx CopyDialog': 'a key',
  'conference/RoomsDialog.tsx PlainDialog': 'each room has its own',
  'identity/ApiCredentialsDialog.tsx PlainDialog': 'an account',
  'identity/ChangePasswordDialog.tsx FormDialog': 'an account',
  'identity/SecondFactorDialog.tsx PlainDialog': 'an account',
  'identity/SessionsDialog.tsx PlainDialog': 'sessions',
  'identity/UnitsDialog.tsx PlainDialog': 'units',
  'keeping/PlacesPanel.tsx ConfirmDialog': 'names that have no label',
  'keeping/RetentionPanel.tsx ConfirmDialog': 'a rule',
  'keeping/RuleDialog.tsx FormDialog': 'a rule',
  'keeping/TilesPanel.tsx ConfirmDialog': 'a map layer, which every user may see',
  'licence/LicenceDialog.tsx TabbedDialog': 'a licence',
  'licence/LicenceViewer.tsx TabbedDialog': 'licences',
  'missions/AreaFilter.tsx FormDialog': 'a filter',
  'missions/add/InspectingDialog.tsx PlainDialog': 'numbers of files',
  'missions/RemoveSamples.tsx ConfirmDialog': 'no mission by its name',
  'missionview/KeysDialog.tsx Dialog': 'keys of the keyboard',
  'platforms/control/DescribeDialog.tsx PlainDialog': 'that it could not be read',
  'platforms/edit/PlatformDialog.tsx FormDialog': 'that it could not be read',
  'system/RestartQuestions.tsx ConfirmDialog': 'the server',
  'system/RestartQuestions.tsx Dialog': 'each item has its own',
  'system/UpdatesDialog.tsx ConfirmDialog': 'a version of the server',
  'system/UpdatesDialog.tsx PlainDialog': 'versions of the server',
  'usergroups/GroupDialogs.tsx ConfirmDialog': 'each item has its own',
  'usergroups/GroupDialogs.tsx FormDialog': 'a group',
  'users/BulkGroupsDialog.tsx FormDialog': 'accounts',
  'users/CreateUserDialog.tsx FormDialog': 'an account',
  'users/LinkDialog.tsx Dialog': 'a link of an account',
  'users/RemoveUsers.tsx Dialog': 'accounts',
  'users/UserDetail.tsx ConfirmDialog': 'an account',
  'users/UsersPanel.tsx ConfirmDialog': 'accounts',
};

/** Parts of dialogs; in `ui` and these files they pass the mark on. */
const PARTS = ['Dialog', 'PlainDialog', 'FormDialog', 'ConfirmDialog', 'AlertBox', 'CopyDialog', 'TabbedDialog'];
const makers = ['backups/CopyDialog.tsx', 'licence/TabbedDialog.tsx'];

const sources = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx', '!../ui/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('every dialog in the sources carries a mark, or is known to show nothing that has a label', () => {
  const found = Object.entries(sources)
    .map(([path, source]) => ({ file: path.replace('../', ''), source }))
    .filter(({ file }) => !makers.includes(file))
    .flatMap(({ file, source }) => dialogsIn(source).map((one) => ({ ...one, file })));
  const without = found.filter(({ marked }) => !marked).map(({ file, part }) => `${file} ${part}`);

  expect(found.length - without.length).toBeGreaterThan(15);
  expect([...new Set(without)].sort()).toEqual(Object.keys(unmarked).sort());
});

/** The dialogs that a source draws from imported parts, with whether their opening tag has a `mark`. */
function dialogsIn(source: string): { part: string; marked: boolean }[] {
  const parts = PARTS.filter((part) => new RegExp(`import[^;]*\\b${part}\\b[^;]* from`).test(source));
  return parts.flatMap((part) =>
    [...source.matchAll(new RegExp(`<${part}(?=[\\s>])`, 'g'))].map(({ index }) => ({
      part,
      marked: /\smark=/.test(openingTag(source.slice(index))),
    })),
  );
}

/** Up to the first `>` outside of braces. */
function openingTag(source: string): string {
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
    if (source[at] === '>' && depth === 0) return source.slice(0, at);
  }
  throw new Error('A tag without an end');
}
