// @vitest-environment jsdom
import type { ActivityRow, BinnedMission, LivePlatform } from '@osprey/contract';
import { cleanup, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ActivityPanel } from '../activity/ActivityPanel.tsx';
import { activityColumns, narrowColumns } from '../activity/rows.tsx';
import { DocumentsPanel } from '../documents/DocumentsPanel.tsx';
import { noFilter } from '../documents/filter.ts';
import { BinPanel } from '../keeping/BinPanel.tsx';
import { narrowColumns as missionColumns } from '../missions/columns.tsx';
import { narrowColumns as platformColumns, recordColumn } from '../platforms/columns.tsx';
import { PlatformInfoPanel } from '../platforms/info/PlatformInfoPanel.tsx';
import { PlatformsPanel } from '../platforms/PlatformsPanel.tsx';
import { LabelBar } from '../shell/LabelBar.tsx';
import { documentOf } from '../testing/documents.ts';
import { fakeApi, newId, WithHeaders } from '../testing/fake-api.ts';
import { livePlatformOf } from '../testing/platforms.ts';
import { admin, show } from '../testing/show.tsx';
import { type Column, leastWidth } from '../ui/table/data-table.ts';
import { narrowColumns as userColumns } from '../users/columns.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const labels = ['SECRET', 'RESTRICTED'] as const;
const ignore = () => undefined;

const platforms = labels.map(
  (label): LivePlatform => livePlatformOf({ name: `Of ${label}`, securityClassification: label, marked: true }),
);
const binned = labels.map(
  (label): BinnedMission => ({
    ...{ _id: newId(), name: `Of ${label}`, securityClassification: label, marked: true, audience: 'everyone' },
    ...{ usergroups: [], sensors: 1, sizeBytes: 9, deletedTime: 0, deletedBy: 'ana', endTime: 0 },
  }),
);
const done = labels.map(
  (label, seq): ActivityRow => ({
    ...{ node: 'api', seq, time: 0, user: { _id: newId(), username: 'ana' }, role: 'user', kind: 'opened' },
    ...{ action: 'mission.read', item: { _id: newId(), name: `Of ${label}` }, itemLabel: label, address: null },
    ...{ sensorName: null, client: null, outcome: 'allowed', result: null },
  }),
);
const listed = (rows: unknown[]) => new WithHeaders(rows, { 'x-total-count': String(rows.length) });

const answers = {
  'GET /documents': () =>
    listed(labels.map((label) => documentOf({ title: `Of ${label}`, securityClassification: label, marked: true }))),
  'GET /usergroups': () => [],
  'GET /tags': () => [],
  'GET /bin': () => binned,
  'GET /platforms': () => platforms,
  'GET /activity': () => listed(done),
  'GET /audit/actions': () => [],
};

it.each<[string, ReactNode]>([
  [
    'documents',
    <DocumentsPanel
      key=""
      filter={noFilter}
      onFilter={ignore}
      sort="-creationTime"
      onSort={ignore}
      opening={false}
      open={null}
      onOpen={ignore}
    />,
  ],
  ['deleted missions', <BinPanel key="" />],
  ['platforms', <PlatformsPanel key="" preview={() => null} uploadDialog={() => null} />],
  ['platform info', <PlatformInfoPanel key="" />],
  ['user activity', <ActivityPanel key="" tabs={null} />],
])('T-047 each row of the table of %s carries its label, and the bar above the highest of them', async (_, part) => {
  show(
    <>
      <LabelBar />
      {part}
    </>,
    { api: fakeApi(answers).api, session: { actor: admin } },
  );

  for (const label of labels) {
    const row = (await screen.findByText(`Of ${label}`)).closest<HTMLElement>('[role=row]')!;
    expect(within(row).getByText(label)).toBeDefined();
  }
  expect(screen.getByRole('note', { name: 'Highest classification on screen: SECRET' }).textContent).toBe('SECRET');
});

it('says on a phone when, what, who and with which label in each row of the activity', () => {
  const [row] = done;
  const cells = narrowColumns(activityColumns(ignore)).map(({ id, cell }) => <div key={id}>{cell(row!)}</div>);
  show(<main>{cells}</main>, { api: fakeApi({}).api });

  for (const text of ['00:00:00', 'Jan 01 1970', 'Of SECRET', 'ana', 'SECRET']) screen.getByText(text);
});

it.each([
  ['missions in admin mode', missionColumns, 76],
  ['users', userColumns, 40],
  ['platforms', [...platformColumns, recordColumn], 36],
  ['user activity', narrowColumns(activityColumns(ignore)), 0],
] as const)('fit a screen of 320 px, so that the label is in sight: %s', (_table, columns, lead) => {
  // One pixel of the frame at each side.
  expect(leastWidth(columns as readonly Column<never>[], {}, lead)).toBeLessThanOrEqual(318);
});
